import { expect, test } from 'vitest';
import {
  AggregateRequestSchema,
  create,
  Filters_Operator,
  fromBinary,
  fromJson,
  type JsonValue,
  SearchReplySchema,
  SearchRequestSchema,
  toBinary,
  toJson,
} from './index.ts';

const request = create(SearchRequestSchema, {
  collection: 'Target',
  limit: 3,
  uses127Api: true,
  metadata: { uuid: true },
  properties: {},
  filters: {
    operator: Filters_Operator.GREATER_THAN,
    target: { target: { case: 'property', value: 'n' } },
    testValue: { case: 'valueInt', value: 9007199254740993n },
  },
});

test('a request is shown in the JSON that the server takes, with full names and exact integers', () => {
  expect(toJson(SearchRequestSchema, request)).toEqual({
    collection: 'Target',
    limit: 3,
    uses127Api: true,
    metadata: { uuid: true },
    properties: {},
    filters: {
      operator: 'OPERATOR_GREATER_THAN',
      target: { property: 'n' },
      valueInt: '9007199254740993',
    },
  });
});

test('the binary form has the field numbers of Weaviate', () => {
  const bytes = toBinary(SearchRequestSchema, create(SearchRequestSchema, { collection: 'A', limit: 2 }));
  // Field 1 as text "A", field 30 as number 2.
  expect(Buffer.from(bytes).toString('hex')).toBe('0a0141f00102');
  expect(fromBinary(SearchRequestSchema, toBinary(SearchRequestSchema, request))).toEqual(request);
});

test.each<[string, JsonValue]>([
  ['a misspelt key', { collection: 'A', filter: {} }],
  ['a misspelt key inside', { collection: 'A', filters: { operators: 'OPERATOR_AND' } }],
  ['an unknown name of an enum', { collection: 'A', filters: { operator: 'And' } }],
  ['two members of one choice', { collection: 'A', filters: { valueInt: '1', valueText: 'a' } }],
  ['another type', { collection: 'A', limit: 'many' }],
])('%s is refused, although the server ignores most of them', (_kind, json) => {
  expect(() => fromJson(SearchRequestSchema, json)).toThrow();
});

test('a search that only the other method knows is refused', () => {
  expect(() => fromJson(AggregateRequestSchema, { collection: 'A', bm25Search: { query: 'x' } })).toThrow();
});

test('fields of a newer server in an answer do not disturb', () => {
  const newer = Buffer.from('0d0000803f' + 'c23e0141', 'hex');
  expect(fromBinary(SearchReplySchema, newer)).toMatchObject({ took: 1, results: [] });
});
