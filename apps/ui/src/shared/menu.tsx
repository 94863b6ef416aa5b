import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Kbd } from './kbd.tsx';
import styles from './popup.module.css';
import { usePopupPlace } from './popup-place.tsx';

export type MenuEntry =
  | 'separator'
  | {
      label: string;
      icon?: ReactNode;
      shortcut?: string;
      danger?: boolean;
      disabled?: boolean;
      onSelect(): void;
    };

/** A button's menu. `trigger` is the button itself. */
export function Menu(props: {
  trigger: ReactElement<Record<string, unknown>>;
  entries: MenuEntry[];
  align?: 'start' | 'center' | 'end';
}) {
  const place = usePopupPlace();
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={props.trigger} />
      <BaseMenu.Portal container={place}>
        <BaseMenu.Positioner className={styles.positioner} sideOffset={4} align={props.align ?? 'start'}>
          <BaseMenu.Popup className={classNames(styles.popup, styles.list)}>
            {props.entries.map((entry, index) =>
              entry === 'separator' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: separators have nothing else to tell them apart
                <BaseMenu.Separator key={index} className={styles.separator} />
              ) : (
                <BaseMenu.Item
                  key={entry.label}
                  className={classNames(styles.item, entry.danger && styles.danger)}
                  disabled={entry.disabled}
                  onClick={entry.onSelect}
                >
                  {entry.icon && <span className={styles.mark}>{entry.icon}</span>}
                  <span className={styles.label}>{entry.label}</span>
                  {entry.shortcut && <Kbd keys={entry.shortcut} />}
                </BaseMenu.Item>
              ),
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
