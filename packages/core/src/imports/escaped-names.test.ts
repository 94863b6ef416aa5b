import { expect, test } from 'vitest';
import { hasEscapedName } from './escaped-names.ts';
import { fitJsonValue } from './fit-cell.ts';
import { parseJsonRow } from './parse-json-row.ts';
import { WrittenReal } from './typed-json.ts';

const read = (text: string) => {
  const row = parseJsonRow(text);
  if ('problem' in row) throw new Error(row.problem);
  return Object.fromEntries(row.values);
};

test('member names that are written with a backslash are read correctly, even if an earlier row had a similar name', () => {
  for (const name of ['\\', 'x\\', 'x"', '"', '/', '\n', '__proto__', 'x\\y"']) {
    const row = { k: 1, [name]: { [name]: [{ [name]: 'a\\"b' }, [], {}] }, last: null };
    const text = JSON.stringify(row, null, 1).replaceAll('/', '\\/');
    expect(read(text), JSON.stringify(name)).toEqual(row);
    expect(Object.keys(read(text))).toEqual(['k', name, 'last']);
  }
});

test('in a row with an escaped name, a large number keeps every digit, and problems are reported', () => {
  expect(read('{"\\u0041": 12345678901234567890, "b": -0.5e2, "c": [true,false, null ]}')).toEqual({
    A: 12345678901234567890n,
    b: new WrittenReal(-50, '-0.5e2'),
    c: [true, false, null],
  });
  expect(parseJsonRow('{"\\"": 1e999}')).toEqual({
    problem: 'the number 1e999 is too large. Put it in quotes',
  });
  expect(parseJsonRow('{"\\"": 1,}')).toEqual({ problem: expect.stringMatching(/^not JSON: /) });
});

test.each([String.raw`{"\"": DEEP}`, '{"a": 12345678901234567890, "b": DEEP}', '{"a": DEEP}'])(
  'the row %s is refused if DEEP has 20,000 nested levels',
  (row) => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    expect(parseJsonRow(row.replace('DEEP', deep))).toEqual({ problem: 'more than 1000 nested levels' });
  },
);

test.each(['json', 'any'] as const)('an escaped name stays the same in a %s column', (type) => {
  for (const name of ['x\\', 'x"']) {
    const { j } = read(JSON.stringify({ j: { k: 1, [name]: 1 } }));
    expect(fitJsonValue(j!, { type, isApart: false })).toEqual({ ok: true, cell: { k: 1, [name]: 1 } });
  }
});

test('hasEscapedName looks for a backslash in names, not in values', () => {
  expect(hasEscapedName('{"a": "\\"", "b": ["\\n"]}')).toBe(false);
  expect(hasEscapedName('{"a": "\\": "}')).toBe(false);
  expect(hasEscapedName('{"a": [{"b\\n" : 1}]}')).toBe(true);
});

test('a text with millions of escapes is read', () => {
  const text = 'a\n'.repeat(4_000_000);
  for (const name of ['plain', 'x"'])
    expect(read(JSON.stringify({ [name]: text }))[name] === text).toBe(true);
});
