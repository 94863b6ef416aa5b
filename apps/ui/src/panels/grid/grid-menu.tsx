import { ContextMenu } from '@base-ui/react/context-menu';
import { useStore } from 'zustand';
import { Kbd } from '../../controls/keys/kbd.tsx';
import popup from '../../controls/popups/popup.module.css';
import { usePopupPlace } from '../../controls/popups/popup-place.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import type { CopyFormat } from './clipboard.ts';
import styles from './data-grid.module.css';
import type { GridActions, GridContext } from './grid-actions.ts';
import type { GridStore } from './grid-store.ts';
import { menuGroups } from './menu-items.ts';

/**
 * The menu of the selection or of a header. The right mouse button, the menu key, Shift+F10 and Alt+Down open it, and
 * so does the button in a header.
 */
export function GridMenu(props: {
  store: GridStore;
  actions: GridActions;
  context: () => GridContext;
  copy(format: CopyFormat): void;
  paste(): void;
  onWidth(column: number, width: 'fit' | null): void;
  onFitAll(): void;
}) {
  const { actions, context } = props;
  const selection = useStore(props.store, (state) => state.selection);
  const groups = menuGroups({ ...props, selection, ...context() });
  const place = usePopupPlace();
  return (
    <ContextMenu.Portal container={place}>
      <ContextMenu.Positioner className={popup.positioner}>
        <ContextMenu.Popup
          className={classNames(popup.popup, popup.list, styles.menu)}
          finalFocus={() => {
            actions.focus();
            return false;
          }}
        >
          {groups.map((items, index) => [
            index > 0 && (
              <ContextMenu.Separator key={`before ${items[0]?.label}`} className={popup.separator} />
            ),
            ...items.map((item, at) => (
              <ContextMenu.Item
                // biome-ignore lint/suspicious/noArrayIndexKey: two references may have the same title
                key={`${at} ${item.label}`}
                className={classNames(popup.item, item.danger && popup.danger)}
                disabled={item.disabled}
                onClick={item.run}
              >
                <span className={classNames(popup.label, styles.menuLabel)}>
                  {item.label}
                  {item.detail && <span className={popup.detail}>{item.detail}</span>}
                </span>
                {item.shortcut && <Kbd keys={item.shortcut} />}
              </ContextMenu.Item>
            )),
          ])}
        </ContextMenu.Popup>
      </ContextMenu.Positioner>
    </ContextMenu.Portal>
  );
}
