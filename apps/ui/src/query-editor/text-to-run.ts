import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { Manifest } from '@trestle/driver-kit';
import { blockAt, requestBlocks } from './request-blocks.ts';

/** Parsing this long holds the window up; a script of some ten megabytes takes it. */
const parseMs = 3000;

/**
 * The selection, or else the statement at the cursor: a connection runs one statement at a time. Null where the
 * script is too long to tell where that statement ends.
 */
export function textToRun(
  state: EditorState,
  language: Manifest['editor']['language'],
  budgetMs = parseMs,
): string | null {
  const { main } = state.selection;
  if (!main.empty) return state.sliceDoc(main.from, main.to);
  if (language === 'graphql') return requestAt(state.doc.toString(), main.head);
  // The editor parses in the background and only as far as it has come: the rest of a long script is missing.
  const whole = ensureSyntaxTree(state, state.doc.length, budgetMs);
  const statements = (whole ?? syntaxTree(state)).topNode.getChildren('Statement');
  if (!whole && !statements.some(({ from }) => from > main.head)) return null;
  if (statements.length < 2) return state.doc.toString();
  const at = statements.findLast(({ from }) => from <= main.head) ?? statements[0]!;
  return state.sliceDoc(at.from, at.to);
}

function requestAt(text: string, position: number): string {
  const blocks = requestBlocks(text);
  const at = blockAt(blocks, position);
  return at && blocks.length > 1 ? text.slice(at.from, at.to) : text;
}
