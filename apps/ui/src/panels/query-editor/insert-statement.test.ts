import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { insertStatement } from './insert-statement.ts';

/** The text after the insert, with `|` at the cursor. */
function inserted(text: string, anchor: number, head = anchor): string {
  const before = EditorState.create({ doc: text, selection: { anchor, head } });
  const { doc, selection } = before.update(insertStatement(before, 'SELECT 9;')).state;
  const cursor = selection.main.head;
  return `${doc.sliceString(0, cursor)}|${doc.sliceString(cursor)}`;
}

test('a statement before or after another gets lines of its own', () => {
  expect(inserted('SELECT 1;', 0)).toBe('SELECT 9;|\n\nSELECT 1;');
  expect(inserted('SELECT 1;', 9)).toBe('SELECT 1;\n\nSELECT 9;|');
});

test('a statement on an empty line, or in place of whole lines, is inserted unchanged', () => {
  expect(inserted('SELECT 1;\n\n  ', 11)).toBe('SELECT 1;\n\nSELECT 9;|  ');
  expect(inserted('SELECT 1;\nSELECT 2;', 10, 19)).toBe('SELECT 1;\nSELECT 9;|');
});
