import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/test-core.ts';
import { inferColumns } from './infer-columns.ts';
import { surveyFile } from './survey-file.ts';

const { signal } = new AbortController();

async function inferred(content: string) {
  const path = join(temporaryFolder(), 'rows');
  writeFileSync(path, content);
  return inferColumns(await surveyFile(path, { signal }), { signal });
}

test('a type is chosen only if every value of a CSV file fits it', async () => {
  const uuid = '6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10';
  const vector = JSON.stringify(Array.from({ length: 8 }, (_, at) => at / 3)).replaceAll(',', ', ');
  const found = await inferred(
    [
      'id,name,year,price,isOpen,since,zip,phone,mixed,empty,vector,constructor',
      `${uuid},Ada,1815,1.5,true,2026-07-28,00123,12345678901234567,1,,"${vector}",1`,
      `${uuid},5,,2,FALSE,2026-07-28T09:30:00Z,99,3,x,,"${vector}",2`,
    ].join('\n'),
  );
  expect(found).toEqual([
    { name: 'id', type: 'uuid' },
    { name: 'name', type: 'text' },
    { name: 'year', type: 'int' },
    { name: 'price', type: 'number' },
    { name: 'isOpen', type: 'boolean' },
    { name: 'since', type: 'date' },
    { name: 'zip', type: 'text', doubt: 'Its digits start with 0, so they stay text.' },
    { name: 'phone', type: 'text', doubt: 'A number has more than 15 digits, so all stay text.' },
    { name: 'mixed', type: 'text' },
    { name: 'empty', type: 'text', doubt: 'It has no value.' },
    { name: 'vector', type: 'vector' },
    { name: 'constructor', type: 'int' },
  ]);
});

test('JSON keeps its types, lists, objects and vectors', async () => {
  const row = {
    title: '5',
    year: 1968,
    tags: ['a', 'b'],
    when: '2026-07-28T09:30:00Z',
    author: { name: 'Ada', born: 1815 },
    parts: [{ size: 1 }, { size: 1.5 }],
    embedding: Array.from({ length: 16 }, (_, at) => at / 7),
    raw: { $bytes: 'AP8=' },
    odd: 1,
  };
  const found = await inferred(
    [JSON.stringify(row), JSON.stringify({ ...row, author: { constructor: true }, odd: [1] })].join('\n'),
  );
  expect(found).toEqual([
    { name: 'title', type: 'text' },
    { name: 'year', type: 'int' },
    { name: 'tags', type: 'text', isList: true },
    { name: 'when', type: 'date' },
    {
      name: 'author',
      type: 'json',
      columns: [
        { name: 'name', type: 'text' },
        { name: 'born', type: 'int' },
        { name: 'constructor', type: 'boolean' },
      ],
    },
    { name: 'parts', type: 'json', isList: true, columns: [{ name: 'size', type: 'number' }] },
    { name: 'embedding', type: 'vector' },
    { name: 'raw', type: 'bytes' },
    { name: 'odd', type: 'any', doubt: 'It has values of different kinds.' },
  ]);
});

test('lists of numbers with different lengths are no vectors', async () => {
  const long = Array.from({ length: 9 }, (_, at) => at);
  const found = await inferred(`${JSON.stringify([{ a: long }, { a: long.slice(1) }])}`);
  expect(found).toEqual([{ name: 'a', type: 'int', isList: true }]);
});
