import type { Json } from '@trestle/driver-kit';
import { AggregateRequestSchema, SearchRequestSchema, toJson } from '@trestle/weaviate-connect';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import type { Collection, Property } from '../schema.ts';
import { convert } from './convert/convert.ts';
import { translate } from './translate.ts';

const property = (name: string, elementType: Property['elementType'], references: string[] = []) =>
  ({ name, elementType, nativeType: elementType, references, nested: [] }) as unknown as Property;

const collections = [
  {
    name: 'Book',
    properties: [
      property('title', 'text'),
      property('pages', 'int'),
      property('code', 'uuid'),
      property('by', 'reference', ['Person']),
      property('made', 'reference', ['Person', 'Firm']),
    ],
    definition: {},
  },
  {
    name: 'Person',
    properties: [property('name', 'text'), property('made', 'reference', ['Book', 'Firm'])],
    definition: {},
  },
  { name: 'Firm', properties: [property('label', 'text')], definition: {} },
] as unknown as Collection[];

const requestsOf = (query: string, variables?: Json) =>
  translate({ document: parse(query), variables }, collections).fields.map(({ plan }) =>
    plan.method === 'Search'
      ? toJson(SearchRequestSchema, plan.request)
      : toJson(AggregateRequestSchema, plan.request),
  );

test('the defaults of GraphQL are written out: Connect has others', () => {
  expect(requestsOf('{ Get { Book(hybrid: {query: "x"}) { title } } }')).toEqual([
    {
      collection: 'Book',
      limit: 100,
      hybridSearch: {
        query: 'x',
        useAlphaParam: true,
        alphaParam: 0.75,
        fusionType: 'FUSION_TYPE_RELATIVE_SCORE',
      },
      metadata: {},
      properties: { nonRefProperties: ['title'] },
      uses127Api: true,
    },
  ]);
});

test('a sort has its direction, and a reference its target collection', () => {
  expect(
    requestsOf(
      '{ Get { Book(limit: 1, sort: {path: "title", order: asc}) { by { ... on Person { name } } } } }',
    ),
  ).toEqual([
    {
      collection: 'Book',
      limit: 1,
      sortBy: [{ ascending: true, path: ['title'] }],
      metadata: {},
      properties: {
        refProperties: [
          {
            referenceProperty: 'by',
            targetCollection: 'Person',
            metadata: {},
            properties: { nonRefProperties: ['name'] },
          },
        ],
      },
      uses127Api: true,
    },
  ]);
});

test('a directive leaves a field out of the request', () => {
  const query = 'query ($on: Boolean!) { Get { Book(limit: 1) { title pages @include(if: $on) } } }';
  const selected = (on: boolean) =>
    (requestsOf(query, { on })[0] as { properties: { nonRefProperties: string[] } }).properties
      .nonRefProperties;
  expect([selected(true), selected(false)]).toEqual([['title', 'pages'], ['title']]);
});

