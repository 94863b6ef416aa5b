import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

/** The selection, or else the statement at the cursor: a connection runs one statement at a time. */
export function textToRun(state: EditorState): string {
  const { main } = state.selection;
  if (!main.empty) return state.sliceDoc(main.from, main.to);
  const statements = syntaxTree(state).topNode.getChildren('Statement');
  if (statements.length < 2) return state.doc.toString();
  const at = statements.findLast(({ from }) => from <= main.head) ?? statements[0]!;
  return state.sliceDoc(at.from, at.to);
}
