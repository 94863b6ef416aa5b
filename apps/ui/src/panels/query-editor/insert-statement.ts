import type { EditorState, TransactionSpec } from '@codemirror/state';

/**
 * Replaces the selection with a statement. If the selection has other text beside it on its lines, empty lines separate
 * the statement from that text. The cursor moves to the end of the statement, so that Run runs this statement.
 */
export function insertStatement({ doc, selection }: EditorState, statement: string): TransactionSpec {
  const { from, to } = selection.main;
  const before = doc.sliceString(doc.lineAt(from).from, from).trim() === '' ? '' : '\n\n';
  const after = doc.sliceString(to, doc.lineAt(to).to).trim() === '' ? '' : '\n\n';
  return {
    changes: { from, to, insert: `${before}${statement}${after}` },
    selection: { anchor: from + before.length + statement.length },
    scrollIntoView: true,
  };
}
