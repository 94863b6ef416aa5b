import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { Manifest } from '@trestle/driver-kit';
import { blockAt, requestBlocks } from './request-blocks.ts';

/** The selection, or else the statement at the cursor: a connection runs one statement at a time. */
export function textToRun(state: EditorState, language: Manifest['editor']['language']): string {
  const { main } = state.selection;
  if (!main.empty) return state.sliceDoc(main.from, main.to);
  if (language === 'graphql') return requestAt(state.doc.toString(), main.head);
  const statements = syntaxTree(state).topNode.getChildren('Statement');
  if (statements.length < 2) return state.doc.toString();
  const at = statements.findLast(({ from }) => from <= main.head) ?? statements[0]!;
  return state.sliceDoc(at.from, at.to);
}

function requestAt(text: string, position: number): string {
  const blocks = requestBlocks(text);
  const at = blockAt(blocks, position);
  return at && blocks.length > 1 ? text.slice(at.from, at.to) : text;
}
