import { DatabaseSync } from 'node:sqlite';
import { randomSource } from '@trestle/driver-kit/testing/random';
import { expect, test } from 'vitest';
import { isWord, significant, tokenize } from './tokenizer.ts';

test('a string or a quoted name is one token, and comments are left out', () => {
  const text = `select 'a''; --', "b""c;", \`d;\`, [e;] /* ; */ -- ;\n;drop`;
  expect(significant(tokenize(text)).map((token) => token.text)).toEqual([
    'select',
    "'a''; --'",
    ',',
    '"b""c;"',
    ',',
    '`d;`',
    ',',
    '[e;]',
    ';',
    'drop',
  ]);
});

test('a name whose letters only look like those of a keyword is no keyword', () => {
  const words = tokenize('Limit lımıt ſet').filter(({ kind }) => kind === 'word');
  expect(words.map((token) => isWord(token, 'LIMIT', 'SET'))).toEqual([true, false, false]);
});

test('parameters are distinguished from operators', () => {
  const kinds = significant(tokenize('? ?12 :a @b $c : x::y 1.5e3 .5')).map(
    ({ kind, text }) => `${kind} ${text}`,
  );
  expect(kinds).toEqual([
    'variable ?',
    'variable ?12',
    'variable :a',
    'variable @b',
    'variable $c',
    'other :',
    'word x',
    'other :',
    'variable :y',
    'other 1.5e3',
    'other .5',
  ]);
});

test('a text that would overflow the stack of a regular expression is one token', () => {
  const text = `'${"a''".repeat(12_000_000)}'`;
  const [token, ...others] = tokenize(text);
  expect([token?.kind, token?.end, others]).toEqual(['text', text.length, []]);
});

test('no text is lost, and the first statement ends where it ends in SQLite', () => {
  const random = randomSource(1);
  const pieces = [
    ...[
      'SELECT 1',
      'SELECT',
      ';',
      ';',
      "'",
      "''",
      '"',
      '""',
      '`',
      '[',
      ']',
      '--',
      '\n',
      '/*',
      '*/',
      '*',
      '/',
      '-',
    ],
    ...[
      ' ',
      '\t',
      'x',
      "x'00'",
      '1',
      '.',
      ',',
      '(',
      ')',
      '$a',
      '?1',
      ':b',
      '\\',
      'é',
      '🪐',
      '\uFEFF',
      '||',
      '<>',
      '#',
    ],
  ];
  const db = new DatabaseSync(':memory:');
  let compiled = 0;
  for (let round = 0; round < 6000; round++) {
    const length = random.below(12);
    const text = `SELECT 1 ${Array.from({ length }, () => random.pick(pieces)).join(random.pick(['', ' ']))}`;
    const tokens = tokenize(text);
    expect(tokens.map((token) => token.text).join('')).toBe(text);
    let consumed: string;
    try {
      consumed = db.prepare(text).sourceSQL;
    } catch {
      continue;
    }
    compiled++;
    const end = tokens.find((token) => token.text === ';')?.end ?? text.length;
    expect({ text, consumed: consumed.length }).toEqual({ text, consumed: end });
  }
  db.close();
  expect(compiled).toBeGreaterThan(300);
});
