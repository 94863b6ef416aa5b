import { expect, test } from 'vitest';
import { memberNote, queryHelp } from './query-notes.ts';
import { readCollections } from './schema.ts';

test('the help shows how a GraphQL query filters, searches, counts and selects members', async () => {
  const text = (name: string) => ({ name, dataType: ['text'] });
  const answer = {
    classes: [
      {
        class: 'Place',
        properties: [
          text('title'),
          { name: 'tags', dataType: ['text[]'] },
          { name: 'year', dataType: ['int'] },
          { name: 'blank', dataType: ['number'], indexFilterable: false },
          { name: 'depth', dataType: ['number'], indexFilterable: false, indexRangeFilters: true },
          { name: 'at', dataType: ['geoCoordinates'] },
          { name: 'owner', dataType: ['object'], nestedProperties: [text('name')] },
          { name: 'near', dataType: ['Place'] },
        ],
        vectorConfig: { sense: { vectorizer: { 'text2vec-x': {} } } },
        multiTenancyConfig: { enabled: true },
      },
    ],
  };
  const client = { json: async () => answer } as unknown as Parameters<typeof readCollections>[0];
  const [collection] = await readCollections(client, new AbortController().signal);
  const help = queryHelp({ collection: collection!, hasNot: false, hasSearchOperator: false });
  expect([...help.slice(-3), ...memberNote(collection!)]).toEqual([
    'A filter in GraphQL: where: {path: ["property"], operator: Equal, valueText: "…"}. The value goes into valueText for title, tags; valueInt for year; valueNumber for depth; valueText for id. Operators: Equal, NotEqual, GreaterThan, GreaterThanEqual, LessThan, LessThanEqual, Like (text, with * as a wildcard), ContainsAny, ContainsAll; And and Or take operands: [{…}, {…}].',
    'A GraphQL search is an argument: nearText: {concepts: ["…"], targetVectors: ["sense"]} or nearObject: {id: "…", targetVectors: ["sense"]} or bm25: {query: "…"} or hybrid: {query: "…", alpha: 0.75, targetVectors: ["sense"]}. Select _additional { distance } for a near search, _additional { score } for the others.',
    'A count: { Aggregate { Place(tenant: "<tenant>") { meta { count } } } }.',
    'In GraphQL, select members: at { latitude longitude } owner { name } near { ... on Place { __typename _additional { id } } }',
  ]);
});

test.each([
  [
    { image: 'img2vec-neural', words: 'text2vec-x' },
    'nearText: {concepts: ["…"], targetVectors: ["words"]} or nearObject: {id: "…", targetVectors: ["image"]} or bm25: {query: "…"} or hybrid: {query: "…", alpha: 0.75, targetVectors: ["words"]}.',
  ],
  [
    { image: 'img2vec-neural' },
    'nearObject: {id: "…", targetVectors: ["image"]} or bm25: {query: "…"} or hybrid: {query: "…", alpha: 0.75, vector: […], targetVectors: ["image"]}.',
  ],
])(
  'nearText and hybrid name a vector that is made from text; if there is none, hybrid shows a vector argument: %j',
  async (modules, searches) => {
    const spaces = Object.entries(modules).map(([name, module]) => [name, { vectorizer: { [module]: {} } }]);
    const properties = [{ name: 'title', dataType: ['text'] }];
    const answer = { classes: [{ class: 'Place', properties, vectorConfig: Object.fromEntries(spaces) }] };
    const client = { json: async () => answer } as unknown as Parameters<typeof readCollections>[0];
    const [collection] = await readCollections(client, new AbortController().signal);
    const help = queryHelp({ collection: collection!, hasNot: true, hasSearchOperator: true });
    expect(help.at(-2)).toContain(`A GraphQL search is an argument: ${searches}`);
  },
);