/** Connect ignores all that it does not know. So the translation must not drop or guess anything. */
test.each([
  ['{ Get { Book(wher: {}) { title } } }', '"wher"'],
  [
    '{ Get { Book(where: {path: "title", operator: Equal, valueText: "a", valeInt: 1}) { title } } }',
    'valeInt',
  ],
  ['{ Get { Book(where: {path: "title", operator: Equal}) { title } } }', 'exactly one value'],
  ['{ Get { Book(where: {path: "title", operator: Equl, valueText: "a"}) { title } } }', 'Equl'],
  [
    '{ Get { Book(where: {path: "title", operator: Equal, valueText: ["a", "b"]}) { title } } }',
    'takes one value',
  ],
  ['{ Get { Book(where: {operator: And, operands: []}) { title } } }', 'need operands'],
  [
    '{ Get { Book(where: {path: ["by", "Firm", "label"], operator: Equal, valueText: "a"}) { title } } }',
    'leads nowhere',
  ],
  ['{ Get { Book(limit: 1, limit: 9) { title } } }', '"limit" stands twice'],
  ['{ Get { Book(limit: -1) { title } } }', '"limit"'],
  ['{ Get { Book(bm25: {query: "a", properties: ["title"], property: "x"}) { title } } }', '"property"'],
  ['{ Get { Book(bm25: {query: "a"}, nearText: {concepts: ["a"]}) { title } } }', 'one search'],
  ['{ Get { Book(nearText: {concepts: []}) { title } } }', 'concepts'],
  ['{ Get { Book(nearVector: {vector: []}) { title } } }', 'A vector is a list of numbers'],
  ['{ Get { Book(nearVector: {vector: [1], distance: 1, certainty: 1}) { title } } }', 'not both'],
  ['{ Get { Book(hybrid: {query: "a", alpha: 1.5}) { title } } }', 'from 0 to 1'],
  ['{ Get { Book(hybrid: {query: "a", fusionType: rankedFusionn}) { title } } }', 'rankedFusionn'],
  ['{ Get { Book(sort: {path: "title", order: up}) { title } } }', 'asc or desc'],
  [
    '{ Get { Book(nearText: {concepts: "a"}, groupBy: {path: "title", groups: 1}) { title } } }',
    'objectsPerGroup',
  ],
  ['{ Get { Book { titel } } }', 'no property "titel"'],
  ['{ Get { Book { title(x: 1) } } }', '"x"'],
  ['{ Get { Book { by { name } } } }', 'is a reference'],
  ['{ Get { Book { by { ... on Firm { label } } } } }', 'does not point to Firm'],
  ['{ Get { Book { a: title a: pages } } }', '"a" stands for two different fields'],
  ['{ Get { book { title } } }', 'book'],
  [
    '{ Get { Book { made { ... on Person { made { ... on Book { title } ... on Firm { label } } } } } } }',
    'inside the reference',
  ],
  [
    '{ Get { Book { by { ... on Person { name } } again: by { ... on Person { name } } } } }',
    'selected twice',
  ],
  ['{ Aggregate { Book(bm25: {query: "a"}) { meta { count } } } }', '"bm25"'],
  ['{ Aggregate { Book(groupBy: ["titel"]) { meta { count } } } }', 'no property "titel"'],
  ['{ Aggregate { Book { pages { topOccurrences { value } } } } }', 'topOccurrences'],
  ['{ Aggregate { Book { code { count } } } }', 'its type is uuid'],
  ['query ($n: Int!) { Get { Book(limit: $n) { title } } }', '$n has no value'],
])('%s is refused before anything is sent', (query, named) => {
  expect(() => requestsOf(query)).toThrow(named);
});

test('a key called __proto__ stays a key', () => {
  const translation = translate(
    { document: parse('{ __proto__: Get { __proto__: Book(limit: 1) { __proto__: title } } }') },
    collections,
  );
  expect(translation.fields.map(({ root, key }) => [root, key])).toEqual([['__proto__', '__proto__']]);
});

test('a query is shown as Connect, Python and TypeScript', () => {
  const query =
    '{ Get { Book(limit: 2, where: {path: "pages", operator: GreaterThan, valueInt: 9}, nearText: {concepts: "sea"}) { title _additional { distance } } } }';
  const place = { host: 'db.example', port: 443, secure: true, hasKey: true, headers: ['X-Openai-Api-Key'] };
  const codes = convert(translate({ document: parse(query) }, collections), place);
  expect(codes.map(({ label, language }) => [label, language])).toEqual([
    ['Connect', 'http'],
    ['Python', 'python'],
    ['TypeScript', 'typescript'],
  ]);
  const [connect = '', python = '', typescript = ''] = codes.map(({ text }) => text);
  expect(connect).toMatch(/^POST \/grpc-web\/weaviate\.v1\.Weaviate\/Search\n\{/);
  expect(python).toContain(
    [
      '    found = collection.query.near_text(',
      '        query=["sea"],',
      '        filters=Filter.by_property("pages").greater_than(9),',
      '        limit=2,',
      '        return_metadata=MetadataQuery(distance=True),',
      '        return_properties=["title"],',
      '    )',
    ].join('\n'),
  );
  expect(python).toContain('auth_credentials=Auth.api_key(os.environ["WEAVIATE_API_KEY"])');
  expect(typescript).toContain(
    [
      'const found = await collection.query.nearText(["sea"], {',
      '  filters: collection.filter.byProperty("pages").greaterThan(9),',
      '  limit: 2,',
      '  returnMetadata: ["distance"],',
      '  returnProperties: ["title"],',
      '});',
    ].join('\n'),
  );
});
