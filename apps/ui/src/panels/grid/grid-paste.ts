import type { ClipboardEvent } from 'react';
import { showToast } from '../../data/messages/toast.tsx';
import { copiedCells } from './copied-cells.ts';
import type { GridActions, GridContext } from './grid-actions.ts';
import type { GridStore } from './grid-store.ts';
import { rangeOf } from './navigation.ts';
import { planPaste } from './plan-paste.ts';
import { type Pasted, readPasted } from './read-pasted.ts';

/**
 * The staged edits of a table are stored in one record, and a further edit writes the whole record again. More cells
 * than this limit should be imported from a file.
 */
const mostCells = 100_000;

/**
 * Pastes text into the selection: on the browser's paste event, or from the menu, which must ask the browser
 * for permission.
 */
export function createGridPaste(store: GridStore, actions: GridActions, context: () => GridContext) {
  const paste = (text: string, isText: boolean) => {
    const { props, model } = context();
    if (!props.onPaste) return;
    if (props.readOnly !== undefined) return actions.say(props.readOnly);
    // On the clipboard, a copied NULL is an empty text.
    if (text === '' && !(isText && copiedCells(text))) return actions.say('The clipboard holds no text');
    const { active } = store.getState().selection;
    const column = model.columns[active.column];
    if (!column) return;
    if (active.row < 0 && model.lines.length > 0) return actions.say('Choose a cell to paste into');
    const names = model.columns.map(({ name }) => name);
    apply(copiedCells(text) ?? readPasted(text, { names, column }));
  };

  /** Stages the pasted cells at the selection. */
  const apply = (pasted: Pasted) => {
    const { props, model } = context();
    const cells = pasted.rows.reduce((sum, row) => sum + row.length, 0);
    if (cells > mostCells) return refuse(cells);
    const { selection } = store.getState();
    const { readOnly, insertRefusal } = props;
    const { edits, rows, tally, covers } = planPaste(pasted, { model, selection, readOnly, insertRefusal });
    // A small paste may fill a large selection.
    if (tally.staged > mostCells) return refuse(tally.staged);
    if (edits.length > 0 || rows.length > 0) props.onPaste?.({ edits, rows });
    if (covers.lines > 0 && !pasted.names) selectPasted(covers);
    if (tally.hasTrouble) {
      // Cells that do not fit stay marked after the message is gone.
      const description = tally.details().join('\n');
      showToast({ level: 'error', title: tally.title(), description, forMs: 15_000 });
    } else if (rows.length > 0) showToast({ title: tally.title() });
    else actions.say(tally.title(), { forMs: 2500 });
  };

  const selectPasted = ({ lines, columns }: { lines: number; columns: number }) => {
    const { top, left } = rangeOf(store.getState().selection);
    const head = { row: top + lines - 1, column: left + columns - 1 };
    actions.select({ active: { row: top, column: left }, head }, { reveal: false });
  };

  return {
    /** Handles the browser's paste event. An editor inside the grid handles its own paste events. */
    onPaste(event: ClipboardEvent) {
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      const { types } = event.clipboardData;
      // A browser may store an empty text as an empty clipboard.
      const isText = types.length === 0 || types.includes('text/plain');
      paste(event.clipboardData.getData('text/plain'), isText);
    },
    async fromMenu() {
      let text: string;
      try {
        text = await navigator.clipboard.readText();
      } catch {
        return actions.say('The browser refused access to the clipboard. The keys for Paste work without it');
      }
      paste(text, true);
    },
  };
}

function refuse(cells: number): void {
  showToast({
    level: 'error',
    title: `Nothing was pasted: ${cells.toLocaleString('en')} cells are too many`,
    description: `A paste takes up to ${mostCells.toLocaleString('en')}. Import larger amounts from a file.`,
  });
}
