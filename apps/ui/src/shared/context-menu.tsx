import { ContextMenu as BaseContextMenu } from '@base-ui/react/context-menu';
import type { ReactElement } from 'react';
import { classNames } from './class-names.ts';
import { Kbd } from './kbd.tsx';
import type { MenuEntry } from './menu.tsx';
import styles from './popup.module.css';
import { usePopupPlace } from './popup-place.tsx';

/** The menu of a thing: by the right button, the menu key or Shift+F10. The entries are made when it opens. */
export function ContextMenu(props: {
  trigger: ReactElement<Record<string, unknown>>;
  open: boolean;
  onOpenChange(open: boolean): void;
  entries: MenuEntry[];
}) {
  const place = usePopupPlace();
  return (
    <BaseContextMenu.Root open={props.open} onOpenChange={props.onOpenChange}>
      <BaseContextMenu.Trigger render={props.trigger} />
      <BaseContextMenu.Portal container={place}>
        <BaseContextMenu.Positioner className={styles.positioner}>
          <BaseContextMenu.Popup className={classNames(styles.popup, styles.list)}>
            {props.entries.map((entry, index) =>
              entry === 'separator' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: separators have nothing else to tell them apart
                <BaseContextMenu.Separator key={index} className={styles.separator} />
              ) : (
                <BaseContextMenu.Item
                  key={entry.label}
                  className={classNames(styles.item, entry.danger && styles.danger)}
                  disabled={entry.disabled}
                  onClick={entry.onSelect}
                >
                  {entry.icon && <span className={styles.mark}>{entry.icon}</span>}
                  <span className={styles.label}>{entry.label}</span>
                  {entry.shortcut && <Kbd keys={entry.shortcut} />}
                </BaseContextMenu.Item>
              ),
            )}
          </BaseContextMenu.Popup>
        </BaseContextMenu.Positioner>
      </BaseContextMenu.Portal>
    </BaseContextMenu.Root>
  );
}
