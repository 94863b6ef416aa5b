import { expect, test } from 'vitest';
import { copyText, estimateCopy } from './clipboard.ts';

const table = {
  columns: ['id', 'note'],
  rows: [
    [1, 'plain'],
    [9007199254740993n, null],
  ],
};

test('the text of one cell is copied without quotes around it', () => {
  expect(copyText({ columns: ['a'], rows: [['tab\tand "quotes"\n']] }, 'text')).toBe('tab\tand "quotes"\n');
  expect(copyText({ columns: ['a'], rows: [[[0.5, 1]]] }, 'text')).toBe('[0.5,1]');
});

test('a range is tab-separated, with or without headers', () => {
  expect(copyText(table, 'text')).toBe('1\tplain\n9007199254740993\t');
  expect(copyText(table, 'headers')).toBe('id\tnote\n1\tplain\n9007199254740993\t');
});

test('a field with a tab, a line end or a leading quote is quoted', () => {
  const rows = [['x\ty', '"z"', 'a\nb']];
  expect(copyText({ columns: ['a', 'b', 'c'], rows }, 'text')).toBe('"x\ty"\t"""z"""\t"a\nb"');
});

test('JSON keeps numbers and NULL, writes a large integer as text, and renames a second column of the same name', () => {
  expect(JSON.parse(copyText(table, 'json'))).toEqual([
    { id: 1, note: 'plain' },
    { id: '9007199254740993', note: null },
  ]);
  expect(JSON.parse(copyText({ columns: ['a', 'a'], rows: [[1, 2]] }, 'json'))).toEqual([
    { a: 1, 'a (2)': 2 },
  ]);
});

test('JSON keeps a column that is named like a built-in property of JavaScript objects', () => {
  const columns = ['__proto__', '__proto__', 'constructor'];
  expect(copyText({ columns, rows: [['a', 'b', 'c']] }, 'json')).toBe(
    '[\n  {\n    "__proto__": "a",\n    "__proto__ (2)": "b",\n    "constructor": "c"\n  }\n]',
  );
});

test('Markdown escapes characters that would break its table', () => {
  expect(copyText({ columns: ['a|b'], rows: [['x|y\nz'], [null]] }, 'markdown')).toBe(
    '| a\\|b |\n| --- |\n| x\\|y<br>z |\n| NULL |',
  );
});

test('the size of a copy is estimated from a sample', () => {
  expect(estimateCopy(1000, [['x'.repeat(9)], ['x'.repeat(9)]])).toBe(10_000);
  expect(estimateCopy(0, [])).toBe(0);
});
