import type { Json } from '@trestle/driver-kit';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { assertLineEnds, assertSearchEnds } from './endless-search.ts';
import { readRestLine } from './rest-line.ts';
import type { Collection } from './schema.ts';

const collections = [
  { name: 'Flat', definition: { vectorIndexType: 'flat' } },
  { name: 'Dynamic', definition: { vectorIndexType: 'dynamic' } },
  { name: 'Named', definition: { vectorConfig: { v: { vectorIndexType: 'FLAT' } } } },
  { name: 'Fresh', definition: { vectorIndexType: 'hfresh' } },
  {
    name: 'Mixed',
    definition: { vectorConfig: { a: { vectorIndexType: 'hnsw' }, b: { vectorIndexType: 'new' } } },
  },
  { name: 'Default', definition: { vectorIndexType: '', vectorConfig: { v: {} } } },
  { name: 'Tree', definition: { vectorIndexType: 'hnsw' } },
] as unknown as Collection[];

const judge = (text: string, variables?: Json) =>
  assertSearchEnds(
    { document: parse(text), ...(variables !== undefined && { variables }) },
    async () => collections,
  );

const near = 'nearVector: {vector: [1], distance: 1}';
const count = '{ meta { count } }';

test.each([
  `{ Aggregate { Flat(${near}) ${count} } }`,
  `{ Aggregate { flat(nearObject: {id: "x", certainty: 0.1}) ${count} } }`,
  `{ Aggregate { a: Dynamic(nearText: {concepts: ["a"], distance: 1}) ${count} } }`,
  `{ Aggregate { Named(${near}, limit: 3) ${count} } }`,
  `{ Aggregate { Fresh(${near}) ${count} } }`,
  `{ Aggregate { Mixed(${near}) ${count} } }`,
  `{ Aggregate { AnAlias(${near}) ${count} } }`,
  `{ Aggregate { Flat(${near}, objectLimit: 0) ${count} } }`,
  `{ Aggregate { Flat(${near}, objectLimit: -1) ${count} } }`,
  `{ Aggregate { Flat(${near}, objectLimit: null) ${count} } }`,
  `query($n: Int) { Aggregate { Flat(${near}, objectLimit: $n) ${count} } }`,
  `query($n: Any) { Aggregate { Flat(nearVector: $n) ${count} } }`,
  `{ ...a } fragment a on Root { Aggregate { ...b } } fragment b on Agg { Flat(${near}) ${count} }`,
  `{ Aggregate { ... on Agg @include(if: true) { Flat(${near}) ${count} } } }`,
  `{ Aggregate { Flat(hybrid: {query: "a", searches: [{${near}}]}) ${count} } }`,
  `{ Tree: Aggregate { Tree(${near}) ${count} Flat(${near}) ${count} } }`,
  `query($n: Int = 0) { Aggregate { Flat(${near}, objectLimit: $n) ${count} } }`,
])('an Aggregate that would never end is refused: %s', async (text) => {
  await expect(judge(text)).rejects.toMatchObject({ code: 'refused' });
});

test.each([
  `{ Aggregate { Flat ${count} } }`,
  `{ Aggregate { Flat(${near}, objectLimit: 10) ${count} } }`,
  `{ Aggregate { Tree(${near}) ${count} } }`,
  `{ Aggregate { Default(${near}) ${count} } }`,
  `{ Aggregate { Flat(hybrid: {query: "a"}) ${count} } }`,
  `{ Get { Flat(${near}) { _additional { id } } } }`,
  `query($w: Any) { Aggregate { Flat(where: $w) ${count} } }`,
])('any other query is not refused: %s', async (text) => {
  await expect(judge(text)).resolves.toBeUndefined();
});

test.each([
  `{ Aggregate { Tree(${near}, objectLimit: 100001) ${count} } }`,
  `{ Aggregate { Flat(${near}, objectLimit: 2147483647) ${count} } }`,
  `{ Aggregate { Tree(hybrid: {query: "a"}, objectLimit: 2147483647) ${count} } }`,
  `{ Aggregate { Tree(objectLimit: 4294967296) ${count} } }`,
  `{ Aggregate { Tree(${near}, objectLimit: 1e9) ${count} } }`,
  `{ Aggregate { Tree(${near}, objectLimit: [2147483647]) ${count} } }`,
  `{ Aggregate { Tree(${near}, objectLimit: 5, objectLimit: 2147483647) ${count} } }`,
  `query($n: Int = 2147483647) { Aggregate { Tree(${near}, objectLimit: $n) ${count} } }`,
  `query { ...a } fragment a on Root { Aggregate { x: Tree(${near}, objectLimit: 2147483647) ${count} } }`,
])('an Aggregate for which the server would reserve too much memory is refused: %s', async (text) => {
  await expect(judge(text)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('at most 100,000'),
  });
});

test.each([2147483647, '2147483647', 0.5, true, [2147483647]])(
  'so is one with the limit %j in a variable',
  async (n) => {
    const text = `query($n: Int) { Aggregate { Tree(${near}, objectLimit: $n) ${count} } }`;
    await expect(judge(text, { n })).rejects.toMatchObject({ code: 'refused' });
  },
);

test.each<[string, Json, boolean]>([
  ['Flat', { nearVector: { distance: 1 } }, false],
  ['AnAlias', { nearText: { query: ['a'] } }, false],
  ['Flat', { hybrid: { nearVector: { distance: 1 } } }, false],
  ['Tree', { hybrid: { query: 'a' }, objectLimit: 4294967295 }, false],
  ['Flat', { nearVector: { distance: 1 }, objectLimit: 10 }, true],
  ['Flat', { objectsCount: true }, true],
  ['Tree', { nearVector: { distance: 1 } }, true],
])('a line that calls Connect is judged alike: %s %j', async (collection, more, isFit) => {
  const body = JSON.stringify({ collection, ...(more as object) });
  const line = readRestLine(`POST /grpc-web/weaviate.v1.Weaviate/Aggregate ${body}`)!;
  const judged = assertLineEnds(line, async () => collections);
  if (isFit) await expect(judged).resolves.toBeUndefined();
  else await expect(judged).rejects.toMatchObject({ code: 'refused' });
});

test('a limit in a variable counts', async () => {
  const text = `query($n: Int) { Aggregate { Flat(${near}, objectLimit: $n) ${count} } }`;
  await expect(judge(text, { n: 5 })).resolves.toBeUndefined();
  await expect(judge(text, { N: 5 })).rejects.toMatchObject({ code: 'refused' });
});
