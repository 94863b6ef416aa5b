import { ContextMenu as BaseContextMenu } from '@base-ui/react/context-menu';
import type { ReactElement } from 'react';
import styles from '../popups/popup.module.css';
import { usePopupPlace } from '../popups/popup-place.tsx';
import { classNames } from '../styles/class-names.ts';
import { MenuEntries, type MenuEntry } from './menu-entries.tsx';

/**
 * A context menu. The right mouse button, the menu key and Shift+F10 open it. The caller stores `open`, so that it can
 * load data for the entries when the menu opens.
 */
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
            <MenuEntries entries={props.entries} />
          </BaseContextMenu.Popup>
        </BaseContextMenu.Positioner>
      </BaseContextMenu.Portal>
    </BaseContextMenu.Root>
  );
}
