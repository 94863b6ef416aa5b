import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { onOwnLines } from './own-lines.ts';

function inserted(doc: string, anchor: number, head = anchor): string {
  const state = EditorState.create({ doc, selection: { anchor, head } });
  return state.update(state.replaceSelection(onOwnLines(state, 'SELECT 9;'))).state.doc.toString();
}

test('a statement before or after another gets lines of its own', () => {
  expect(inserted('SELECT 1;', 0)).toBe('SELECT 9;\n\nSELECT 1;');
  expect(inserted('SELECT 1;', 9)).toBe('SELECT 1;\n\nSELECT 9;');
});

test('on an empty line, and in place of whole lines, it is inserted unchanged', () => {
  expect(inserted('SELECT 1;\n\n  ', 11)).toBe('SELECT 1;\n\nSELECT 9;  ');
  expect(inserted('SELECT 1;\nSELECT 2;', 10, 19)).toBe('SELECT 1;\nSELECT 9;');
});
