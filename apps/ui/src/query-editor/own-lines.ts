import type { EditorState } from '@codemirror/state';

/** The statement with an empty line before and after it, if the selection has other text beside it on its lines. */
export function onOwnLines({ doc, selection }: EditorState, statement: string): string {
  const { from, to } = selection.main;
  const before = doc.sliceString(doc.lineAt(from).from, from).trim();
  const after = doc.sliceString(to, doc.lineAt(to).to).trim();
  return `${before === '' ? '' : '\n\n'}${statement}${after === '' ? '' : '\n\n'}`;
}
