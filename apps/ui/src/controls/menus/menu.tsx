import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement } from 'react';
import styles from '../popups/popup.module.css';
import { usePopupPlace } from '../popups/popup-place.tsx';
import { classNames } from '../styles/class-names.ts';
import { MenuEntries, type MenuEntry } from './menu-entries.tsx';

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
            <MenuEntries entries={props.entries} />
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
