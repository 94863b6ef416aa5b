import type { EditorState } from '@codemirror/state';
import type { Manifest } from '@trestle/driver-kit';
import { type Statement, statementAt, statementsIn } from './statements.ts';

/** The longest time for parsing, which blocks the window. A script of some ten megabytes needs it. */
const parseMs = 3000;

type Language = Manifest['editor']['language'];

/**
 * The selection, or else the statement at the cursor: a connection runs one statement at a time. Null if the
 * script is too long to find the end of that statement.
 */
export function textToRun(state: EditorState, language: Language, budgetMs = parseMs): string | null {
  const { main } = state.selection;
  if (!main.empty) return state.sliceDoc(main.from, main.to);
  const { list, isWhole } = statementsIn(state, language, budgetMs);
  if (!isWhole && !list.some(({ from }) => from > main.head)) return null;
  const at = statementAt(list, main.head);
  return at && list.length > 1 ? state.sliceDoc(at.from, at.to) : state.doc.toString();
}

/** Every statement in order. Null if the script is too long to find them all. */
export function textsToRun(state: EditorState, language: Language, budgetMs = parseMs): string[] | null {
  const { list, isWhole } = statementsIn(state, language, budgetMs);
  if (!isWhole) return null;
  return list.length > 1 ? list.map(({ from, to }) => state.sliceDoc(from, to)) : [state.doc.toString()];
}

/** If there are several statements, the one that would run now, in the parsed part of the text. */
export function markedStatement(state: EditorState, language: Language): (Statement & { of: number }) | null {
  const { main } = state.selection;
  if (!main.empty) return null;
  const { list } = statementsIn(state, language);
  const at = list.length > 1 ? statementAt(list, main.head) : undefined;
  return at ? { ...at, of: list.length } : null;
}
