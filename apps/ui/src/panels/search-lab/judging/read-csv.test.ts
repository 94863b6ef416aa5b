import { expect, test } from 'vitest';
import { readQueries, readQueryFile } from './read-csv.ts';

test('reads pairs of query and id, with or without a line of column names', () => {
  const queries = [
    { text: 'moon, landing', right: ['a', 'b'], wrong: [] },
    { text: 'he said "go"', right: ['c'], wrong: [] },
  ];
  expect(readQueries('query,id\r\n"moon, landing",a\r\n"moon, landing",b\r\n"he said ""go""",c\r\n')).toEqual(
    {
      ok: true,
      queries,
    },
  );
  expect(readQueries('"moon, landing",a;b\n"he said ""go""",c')).toEqual({ ok: true, queries });
  expect(readQueries('moon\ta b\n')).toMatchObject({ queries: [{ text: 'moon', right: ['a', 'b'] }] });
});

test('a tab inside quotes is not a separator, and a tab after a quoted line break is one', () => {
  const read = (text: string) => readQueries(text) as { queries?: { text: string; right: string[] }[] };
  expect(read('"moon\tlanding",a\n').queries).toMatchObject([{ text: 'moon\tlanding', right: ['a'] }]);
  expect(read('"a ""big""\tmoon",a\n').queries).toMatchObject([{ text: 'a "big"\tmoon', right: ['a'] }]);
  expect(read('"moon\nlanding"\ta\n').queries).toMatchObject([{ text: 'moon\nlanding', right: ['a'] }]);
  expect(read('say ""hi""\ta\n').queries).toMatchObject([{ text: 'say ""hi""', right: ['a'] }]);
  expect(read('5" disk, old\ta\n').queries).toMatchObject([{ text: '5" disk, old', right: ['a'] }]);
});

test('empty lines may come before the column names', () => {
  expect(readQueries('\uFEFF\r\nquery\tid\r\n\r\nmoon\ta\r\n')).toMatchObject({
    queries: [{ text: 'moon', right: ['a'] }],
  });
  expect(readQueries('\n,\nquery,id\nmoon,a\n')).toMatchObject({ queries: [{ text: 'moon' }] });
});

test('a lone carriage return, as old spreadsheets write it, ends a line', () => {
  expect(readQueries('query,id\rmoon,a\rsun,b\r')).toEqual({
    ok: true,
    queries: [
      { text: 'moon', right: ['a'], wrong: [] },
      { text: 'sun', right: ['b'], wrong: [] },
    ],
  });
});

test.each([
  ['', 'no queries'],
  ['query,id\n', 'no queries'],
  ['moon,\n', 'Line 1 has no id'],
  [',a\n', 'Line 1 has no query'],
  ['"moon,a\n', 'never closed'],
  ['"moon\r\nand\rsun",a\n"x\ny",b\nmars,\n', 'Line 6 has no id'],
])('%j is refused, and the problem says: %s', (text, problem) => {
  expect(readQueries(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
});

test('a uuid in capitals is read in small letters, and an id that is no uuid stays as it is', () => {
  const uuid = '6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10';
  const read = readQueries(`moon,${uuid.toUpperCase()}\nmoon,${uuid}\nsun,KEY-1\n`);
  expect(read).toMatchObject({ queries: [{ right: [uuid] }, { right: ['KEY-1'] }] });
});

test('in a table whose keys are uuids, an id that is no uuid is a problem', () => {
  const uuid = '6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10';
  expect(readQueries(`moon,${uuid}\nfox,Red fox`, 'uuid')).toEqual({
    ok: false,
    problem: 'Line 2: “Red” is not a uuid',
  });
  expect(readQueries(`moon,${uuid}`, 'uuid').ok).toBe(true);
});

test('the problem names the file, if the file cannot be read or has a wrong line', async () => {
  const gone = { name: 'gone.csv', text: () => Promise.reject(new Error('NotReadableError')) };
  expect(await readQueryFile(gone)).toEqual({
    ok: false,
    problem: 'Could not read gone.csv. Check that the file exists and that you may read it.',
  });
  expect(await readQueryFile({ name: 'a.csv', text: async () => 'moon' })).toEqual({
    ok: false,
    problem: 'a.csv: Line 1 has no id for “moon”.',
  });
});
