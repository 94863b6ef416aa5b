import type { ColumnType } from '@trestle/driver-kit';
import { useCallback, useState } from 'react';
import { isTyping } from '../../controls/keys/is-typing.ts';
import { type CopyFormat, type CopyTable, copyText, estimateCopy } from './clipboard.ts';
import { rememberCopied } from './copied-cells.ts';
import { covered, type GridActions, type GridContext } from './grid-actions.ts';
import type { GridStore } from './grid-store.ts';
import { cellOf, hasSameRows, isPending } from './model.ts';

/** The user must confirm a copy of more characters: it can freeze this window and the program that it is pasted into. */
const large = 10_000_000;

const changedPage = 'Nothing was copied: meanwhile the page changed or was loaded again. Copy again';

interface PendingCopy {
  characters: number;
  proceed(): Promise<void>;
}

/** Copies the selection. It first loads missing cells, and asks the user if the copy is very large. */
export function useCopy(store: GridStore, actions: GridActions, context: () => GridContext) {
  const [pending, setPending] = useState<PendingCopy | null>(null);
  const copy = useCallback(
    async (format: CopyFormat) => {
      const { model } = context();
      const { lines, columns } = covered(model, store.getState().selection);
      if (lines.length === 0) return;
      const missing = columns.filter(
        (column) => column.source < 0 && lines.some((line) => isPending(model, line, column)),
      );
      const write = async () => {
        setPending(null);
        if (!hasSameRows(model, context().model, lines)) return actions.say(changedPage);
        const table = readTable(context(), lines, columns);
        let text: string;
        try {
          text = copyText(table, format);
        } catch {
          return actions.say(
            'Nothing was copied: the text would be too long. Select fewer rows, or export them.',
          );
        }
        try {
          await navigator.clipboard.writeText(text);
          if (format === 'text') rememberCopied(text, table.rows, columns.map(typeOf));
          const many = lines.length * columns.length;
          actions.say(many === 1 ? 'Copied' : `Copied ${many.toLocaleString('en')} cells`, { forMs: 1500 });
        } catch {
          actions.say('Nothing was copied: the browser refused access to the clipboard');
        }
        // Loading cells may have taken a while, and the user may type elsewhere by now.
        if (!isTyping()) actions.focus();
      };
      if (missing.length > 0) {
        actions.say('Loading the values to copy…');
        try {
          await context().props.onNeedCells?.(
            lines,
            missing.map(({ name }) => name),
          );
        } catch (error) {
          return actions.say(`Nothing was copied: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      if (!hasSameRows(model, context().model, lines)) return actions.say(changedPage);
      const sample = readTable(context(), lines.slice(0, 20), columns);
      const characters = estimateCopy(lines.length, sample.rows);
      if (characters > large) setPending({ characters, proceed: write });
      else await write();
    },
    [store, actions, context],
  );
  return { copy, pending, dismiss: () => setPending(null) };
}

function typeOf({ type }: { type: ColumnType }): ColumnType {
  return type;
}

function readTable(
  { model }: GridContext,
  lines: number[],
  columns: GridContext['model']['columns'],
): CopyTable {
  return {
    columns: columns.map(({ name }) => name),
    rows: lines.map((line) => columns.map((column) => cellOf(model, line, column) ?? null)),
  };
}
