import { buildSchema, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { editorSdl } from './editor-sdl.ts';
import { readCollections } from './schema.ts';
import { translated } from './testing/graphql-queries.ts';
import { worldCollections } from './testing/world-collections.ts';

const client = { json: async () => ({ classes: worldCollections }) } as never;
const sdl = async () => editorSdl(await readCollections(client, new AbortController().signal));

test('lint finds nothing wrong in a query that the server runs', async () => {
  const schema = buildSchema(await sdl());
  const wrong = translated.flatMap(({ query }) =>
    validate(schema, parse(query)).map(({ message }) => `${query}: ${message}`),
  );
  expect(wrong).toEqual([]);
});

test.each([
  ['{ Get { Article { titel } } }', 'titel'],
  ['{ Get { Article(wher: {}) { title } } }', 'wher'],
  ['{ Get { Article(where: {operator: Equl}) { title } } }', 'Equl'],
  ['{ Get { Nothing { title } } }', 'Nothing'],
  ['{ Aggregate { Article { pic { count } } } }', 'pic'],
])('lint names the mistake in %s', async (query, named) => {
  const [first] = validate(buildSchema(await sdl()), parse(query));
  expect(first?.message).toContain(named);
});

test('a server without collections has no schema', () => {
  expect(editorSdl([])).toBe('');
});
