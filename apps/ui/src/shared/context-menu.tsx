import { ContextMenu as BaseContextMenu } from '@base-ui/react/context-menu';
import type { ReactElement } from 'react';
import { classNames } from './class-names.ts';
import { MenuEntries, type MenuEntry } from './menu-entries.tsx';
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
            <MenuEntries entries={props.entries} />
          </BaseContextMenu.Popup>
        </BaseContextMenu.Positioner>
      </BaseContextMenu.Portal>
    </BaseContextMenu.Root>
  );
}
