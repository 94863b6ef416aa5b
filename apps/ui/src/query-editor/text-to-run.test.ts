import { sql } from '@codemirror/lang-sql';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { textToRun } from './text-to-run.ts';

function at(doc: string, anchor: number, head = anchor): string {
  return textToRun(EditorState.create({ doc, selection: { anchor, head }, extensions: [sql()] }), 'sql');
}

test('a selection runs as it is', () => {
  expect(at('SELECT 1; SELECT 2', 10, 18)).toBe('SELECT 2');
});

test('one statement runs whole, with its comments', () => {
  const text = '-- all of it\nSELECT 1;\n';
  expect(at(text, 0)).toBe(text);
});

test('of several, the one at the cursor runs', () => {
  const text = 'SELECT 1;\n\nSELECT 2;\n';
  expect(at(text, 3)).toBe('SELECT 1;');
  expect(at(text, 14)).toBe('SELECT 2;');
  expect(at(text, text.length)).toBe('SELECT 2;');
});

test('of several requests, the one at the cursor runs', () => {
  const doc = 'GET /schema\n\n{ Get { A { b } } }\n';
  const run = (anchor: number) => textToRun(EditorState.create({ doc, selection: { anchor } }), 'graphql');
  expect(run(3)).toBe('GET /schema');
  expect(run(doc.length)).toBe('{ Get { A { b } } }');
  expect(textToRun(EditorState.create({ doc: '# one\nGET /schema\n' }), 'graphql')).toBe(
    '# one\nGET /schema\n',
  );
});
