import type { EditorState } from '@codemirror/state';
import type { Manifest } from '@trestle/driver-kit';
import { type Statement, statementAt, statementsIn } from './statements.ts';

/** The longest time for parsing, which blocks the window. A script of about ten megabytes may take this long. */
const parseMs = 3000;

type Language = Manifest['editor']['language'];

/**
 * The selection, or else the statement at the cursor: a driver runs one statement per call. A text with only one
 * statement runs whole. Null if the script is too long to find the end of the statement.
 */
export function textToRun(state: EditorState, language: Language, budgetMs = parseMs): string | null {
  const { main } = state.selection;
  if (!main.empty) return state.sliceDoc(main.from, main.to);
  const { list, isWhole } = statementsIn(state, language, budgetMs);
  if (!isWhole && !list.some(({ from }) => from > main.head)) return null;
  const at = statementAt(list, main.head);
  return at && list.length > 1 ? state.sliceDoc(at.from, at.to) : state.doc.toString();
}

/**
 * The statements of the selection, if it has several. Of a statement that is selected in part, only that part is
 * returned. A part with nothing but a semicolon is left out. Null if the selection has fewer than two statements, or if
 * the script is too long to find them.
 */
export function selectedTexts(state: EditorState, language: Language, budgetMs = parseMs): string[] | null {
  const { from, to, empty } = state.selection.main;
  if (empty) return null;
  const { list, isWhole } = statementsIn(state, language, budgetMs);
  if (!isWhole) return null;
  const met = list.filter((statement) => statement.from < to && statement.to > from);
  if (met.length < 2) return null;
  return met
    .map((statement) => state.sliceDoc(Math.max(statement.from, from), Math.min(statement.to, to)))
    .filter((text) => /[^\s;]/.test(text));
}

/** Every statement in order. Null if the script is too long to find them all. */
export function textsToRun(state: EditorState, language: Language, budgetMs = parseMs): string[] | null {
  const { list, isWhole } = statementsIn(state, language, budgetMs);
  if (!isWhole) return null;
  return list.length > 1 ? list.map(({ from, to }) => state.sliceDoc(from, to)) : [state.doc.toString()];
}

/**
 * The statement that would run now, found in the parsed part of the text. Null if some text is selected, or if there
 * are fewer than two statements.
 */
export function markedStatement(state: EditorState, language: Language): Statement | null {
  const { main } = state.selection;
  if (!main.empty) return null;
  const { list } = statementsIn(state, language);
  return list.length > 1 ? (statementAt(list, main.head) ?? null) : null;
}
