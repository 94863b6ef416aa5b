import type { CopyFormat } from './clipboard.ts';
import type { GridActions, GridContext } from './grid-actions.ts';
import type { GridStore } from './grid-store.ts';
import type { KeyCommand } from './key-command.ts';

/**
 * Runs the command of a key. Returns false if the browser must still handle the key, such as a letter for the editor
 * that just opened.
 */
export function runCommand(
  command: KeyCommand,
  store: GridStore,
  actions: GridActions,
  context: GridContext,
  clipboard: { copy(format: CopyFormat): void; paste(): void },
): boolean {
  const { active, head } = store.getState().selection;
  const inHeader = active.row < 0;
  switch (command.kind) {
    case 'move':
      actions.move(command.motion, command.extend);
      return true;
    case 'edit':
      if (inHeader) actions.sort(active.column);
      else if (!actions.toggle()) actions.edit();
      return true;
    case 'editLarge':
      if (inHeader) actions.sort(active.column, { add: true });
      else actions.edit({ large: true });
      return true;
    case 'activate':
      if (inHeader) actions.sort(active.column);
      else if (!actions.toggle()) return startTyping(actions, store);
      return true;
    case 'replace':
      return inHeader ? true : startTyping(actions, store);
    case 'copy':
      clipboard.copy('text');
      return true;
    case 'paste':
      clipboard.paste();
      return true;
    case 'fillDown':
      if (!inHeader) actions.fillDown();
      return true;
    case 'duplicateRows':
      if (!inHeader) actions.duplicateRows();
      return true;
    case 'selectAll':
      actions.selectAll();
      return true;
    case 'selectRow':
      if (!inHeader) actions.selectRows(active.row, head.row);
      return true;
    case 'selectColumn':
      actions.selectColumn(active.column);
      return true;
    case 'setNull':
      actions.setNull();
      return true;
    case 'deleteRows':
      if (!inHeader) actions.deleteRows();
      return true;
    case 'insertRow':
      if (!context.props.readOnly) context.props.onInsertRow?.();
      return true;
    case 'findSimilar':
      if (!context.props.onFindSimilar) return false;
      if (!inHeader && context.model.lines[active.row]?.at !== undefined) {
        context.props.onFindSimilar(active.row);
      }
      return true;
    case 'find':
      actions.find();
      return true;
    case 'menu':
      openMenu(context);
      return true;
  }
}

/**
 * Opens an empty editor and returns false, so that the browser types the character into the editor. An input method
 * needs this to compose characters. Returns true if no empty editor opened.
 */
function startTyping(actions: GridActions, store: GridStore): boolean {
  actions.edit({ replace: true });
  return store.getState().editing?.replace !== true;
}

/** Opens the menu at the active cell. If that cell is not drawn, the menu opens at the bottom of the grid. */
function openMenu({ grid, viewport }: GridContext): void {
  const id = grid?.getAttribute('aria-activedescendant');
  const cell = id ? document.getElementById(id) : null;
  const target = cell ?? viewport;
  if (!target) return;
  const box = target.getBoundingClientRect();
  const place = { clientX: box.left + 12, clientY: box.bottom - 4, bubbles: true, cancelable: true };
  target.dispatchEvent(new MouseEvent('contextmenu', place));
}
