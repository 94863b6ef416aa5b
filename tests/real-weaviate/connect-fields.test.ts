import { randomUUID } from 'node:crypto';
import {
  AggregateReplySchema,
  AggregateRequestSchema,
  connectPath,
  fromBinary,
  fromJson,
  type JsonValue,
  SearchReplySchema,
  SearchRequestSchema,
  toBinary,
  toJson,
} from '@trestle/weaviate-connect';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newestWeaviate } from '../../scripts/weaviate/versions.ts';
import { rest } from './servers.ts';

const server = inject('weaviateServers').find(({ version }) => version === newestWeaviate);
const table = `Fields${randomUUID().slice(0, 8)}`;
const [other, tenants] = [`${table}Other`, `${table}Tenants`];
const id = (number: number) => `66666666-6666-4666-8666-00000000000${number}`;

type Json = { [key: string]: JsonValue };

/**
 * The server ignores a field that it does not know. So each field that the driver sends must change the answer, or the
 * server did not understand it.
 */
describe.skipIf(!server)('each field of a Connect request changes the answer', () => {
  const port = server?.port ?? 1;

  beforeAll(async () => {
    const text = { dataType: ['text'] };
    await rest(port, 'POST', '/schema', { class: other, properties: [{ name: 'name', ...text }] });
    const flat = { vectorizer: { none: {} }, vectorIndexType: 'flat' };
    const made = {
      vectorizer: { 'text2vec-transformers': { properties: ['title'], vectorizeClassName: false } },
      vectorIndexType: 'flat',
    };
    await rest(port, 'POST', '/schema', {
      class: table,
      vectorConfig: { a: flat, b: flat, text: made },
      invertedIndexConfig: { indexNullState: true, indexTimestamps: true, indexPropertyLength: true },
      properties: [
        { name: 'title', ...text },
        { name: 'note', ...text },
        { name: 'kind', ...text, tokenization: 'field' },
        { name: 'n', dataType: ['int'] },
        {
          name: 'place',
          dataType: ['object'],
          nestedProperties: [
            { name: 'city', ...text },
            { name: 'code', ...text },
          ],
        },
        { name: 'link', dataType: [other, table] },
      ],
    });
    await rest(port, 'POST', '/schema', {
      class: tenants,
      vectorizer: 'none',
      multiTenancyConfig: { enabled: true },
      properties: [{ name: 'title', ...text }],
    });
    await rest(port, 'POST', `/schema/${tenants}/tenants`, [{ name: 'one' }, { name: 'two' }]);
    await rest(port, 'POST', '/objects', { class: tenants, tenant: 'one', properties: { title: 'in one' } });
    await rest(port, 'POST', '/objects', { class: other, id: id(9), properties: { name: 'target' } });
    const titles = ['moon river', 'moon', 'river moon moon', 'stone', 'moon rocket river'];
    for (const [number, title] of titles.entries()) {
      const link = [
        { beacon: `weaviate://localhost/${other}/${id(9)}` },
        ...(number > 0 ? [{ beacon: `weaviate://localhost/${table}/${id(0)}` }] : []),
      ];
      const note = ['river', 'stone', 'moon moon moon', 'moon', 'none'][number];
      const place = { city: `c${number}`, code: `k${number}` };
      const properties = { title, note, kind: number % 2 ? 'odd' : 'even', n: number, place, link };
      const vectors = { a: [number, 1], b: [1, number * number] };
      await rest(port, 'POST', '/objects', { class: table, id: id(number), properties, vectors });
    }
  });
  afterAll(async () => {
    for (const name of [table, other, tenants]) await rest(port, 'DELETE', `/schema/${name}`);
  });

  /** The answer without the time that it took. A refusal is an answer too. */
  async function send(method: 'Search' | 'Aggregate', json: Json): Promise<unknown> {
    const isSearch = method === 'Search';
    const body = isSearch
      ? toBinary(SearchRequestSchema, fromJson(SearchRequestSchema, json))
      : toBinary(AggregateRequestSchema, fromJson(AggregateRequestSchema, json));
    const headers = { 'content-type': 'application/proto', 'connect-protocol-version': '1' };
    const address = `http://127.0.0.1:${port}${connectPath(method)}`;
    const answer = await fetch(address, { method: 'POST', headers, body: Buffer.from(body) });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status !== 200) return Buffer.from(bytes).toString('utf8');
    if (!isSearch)
      return { ...(toJson(AggregateReplySchema, fromBinary(AggregateReplySchema, bytes)) as Json), took: 0 };
    return { ...(toJson(SearchReplySchema, fromBinary(SearchReplySchema, bytes)) as Json), took: 0 };
  }

  const base: Json = {
    collection: table,
    uses127Api: true,
    limit: 10,
    metadata: { uuid: true },
    properties: {},
  };
  const floats = (...numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString('base64');
  const vector = (...numbers: number[]) => ({
    vectorBytes: floats(...numbers),
    type: 'VECTOR_TYPE_SINGLE_FP32',
  });
  const a = { targetVectors: ['a'] };
  const clause = { operator: 'OPERATOR_EQUAL', target: { property: 'kind' }, valueText: 'odd' };
  const near: Json = { vectors: [vector(3, 1)], targets: a };
  const measured: Json = { ...base, metadata: { uuid: true, distance: true } };
  const scored: Json = { ...base, metadata: { uuid: true, score: true } };
  const both = ['a', 'b'].map((name) => ({ name, vectors: [vector(3, 1)] }));
  const joined = (method: string, weights: number[] = []): Json => ({
    targetVectors: ['a', 'b'],
    combination: `COMBINATION_METHOD_${method}`,
    weightsForTargets: weights.map((weight, index) => ({ target: ['a', 'b'][index]!, weight })),
  });
  const ofBoth = (method: string, weights?: number[]): Json => ({
    ...measured,
    nearVector: { vectorForTargets: both, targets: joined(method, weights) },
  });
  const bm25 = (more: Json): Json => ({ ...scored, bm25Search: { query: 'moon river', ...more } });
  const hybrid = (more: Json): Json => ({
    ...scored,
    hybridSearch: {
      query: 'moon river',
      useAlphaParam: true,
      alphaParam: 0.5,
      fusionType: 'FUSION_TYPE_RELATIVE_SCORE',
      vectors: [vector(3, 1)],
      targets: a,
      ...more,
    },
  });

  test.each<[string, Json, Json]>([
    ['collection', base, { ...base, collection: other }],
    [
      'tenant',
      { ...base, collection: tenants, tenant: 'one' },
      { ...base, collection: tenants, tenant: 'two' },
    ],
    ['limit', base, { ...base, limit: 2 }],
    ['offset', base, { ...base, offset: 2 }],
    ['metadata.uuid', base, { ...base, metadata: {} }],
    ['metadata.lastUpdateTimeUnix', base, { ...base, metadata: { uuid: true, lastUpdateTimeUnix: true } }],
    ['metadata.vectors', base, { ...base, metadata: { uuid: true, vectors: ['a'] } }],
    ['metadata.vector', base, { ...base, metadata: { uuid: true, vector: true } }],
    ['metadata.distance', { ...base, nearVector: near }, { ...measured, nearVector: near }],
    ['metadata.score', { ...base, bm25Search: { query: 'moon' } }, bm25({ query: 'moon' })],
    [
      'metadata.explainScore',
      bm25({ query: 'moon' }),
      { ...bm25({ query: 'moon' }), metadata: { uuid: true, score: true, explainScore: true } },
    ],
    ['nonRefProperties', base, { ...base, properties: { nonRefProperties: ['title'] } }],
    [
      'objectProperties',
      base,
      { ...base, properties: { objectProperties: [{ propName: 'place', primitiveProperties: ['city'] }] } },
    ],
    [
      'primitiveProperties',
      { ...base, properties: { objectProperties: [{ propName: 'place', primitiveProperties: ['city'] }] } },
      { ...base, properties: { objectProperties: [{ propName: 'place', primitiveProperties: ['code'] }] } },
    ],
    ['refProperties and targetCollection', linked(other), linked(table)],
    ['sortBy.path', sorted('title', true), sorted('n', true)],
    ['sortBy.ascending', sorted('n', true), sorted('n', false)],
    ['filters', base, { ...base, filters: clause }],
    [
      'filters.operator',
      { ...base, filters: clause },
      { ...base, filters: { ...clause, operator: 'OPERATOR_NOT_EQUAL' } },
    ],
    [
      'filters.target',
      { ...base, filters: clause },
      { ...base, filters: { ...clause, target: { property: 'note' } } },
    ],
    ['valueText', { ...base, filters: clause }, { ...base, filters: { ...clause, valueText: 'even' } }],
    ['valueInt', { ...base, filters: int('1') }, { ...base, filters: int('2') }],
    [
      'filters.filters (And)',
      { ...base, filters: int('1') },
      { ...base, filters: group('AND', int('1'), int('2')) },
    ],
    [
      'filters.filters (Or)',
      { ...base, filters: int('1') },
      { ...base, filters: group('OR', int('1'), int('2')) },
    ],
    ['filters.filters (Not)', { ...base, filters: int('1') }, { ...base, filters: group('NOT', int('1')) }],
    ['filters.on', { ...base, filters: overLink('target') }, { ...base, filters: overLink('nothing') }],
    [
      'valueTextArray',
      { ...base, filters: any('kind', 'odd') },
      { ...base, filters: any('kind', 'odd', 'even') },
    ],
    ['valueBoolean', { ...base, filters: isNull(true) }, { ...base, filters: isNull(false) }],
    [
      'nearVector.vectors',
      { ...measured, nearVector: near },
      { ...measured, nearVector: { ...near, vectors: [vector(0, 1)] } },
    ],
    [
      'nearVector.targets',
      { ...measured, nearVector: near },
      { ...measured, nearVector: { ...near, targets: { targetVectors: ['b'] } } },
    ],
    [
      'nearVector.distance',
      { ...measured, nearVector: near },
      { ...measured, nearVector: { ...near, distance: 0.01 } },
    ],
    ['autocut', { ...measured, nearVector: near }, { ...measured, nearVector: near, autocut: 1 }],
    ['combination MIN and SUM', ofBoth('TYPE_MIN'), ofBoth('TYPE_SUM')],
    ['combination AVERAGE', ofBoth('TYPE_SUM'), ofBoth('TYPE_AVERAGE')],
    ['combination MANUAL', ofBoth('TYPE_SUM'), ofBoth('TYPE_MANUAL', [0.9, 0.2])],
    [
      'combination RELATIVE_SCORE',
      ofBoth('TYPE_MANUAL', [0.9, 0.2]),
      ofBoth('TYPE_RELATIVE_SCORE', [0.9, 0.2]),
    ],
    ['weightsForTargets', ofBoth('TYPE_MANUAL', [0.9, 0.2]), ofBoth('TYPE_MANUAL', [0.2, 0.9])],
    [
      'vectorForTargets',
      ofBoth('TYPE_SUM'),
      {
        ...measured,
        nearVector: {
          vectorForTargets: [both[0]!, { name: 'b', vectors: [vector(0, 1)] }],
          targets: joined('TYPE_SUM'),
        },
      },
    ],
    [
      'nearObject.id',
      { ...measured, nearObject: { id: id(0), targets: a } },
      { ...measured, nearObject: { id: id(4), targets: a } },
    ],
    [
      'nearObject.targets',
      { ...measured, nearObject: { id: id(3), targets: a } },
      { ...measured, nearObject: { id: id(3), targets: { targetVectors: ['b'] } } },
    ],
    ['nearText.query', nearText('moon'), nearText('stone')],
    ['bm25Search.query', bm25({}), bm25({ query: 'stone' })],
    ['bm25Search.properties', bm25({}), bm25({ properties: ['title'] })],
    [
      'a weight in properties',
      bm25({ properties: ['title', 'note'] }),
      bm25({ properties: ['title^3', 'note'] }),
    ],
    [
      'searchOperator',
      bm25({ properties: ['title'] }),
      bm25({ properties: ['title'], searchOperator: { operator: 'OPERATOR_AND' } }),
    ],
    ['hybridSearch.query', hybrid({}), hybrid({ query: 'stone' })],
    ['hybridSearch.alphaParam', hybrid({}), hybrid({ alphaParam: 0.9 })],
    ['hybridSearch.useAlphaParam', hybrid({}), hybrid({ useAlphaParam: false })],
    ['hybridSearch.fusionType', hybrid({}), hybrid({ fusionType: 'FUSION_TYPE_RANKED' })],
    ['hybridSearch.vectors', hybrid({}), hybrid({ vectors: [vector(0, 1)] })],
    ['hybridSearch.targets', hybrid({}), hybrid({ targets: { targetVectors: ['b'] } })],
    ['hybridSearch.properties', hybrid({}), hybrid({ properties: ['note'] })],
    [
      'hybridSearch.vectorDistance',
      hybrid({ alphaParam: 1 }),
      hybrid({ alphaParam: 1, vectorDistance: 0.01 }),
    ],
    [
      'hybridSearch.bm25SearchOperator',
      hybrid({ alphaParam: 0 }),
      hybrid({ alphaParam: 0, bm25SearchOperator: { operator: 'OPERATOR_AND' } }),
    ],
    ['groupBy.path', grouped('kind', 2, 2), grouped('n', 2, 2)],
    ['groupBy.numberOfGroups', grouped('n', 2, 2), grouped('n', 3, 2)],
    ['groupBy.objectsPerGroup', grouped('kind', 2, 1), grouped('kind', 2, 2)],
    // The collection has no module for it, which the server says.
    [
      'rerank',
      { ...measured, nearVector: near },
      { ...measured, nearVector: near, rerank: { property: 'title', query: 'x' } },
    ],
  ])('Search: %s', async (_field, one, another) => {
    expect(await send('Search', one)).not.toEqual(await send('Search', another));
  });

  test.each<[string, Json, Json]>([
    ['objectsCount', { collection: table }, { collection: table, objectsCount: true }],
    ['collection', { collection: table, objectsCount: true }, { collection: other, objectsCount: true }],
    [
      'filters',
      { collection: table, objectsCount: true },
      { collection: table, objectsCount: true, filters: clause },
    ],
    [
      'tenant',
      { collection: tenants, objectsCount: true, tenant: 'one' },
      { collection: tenants, objectsCount: true, tenant: 'two' },
    ],
  ])('Aggregate: %s', async (_field, one, another) => {
    expect(await send('Aggregate', one)).not.toEqual(await send('Aggregate', another));
  });

  // Without the field, a newer server ignores generative search. The driver sends none yet, so nothing else changes.
  test('uses127Api changes nothing that the driver reads', async () => {
    expect(await send('Search', sorted('n', true))).toEqual(
      await send('Search', { ...sorted('n', true), uses127Api: false }),
    );
  });

  function linked(target: string): Json {
    const reference = {
      referenceProperty: 'link',
      targetCollection: target,
      metadata: { uuid: true },
      properties: {},
    };
    return { ...base, properties: { refProperties: [reference] } };
  }

  function sorted(property: string, ascending: boolean): Json {
    return { ...base, sortBy: [{ path: [property], ascending }] };
  }

  function int(value: string): Json {
    return { operator: 'OPERATOR_EQUAL', target: { property: 'n' }, valueInt: value };
  }

  function group(operator: string, ...filters: Json[]): Json {
    return { operator: `OPERATOR_${operator}`, filters };
  }

  function overLink(name: string): Json {
    return { operator: 'OPERATOR_EQUAL', on: ['link', other, 'name'], valueText: name };
  }

  function any(property: string, ...values: string[]): Json {
    return { operator: 'OPERATOR_CONTAINS_ANY', target: { property }, valueTextArray: { values } };
  }

  function isNull(value: boolean): Json {
    return { operator: 'OPERATOR_IS_NULL', target: { property: 'note' }, valueBoolean: value };
  }

  function nearText(text: string): Json {
    return { ...measured, nearText: { query: [text], targets: { targetVectors: ['text'] } } };
  }

  function grouped(property: string, numberOfGroups: number, objectsPerGroup: number): Json {
    return { ...measured, nearVector: near, groupBy: { path: [property], numberOfGroups, objectsPerGroup } };
  }
});
