import { syntaxTree } from '@codemirror/language';
import { type Extension, RangeSetBuilder, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { Manifest } from '@trestle/driver-kit';
import { markedStatement } from './text-to-run.ts';

export interface Marked {
  /** The first and the last line, counted from one. */
  lines: [number, number];
}

const line = Decoration.line({ class: 'cm-runs' });

/** If there are several statements and nothing is selected, marks the lines of the statement that would run. */
export function runMark(
  language: Manifest['editor']['language'],
  onMark: (marked: Marked | null) => void,
): Extension {
  const field = StateField.define<{ marked: Marked | null; lines: DecorationSet }>({
    create: (state) => markIn(state, language),
    update(value, transaction) {
      const { state, startState } = transaction;
      const isSame =
        !transaction.docChanged && !transaction.selection && syntaxTree(state) === syntaxTree(startState);
      return isSame ? value : markIn(state, language);
    },
    provide: (own) => EditorView.decorations.from(own, ({ lines }) => lines),
  });
  // The lines that were last passed to `onMark`. A comparison with the previous state would miss the first mark, since
  // that mark is already in the first state.
  let reported = String(undefined);
  return [
    field,
    EditorView.updateListener.of((update) => {
      const { marked } = update.state.field(field);
      if (String(marked?.lines) === reported) return;
      reported = String(marked?.lines);
      onMark(marked);
    }),
    EditorView.theme({
      '.cm-line.cm-runs': { backgroundColor: 'var(--bg-stripe)', boxShadow: 'inset 2px 0 0 var(--accent)' },
    }),
  ];
}

function markIn(state: Parameters<typeof markedStatement>[0], language: Manifest['editor']['language']) {
  const at = markedStatement(state, language);
  const lines = new RangeSetBuilder<Decoration>();
  if (!at) return { marked: null, lines: lines.finish() };
  const first = state.doc.lineAt(at.from).number;
  const last = state.doc.lineAt(Math.max(at.from, at.to - 1)).number;
  for (let number = first; number <= last; number++) {
    const { from } = state.doc.line(number);
    lines.add(from, from, line);
  }
  return { marked: { lines: [first, last] as [number, number] }, lines: lines.finish() };
}
