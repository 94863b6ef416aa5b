import { sql } from '@codemirror/lang-sql';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { statementsIn } from './statements.ts';
import { markedStatement, selectedTexts, textsToRun, textToRun } from './text-to-run.ts';

function at(doc: string, anchor: number, head = anchor): string | null {
  const state = EditorState.create({ doc, selection: { anchor, head }, extensions: [sql()] });
  return textToRun(state, 'sql', 60_000);
}

test('a selection runs unchanged', () => {
  expect(at('SELECT 1; SELECT 2', 10, 18)).toBe('SELECT 2');
});

test('a selection of several statements is split into its statements', () => {
  const doc = 'SELECT 1; SELECT 2; SELECT 3;';
  const selected = (anchor: number, head: number) => {
    const state = EditorState.create({ doc, selection: { anchor, head }, extensions: [sql()] });
    return selectedTexts(state, 'sql', 60_000);
  };
  expect(selected(0, 19)).toEqual(['SELECT 1;', 'SELECT 2;']);
  expect(selected(29, 10)).toEqual(['SELECT 2;', 'SELECT 3;']);
  expect(selected(10, 19)).toBeNull();
  expect(selected(8, 19)).toEqual(['SELECT 2;']);
  expect(selected(5, 5)).toBeNull();
});

test('one statement runs whole, with its comments', () => {
  const text = '-- all of it\nSELECT 1;\n';
  expect(at(text, 0)).toBe(text);
});

test('among several statements, the one at the cursor runs', () => {
  const text = 'SELECT 1;\n\nSELECT 2;\n';
  expect(at(text, 3)).toBe('SELECT 1;');
  expect(at(text, 14)).toBe('SELECT 2;');
  expect(at(text, text.length)).toBe('SELECT 2;');
});

test('the statement at the cursor is found in the unparsed part of a long script', () => {
  const line = (at: number) => `INSERT INTO numbers VALUES (${at}, 'a; b');`;
  const text = Array.from({ length: 20_000 }, (_, at) => line(at)).join('\n');
  expect(at(text, text.length)).toBe(line(19_999));
  expect(at(text, text.indexOf(line(15_000)) + 20)).toBe(line(15_000));
});

test('a statement whose end is not known does not run at all', () => {
  const text = `SELECT 1;\nSELECT ${'1 + '.repeat(200_000)}1;`;
  const state = EditorState.create({ doc: text, selection: { anchor: text.length }, extensions: [sql()] });
  expect(textToRun(state, 'sql', 0)).toBeNull();
});

test('among several requests, the one at the cursor runs', () => {
  const doc = 'GET /schema\n\n{ Get { A { b } } }\n';
  const run = (anchor: number) => textToRun(EditorState.create({ doc, selection: { anchor } }), 'graphql');
  expect(run(3)).toBe('GET /schema');
  expect(run(doc.length)).toBe('{ Get { A { b } } }');
  expect(textToRun(EditorState.create({ doc: '# one\nGET /schema\n' }), 'graphql')).toBe(
    '# one\nGET /schema\n',
  );
});

test('the body of a trigger is part of its statement', () => {
  const trigger = 'CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  UPDATE b SET n = 1;\n  DELETE FROM c;\nEND;';
  const text = `SELECT 1;\n${trigger}\nSELECT 2;`;
  expect(at(text, text.indexOf('DELETE'))).toBe(trigger);
  const state = EditorState.create({ doc: text, extensions: [sql()] });
  expect(textsToRun(state, 'sql', 60_000)).toEqual(['SELECT 1;', trigger, 'SELECT 2;']);
});

test('a trigger ends at END, also if a comment follows', () => {
  const trigger = 'CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END -- x\n;';
  expect(at(`${trigger} SELECT 2;`, 0)).toBe(trigger);
});

test('a semicolon alone is not a statement', () => {
  const all = (doc: string) => textsToRun(EditorState.create({ doc, extensions: [sql()] }), 'sql', 60_000);
  expect(all('; SELECT 1; ;\nSELECT 2;;')).toEqual(['SELECT 1;', 'SELECT 2;']);
  expect(all('SELECT 1;;')).toEqual(['SELECT 1;;']);
});

test('a move of the cursor does not list the statements of the same text again', () => {
  const state = EditorState.create({ doc: 'SELECT 1; SELECT 2', extensions: [sql()] });
  const moved = state.update({ selection: { anchor: 12 } }).state;
  expect(statementsIn(moved, 'sql').list).toBe(statementsIn(state, 'sql').list);
  const changed = moved.update({ changes: { from: 18, insert: '; SELECT 3' } }).state;
  expect(statementsIn(changed, 'sql').list).toHaveLength(3);
});

test('several statements run in order without the comments before them, and a single one keeps its comments', () => {
  const all = (doc: string) => textsToRun(EditorState.create({ doc }), 'graphql');
  expect(all('# note\nGET /a\n\n{ Get { A { b } } }')).toEqual(['GET /a', '{ Get { A { b } } }']);
  expect(all('# note\nGET /a')).toEqual(['# note\nGET /a']);
});

test('among several statements, the one at the cursor is marked; a single statement is not marked', () => {
  const marked = (doc: string, anchor: number) => {
    const state = EditorState.create({ doc, selection: { anchor } });
    const found = markedStatement(state, 'graphql');
    return found && doc.slice(found.from, found.to);
  };
  expect(marked('GET /a\n\nGET /b', 9)).toBe('GET /b');
  expect(marked('GET /a', 2)).toBeNull();
});
