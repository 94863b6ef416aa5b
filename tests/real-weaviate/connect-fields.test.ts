import { randomUUID } from 'node:crypto';
import { startVectorNode, type VectorNode } from '@trestle/vector-node';
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
 * server did not understand it. The sample node has the same data, and must give the same answers.
 *
 * connect-modules.test.ts has the fields that a module answers. cluster.test.ts has `consistencyLevel` and
 * `metadata.isConsistent`, which only a GraphQL text brings. They need replicas.
 */
describe.skipIf(!server)('each field of a Connect request changes the answer', () => {
  const port = server?.port ?? 1;
  let node: VectorNode;

  beforeAll(async () => {
    node = await startVectorNode({ seed: false });
    for (const one of [port, node.port]) await fill(one);
  });

  async function fill(port: number): Promise<void> {
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
        { name: 'price', dataType: ['number'] },
        { name: 'flag', dataType: ['boolean'] },
        { name: 'day', dataType: ['date'] },
        { name: 'spot', dataType: ['geoCoordinates'] },
        {
          name: 'place',
          dataType: ['object'],
          nestedProperties: [
            { name: 'city', ...text },
            { name: 'code', ...text },
            { name: 'inner', dataType: ['object'], nestedProperties: [{ name: 'floor', ...text }] },
          ],
        },
        { name: 'link', dataType: [other, table] },
        { name: 'only', dataType: [other] },
      ],
    });
    await rest(port, 'POST', '/schema', {
      class: tenants,
      vectorizer: 'none',
      multiTenancyConfig: { enabled: true },
      properties: [{ name: 'title', ...text }],
    });
    await rest(port, 'POST', `/schema/${tenants}/tenants`, [{ name: 'one' }, { name: 'two' }]);
    await rest(port, 'POST', '/objects', {
      class: tenants,
      tenant: 'one',
      id: id(8),
      properties: { title: 'in one' },
    });
    await rest(port, 'POST', '/objects', { class: other, id: id(9), properties: { name: 'target' } });
    const titles = ['moon river', 'moon', 'river moon moon', 'stone', 'moon rocket river'];
    for (const [number, title] of titles.entries()) {
      const link = [
        { beacon: `weaviate://localhost/${other}/${id(9)}` },
        ...(number > 0 ? [{ beacon: `weaviate://localhost/${table}/${id(0)}` }] : []),
      ];
      const note = ['river', 'stone', 'moon moon moon', 'moon', 'none'][number];
      const place = { city: `c${number}`, code: `k${number}`, inner: { floor: `f${number}` } };
      const properties = {
        ...{ title, note, kind: number % 2 ? 'odd' : 'even', n: number, place, link },
        // Of values that are equally frequent, the server chooses one as the mode by chance.
        ...{
          price: Math.min(number, 3) / 2,
          flag: number < 2,
          day: `2024-01-0${(number % 4) + 1}T00:00:00Z`,
        },
        spot: { latitude: 50 + number, longitude: 10 },
        ...(number < 3 && { only: link.slice(0, 1) }),
      };
      const vectors = { a: [number, 1], b: [1, number * number] };
      await rest(port, 'POST', '/objects', { class: table, id: id(number), properties, vectors });
    }
  }
  afterAll(async () => {
    for (const name of [table, other, tenants]) await rest(port, 'DELETE', `/schema/${name}`);
    await node?.stop();
  });

  /** The answer of Weaviate, without the time that it took. A refusal is an answer too. The sample node's is the same. */
  async function send(method: 'Search' | 'Aggregate', json: Json): Promise<unknown> {
    const answer = await sendTo(port, method, json);
    expect(comparable(await sendTo(node.port, method, json))).toEqual(comparable(answer));
    return answer;
  }

  async function sendTo(at: number, method: 'Search' | 'Aggregate', json: Json): Promise<unknown> {
    const isSearch = method === 'Search';
    const body = isSearch
      ? toBinary(SearchRequestSchema, fromJson(SearchRequestSchema, json))
      : toBinary(AggregateRequestSchema, fromJson(AggregateRequestSchema, json));
    const headers = { 'content-type': 'application/proto', 'connect-protocol-version': '1' };
    const address = `http://127.0.0.1:${at}${connectPath(method)}`;
    const answer = await fetch(address, { method: 'POST', headers, body: Buffer.from(body) });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status !== 200) return JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (!isSearch)
      return { ...(toJson(AggregateReplySchema, fromBinary(AggregateReplySchema, bytes)) as Json), took: 0 };
    return { ...(toJson(SearchReplySchema, fromBinary(SearchReplySchema, bytes)) as Json), took: 0 };
  }

  /** Without times, the names of shards and the order of named vectors, which is random. Computed numbers may differ in their last digits. */
  function comparable(value: unknown): unknown {
    if (typeof value === 'number') return rounded(value) || undefined;
    if (typeof value === 'string')
      return value
        .replace(/(?<=object search )\w+: |shard \w{12}: /g, '')
        .replace(/(?<=named vectors \[)[^\]]+/, (names) => names.split(' ').sort().join(' '))
        .replace(/\d\.\d{4,}/g, (digits) => String(rounded(Number(digits))));
    if (Array.isArray(value)) return value.map(comparable).sort(byName);
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).map(([name, one]) => [
      name,
      /TimeUnix$/.test(name)
        ? 'a time'
        : comparable(name === 'explainScore' ? String(one).split(', ').sort().join() : one),
    ]);
    return Object.fromEntries(fields);
  }

  /** The server sends aggregations and the vectors of an object in any order. */
  function byName(one: unknown, another: unknown): number {
    const [a, b] = [one, another].map((item) => {
      const { property, name, vectorBytes } = { ...(item as { [field: string]: string | undefined } | null) };
      return property ?? (vectorBytes && name);
    });
    return a === undefined || b === undefined ? 0 : a.localeCompare(b);
  }

  /** The servers add up float32 numbers in another order. */
  function rounded(value: number): number {
    return Number(value.toFixed(4));
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
  const toOther: Json = { on: 'link', targetCollection: other, target: { property: 'name' } };
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
    ['after', { ...base, limit: 2 }, { ...base, limit: 2, after: id(1) }],
    ['metadata.creationTimeUnix', base, { ...base, metadata: { uuid: true, creationTimeUnix: true } }],
    ['metadata.lastUpdateTimeUnix', base, { ...base, metadata: { uuid: true, lastUpdateTimeUnix: true } }],
    ['metadata.vectors', base, { ...base, metadata: { uuid: true, vectors: ['a'] } }],
    ['metadata.vector', base, { ...base, metadata: { uuid: true, vector: true } }],
    ['metadata.distance', { ...base, nearVector: near }, { ...measured, nearVector: near }],
    [
      'metadata.certainty',
      { ...base, nearVector: near },
      { ...base, metadata: { uuid: true, certainty: true }, nearVector: near },
    ],
    ['metadata.score', { ...base, bm25Search: { query: 'moon' } }, bm25({ query: 'moon' })],
    [
      'metadata.explainScore',
      bm25({ query: 'moon' }),
      { ...bm25({ query: 'moon' }), metadata: { uuid: true, score: true, explainScore: true } },
    ],
    ['nonRefProperties', base, { ...base, properties: { nonRefProperties: ['title'] } }],
    ['objectProperties', base, ofPlace({ primitiveProperties: ['city'] })],
    [
      'primitiveProperties',
      ofPlace({ primitiveProperties: ['city'] }),
      ofPlace({ primitiveProperties: ['code'] }),
    ],
    [
      'objectProperties in objectProperties',
      ofPlace({ primitiveProperties: ['city'] }),
      ofPlace({
        primitiveProperties: ['city'],
        objectProperties: [{ propName: 'inner', primitiveProperties: ['floor'] }],
      }),
    ],
    ['refProperties', base, linked(other)],
    ['refProperties.referenceProperty', linked(other), linked(other, { referenceProperty: 'only' })],
    ['refProperties.targetCollection', linked(other), linked(table)],
    ['refProperties.metadata', linked(other), linked(other, { metadata: {} })],
    [
      'refProperties.properties',
      linked(other),
      linked(other, { properties: { nonRefProperties: ['name'] } }),
    ],
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
    ['GREATER_THAN and GREATER_THAN_EQUAL', isN('GREATER_THAN'), isN('GREATER_THAN_EQUAL')],
    ['LESS_THAN and LESS_THAN_EQUAL', isN('LESS_THAN'), isN('LESS_THAN_EQUAL')],
    ['GREATER_THAN and LESS_THAN', isN('GREATER_THAN'), isN('LESS_THAN')],
    ['LIKE', isKind('EQUAL', { valueText: 'o*' }), isKind('LIKE', { valueText: 'o*' })],
    ['CONTAINS_ALL', words('CONTAINS_ANY'), words('CONTAINS_ALL')],
    ['CONTAINS_NONE', words('CONTAINS_ANY'), words('CONTAINS_NONE')],
    ['valueNumber', has('price', { valueNumber: 0.5 }), has('price', { valueNumber: 1.5 })],
    ['valueIntArray', hasAny('n', 'Int', '1'), hasAny('n', 'Int', '1', '2')],
    ['valueNumberArray', hasAny('price', 'Number', 0.5), hasAny('price', 'Number', 0.5, 1.5)],
    ['valueBooleanArray', hasAny('flag', 'Boolean', true), hasAny('flag', 'Boolean', true, false)],
    ['valueGeo.latitude', within(50, 10, 1000), within(51, 10, 1000)],
    ['valueGeo.longitude', within(50, 10, 1000), within(50, 11, 1000)],
    ['valueGeo.distance', within(50, 10, 1000), within(50, 10, 250_000)],
    [
      'target.count.on',
      compared({ count: { on: 'link' } }, { valueInt: '1' }),
      compared({ count: { on: 'only' } }, { valueInt: '1' }),
    ],
    [
      'target.singleTarget.target',
      compared({ singleTarget: { on: 'only', target: { property: 'name' } } }, { valueText: 'target' }),
      compared({ singleTarget: { on: 'only', target: { property: '_id' } } }, { valueText: 'target' }),
    ],
    [
      'target.multiTarget.on',
      compared({ multiTarget: { ...toOther, on: 'link' } }, { valueText: 'target' }),
      compared({ multiTarget: { ...toOther, on: 'only' } }, { valueText: 'target' }),
    ],
    [
      'target.multiTarget.targetCollection',
      compared({ multiTarget: { ...toOther, target: { property: '_id' } } }, { valueText: id(0) }),
      compared(
        { multiTarget: { ...toOther, target: { property: '_id' }, targetCollection: table } },
        { valueText: id(0) },
      ),
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
    [
      'nearVector.certainty',
      { ...measured, nearVector: near },
      { ...measured, nearVector: { ...near, certainty: 0.99 } },
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
    [
      'nearObject.distance',
      { ...measured, nearObject: { id: id(0), targets: a } },
      { ...measured, nearObject: { id: id(0), targets: a, distance: 0.4 } },
    ],
    [
      'nearObject.certainty',
      { ...measured, nearObject: { id: id(0), targets: a } },
      { ...measured, nearObject: { id: id(0), targets: a, certainty: 0.8 } },
    ],
    ['nearText.query', nearText('moon'), nearText('stone')],
    ['nearText.distance', nearText('moon'), nearText('moon', { distance: 0.01 })],
    ['nearText.certainty', nearText('moon'), nearText('moon', { certainty: 0.99 })],
    ['nearText.moveTo', nearText('moon'), moved('moveTo', {})],
    ['moveTo.concepts', moved('moveTo', {}), moved('moveTo', { concepts: ['stone'] })],
    ['moveTo.force', moved('moveTo', {}), moved('moveTo', { force: 0.1 })],
    ['moveTo.uuids', moved('moveTo', {}), moved('moveTo', { uuids: [id(3)] })],
    ['nearText.moveAway', nearText('moon'), moved('moveAway', {})],
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
    [
      'searchOperator.minimumOrTokensMatch',
      bm25({ properties: ['title'], searchOperator: { operator: 'OPERATOR_OR', minimumOrTokensMatch: 1 } }),
      bm25({ properties: ['title'], searchOperator: { operator: 'OPERATOR_OR', minimumOrTokensMatch: 2 } }),
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
    [
      'bm25SearchOperator.minimumOrTokensMatch',
      hybrid({ alphaParam: 0, bm25SearchOperator: { operator: 'OPERATOR_OR', minimumOrTokensMatch: 1 } }),
      hybrid({ alphaParam: 0, bm25SearchOperator: { operator: 'OPERATOR_OR', minimumOrTokensMatch: 2 } }),
    ],
    ['hybridSearch.nearVector', inHybrid(vector(3, 1)), inHybrid(vector(0, 1))],
    ['groupBy.path', grouped('kind', 2, 2), grouped('n', 2, 2)],
    ['groupBy.numberOfGroups', grouped('n', 2, 2), grouped('n', 3, 2)],
    ['groupBy.objectsPerGroup', grouped('kind', 2, 1), grouped('kind', 2, 2)],
    // The collection has no module for it, which the server says. connect-modules.test.ts has the module.
    [
      'rerank',
      { ...measured, nearVector: near },
      { ...measured, nearVector: near, rerank: { property: 'title', query: 'x' } },
    ],
  ])('Search: %s', async (_field, one, another) => {
    expect(await send('Search', one)).not.toEqual(await send('Search', another));
  });

  // The sample node refuses these, in part with other words.
  test.each<[string, Json, Json]>([
    [
      'the type of a vector',
      { ...measured, nearVector: near },
      {
        ...measured,
        nearVector: { ...near, vectors: [{ ...vector(3, 1), type: 'VECTOR_TYPE_MULTI_FP32' }] },
      },
    ],
    [
      'target.singleTarget.on',
      compared({ singleTarget: { on: 'only', target: { property: 'name' } } }, { valueText: 'target' }),
      compared({ singleTarget: { on: 'nope', target: { property: 'name' } } }, { valueText: 'target' }),
    ],
    ['nearText.targets', nearText('moon'), nearText('moon', { targets: a })],
    ['hybridSearch.nearText', textInHybrid('moon'), textInHybrid('stone')],
  ])('Search, of Weaviate only: %s', async (_field, one, another) => {
    expect(await sendTo(port, 'Search', one)).not.toEqual(await sendTo(port, 'Search', another));
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
    ['groupBy', measuredBy('n', 'int', ['sum']), grouping('kind')],
    ['groupBy.property', grouping('kind'), grouping('flag')],
    ['limit', grouping('kind'), { ...grouping('kind'), limit: 1 }],
    ['aggregations.property', measuredBy('n', 'int', ['sum']), measuredBy('price', 'int', ['sum'])],
    ['objectLimit', nearest({ nearVector: near }), { ...nearest({ nearVector: near }), objectLimit: 3 }],
    [
      'nearVector',
      nearest({ nearVector: near }),
      nearest({ nearVector: { ...near, vectors: [vector(0, 1)] } }),
    ],
    [
      'nearObject',
      nearest({ nearObject: { id: id(0), targets: a } }),
      nearest({ nearObject: { id: id(4), targets: a } }),
    ],
    ['nearText', nearest(textSearch('moon')), nearest(textSearch('rocket'))],
    ...['count', 'sum', 'mean', 'mode', 'median', 'maximum', 'minimum'].flatMap((member) => [
      measures('n', 'int', member),
      measures('price', 'number', member),
    ]),
    ...['count', 'median', 'mode', 'maximum', 'minimum'].map((member) => measures('day', 'date', member)),
    // The type alone brings nothing. Of a text and a boolean, the server always sends the other members.
    ...['int n', 'number price', 'text kind', 'boolean flag'].map((one): [string, Json, Json] => {
      const [kind = '', name = ''] = one.split(' ');
      return [`${kind}.type`, measuredBy(name, kind, ['count']), measuredBy(name, kind, ['count', 'type'])];
    }),
    // Without its type, the server leaves out a reference. So `pointingTo` alone changes nothing.
    [
      'reference.type',
      measuredBy('link', 'reference', ['pointingTo']),
      measuredBy('link', 'reference', ['pointingTo', 'type']),
    ],
    ['hybrid', nearest(hybridSum('stone')), nearest(hybridSum('rocket'))],
    [
      'text.topOccurencesLimit',
      { ...measuredBy('kind', 'text', ['topOccurences']) },
      aggregation('kind', { text: { topOccurences: true, topOccurencesLimit: 1 } }),
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

  const missing = '66666666-6666-4666-8666-000000000099';
  const linkName = { property: 'name' };
  const linkTo = (targetCollection: string) => ({ on: 'link', targetCollection, target: linkName });
  test.each<['Search' | 'Aggregate', string, Json]>([
    ['Search', 'all properties', { collection: table, metadata: { uuid: true } }],
    [
      'Search',
      'every fact',
      { ...base, metadata: { uuid: true, score: true, explainScore: true, distance: true } },
    ],
    [
      'Search',
      'facts of a near search',
      { ...scored, metadata: { certainty: true, score: true }, nearVector: near },
    ],
    [
      'Search',
      'facts of a hybrid search',
      { ...hybrid({}), metadata: { uuid: true, distance: true, score: true } },
    ],
    [
      'Search',
      'groups of a keyword search',
      { ...bm25({}), groupBy: { path: ['kind'], numberOfGroups: 2, objectsPerGroup: 2 } },
    ],
    ['Search', 'groups without counts', { ...measured, nearVector: near, groupBy: { path: ['kind'] } }],
    [
      'Search',
      'filter by a reference to one of several collections',
      {
        ...base,
        filters: { operator: 'OPERATOR_EQUAL', target: { multiTarget: linkTo(other) }, valueText: 'target' },
      },
    ],
    [
      'Search',
      'filter by the number of references',
      { ...base, filters: { operator: 'OPERATOR_EQUAL', target: { count: { on: 'link' } }, valueInt: '2' } },
    ],
    [
      'Search',
      'filter by a length',
      {
        ...base,
        filters: { operator: 'OPERATOR_GREATER_THAN', target: { property: 'len(title)' }, valueInt: '6' },
      },
    ],
    [
      'Search',
      'an integer as a number',
      { ...base, filters: { operator: 'OPERATOR_EQUAL', target: { property: 'n' }, valueNumber: 2 } },
    ],
    [
      'Search',
      'an integer as a text',
      { ...base, filters: { operator: 'OPERATOR_EQUAL', target: { property: 'n' }, valueText: '2' } },
    ],
    [
      'Search',
      'a text that is no integer',
      { ...base, filters: { operator: 'OPERATOR_EQUAL', target: { property: 'n' }, valueText: 'abc' } },
    ],
    ['Search', 'an empty filter', { ...base, filters: {} }],
    [
      'Search',
      'a filter without a value',
      { ...base, filters: { operator: 'OPERATOR_EQUAL', target: { property: 'kind' } } },
    ],
    [
      'Search',
      'stop words only',
      { ...base, filters: { operator: 'OPERATOR_EQUAL', target: { property: 'title' }, valueText: 'the' } },
    ],
    [
      'Search',
      'a filter by a part of an object',
      { ...base, filters: { operator: 'OPERATOR_EQUAL', target: { property: 'place' }, valueText: 'a' } },
    ],
    ['Search', 'an unknown collection', { collection: 'Nope' }],
    ['Search', 'an unknown property', { ...base, properties: { nonRefProperties: ['nope'] } }],
    [
      'Search',
      'a filter by an unknown property',
      { ...base, filters: { operator: 'OPERATOR_EQUAL', target: { property: 'nope' }, valueText: 'a' } },
    ],
    [
      'Search',
      'a filter by `id`',
      { ...base, filters: { operator: 'OPERATOR_EQUAL', target: { property: 'id' }, valueText: 'a' } },
    ],
    ['Search', 'a sort by an unknown property', sorted('nope', true)],
    ['Search', 'a sort by a reference', sorted('link', true)],
    ['Search', 'a sorted search', { ...sorted('n', true), nearVector: near }],
    ['Search', 'beyond the last row', { ...base, offset: 9_991 }],
    ['Search', 'a cursor with a filter', { ...base, after: id(0), filters: clause }],
    ['Search', 'a cursor with an offset', { ...base, after: id(0), offset: 1 }],
    ['Search', 'no tenant', { ...base, collection: tenants }],
    ['Search', 'an unknown tenant', { ...base, collection: tenants, tenant: 'nope' }],
    ['Search', 'a tenant of a collection without tenants', { ...base, tenant: 'one' }],
    ['Search', 'no target vector', { ...base, nearVector: { vectors: [vector(3, 1)] } }],
    [
      'Search',
      'an unknown target vector',
      { ...base, nearVector: { ...near, targets: { targetVectors: ['nope'] } } },
    ],
    ['Search', 'no vector', { ...base, nearVector: { targets: a } }],
    ['Search', 'an unknown object', { ...base, nearObject: { id: missing, targets: a } }],
    ['Search', 'no object', { ...base, nearObject: { targets: a } }],
    [
      'Search',
      'a distance and a certainty',
      { ...base, nearVector: { ...near, distance: 1, certainty: 0.5 } },
    ],
    ['Search', 'an empty query', { ...base, bm25Search: {} }],
    ['Search', 'keywords in a number', { ...base, bm25Search: { query: 'moon', properties: ['n'] } }],
    [
      'Search',
      'groups without a search',
      { ...base, groupBy: { path: ['kind'], numberOfGroups: 1, objectsPerGroup: 1 } },
    ],
    ['Search', 'groups by an unknown property', grouped('nope', 1, 1)],
    [
      'Search',
      'a reference without a target collection',
      { ...base, properties: { refProperties: [{ referenceProperty: 'link' }] } },
    ],
    [
      'Aggregate',
      'every kind',
      {
        collection: table,
        objectsCount: true,
        aggregations: [
          {
            property: 'n',
            int: {
              count: true,
              type: true,
              sum: true,
              mean: true,
              mode: true,
              median: true,
              maximum: true,
              minimum: true,
            },
          },
          { property: 'title', text: { topOccurences: true, topOccurencesLimit: 1 } },
          { property: 'kind', text: { topOccurences: true } },
          { property: 'link', reference: { pointingTo: true } },
        ],
      },
    ],
    [
      'Aggregate',
      'without `objectsCount`',
      { collection: table, aggregations: [{ property: 'n', int: { mean: true } }] },
    ],
    [
      'Aggregate',
      'no rows',
      {
        collection: table,
        filters: int('99'),
        aggregations: [
          { property: 'n', int: { mean: true } },
          { property: 'kind', text: { count: true } },
        ],
      },
    ],
    [
      'Aggregate',
      'groups',
      {
        collection: table,
        groupBy: { property: 'kind' },
        aggregations: [{ property: 'n', int: { mean: true } }],
      },
    ],
    ['Aggregate', 'groups by an unknown property', { collection: table, groupBy: { property: 'nope' } }],
    [
      'Aggregate',
      'an unknown property',
      { collection: table, aggregations: [{ property: 'nope', int: { mean: true } }] },
    ],
    [
      'Aggregate',
      'the hits of a search',
      { collection: table, objectsCount: true, objectLimit: 2, nearVector: near },
    ],
    ...['int n', 'number price', 'date day', 'text kind', 'boolean flag', 'reference link'].map(
      (one): ['Aggregate', string, Json] => {
        const [kind = '', name = ''] = one.split(' ');
        return ['Aggregate', `${kind}, its type alone`, measuredBy(name, kind, ['type'])];
      },
    ),
    [
      'Aggregate',
      'no rows, and no member with a value',
      { ...measuredBy('n', 'int', ['type', 'mean']), filters: int('99') },
    ],
    ['Aggregate', 'a reference without its type', measuredBy('link', 'reference', ['pointingTo'])],
    [
      'Aggregate',
      'a reference in groups',
      {
        ...measuredBy('only', 'reference', ['pointingTo']),
        groupBy: { collection: table, property: 'kind' },
      },
    ],
    // The limit is for each of the two rankings, so more objects may count.
    ...[0, 0.5, 1].flatMap((alphaParam) =>
      [1, 2, 3].map((objectLimit): ['Aggregate', string, Json] => {
        const asked = { collection: table, objectsCount: true, objectLimit };
        const search = { ...(hybrid({}).hybridSearch as Json), alphaParam };
        return [
          'Aggregate',
          `a hybrid search, ${objectLimit} by ${alphaParam}`,
          { ...asked, hybrid: search },
        ];
      }),
    ),
    [
      'Aggregate',
      'a hybrid search without a limit',
      { collection: table, objectsCount: true, hybrid: hybrid({}).hybridSearch! },
    ],
    ['Aggregate', 'a search without a limit', { collection: table, objectsCount: true, nearVector: near }],
    ['Aggregate', 'an unknown collection', { collection: 'Nope', objectsCount: true }],
    ['Aggregate', 'no tenant', { collection: tenants, objectsCount: true }],
  ])('%s: the sample node answers like Weaviate: %s', async (method, _name, json) => {
    expect(await send(method, json)).toBeTruthy();
  });

  function linked(target: string, more: Json = {}): Json {
    const reference = {
      referenceProperty: 'link',
      targetCollection: target,
      metadata: { uuid: true },
      properties: {},
      ...more,
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

  function ofPlace(members: Json): Json {
    return { ...base, properties: { objectProperties: [{ propName: 'place', ...members }] } };
  }

  function compared(target: Json, value: Json, operator = 'EQUAL'): Json {
    return { ...base, filters: { operator: `OPERATOR_${operator}`, target, ...value } };
  }

  function has(property: string, value: Json): Json {
    return compared({ property }, value);
  }

  function isN(operator: string): Json {
    return compared({ property: 'n' }, { valueInt: '2' }, operator);
  }

  function isKind(operator: string, value: Json): Json {
    return compared({ property: 'kind' }, value, operator);
  }

  function words(operator: string): Json {
    return compared({ property: 'title' }, { valueTextArray: { values: ['moon', 'river'] } }, operator);
  }

  function hasAny(property: string, type: string, ...values: JsonValue[]): Json {
    return compared({ property }, { [`value${type}Array`]: { values } }, 'CONTAINS_ANY');
  }

  function within(latitude: number, longitude: number, distance: number): Json {
    return compared(
      { property: 'spot' },
      { valueGeo: { latitude, longitude, distance } },
      'WITHIN_GEO_RANGE',
    );
  }

  function textSearch(text: string, more: Json = {}): Json {
    return { nearText: { query: [text], targets: { targetVectors: ['text'] }, ...more } };
  }

  function nearText(text: string, more: Json = {}): Json {
    return { ...measured, ...textSearch(text, more) };
  }

  function moved(direction: string, more: Json): Json {
    return nearText('moon', { [direction]: { concepts: ['rocket'], force: 0.7, ...more } });
  }

  /** A hybrid search with a search inside, in place of a vector. */
  function inHybrid(inner: JsonValue): Json {
    const { vectors: _, ...plain } = hybrid({}).hybridSearch as Json;
    return { ...scored, hybridSearch: { ...plain, nearVector: { vectors: [inner] } } };
  }

  function textInHybrid(text: string): Json {
    const { vectors: _, ...plain } = hybrid({}).hybridSearch as Json;
    const targets = { targetVectors: ['text'] };
    return { ...scored, hybridSearch: { ...plain, targets, nearText: { query: [text] } } };
  }

  function hybridSum(query: string): Json {
    return { hybrid: hybrid({ query }).hybridSearch! };
  }

  function aggregation(property: string, kind: Json): Json {
    return { collection: table, aggregations: [{ property, ...kind }] };
  }

  function measuredBy(property: string, kind: string, members: string[]): Json {
    return aggregation(property, { [kind]: Object.fromEntries(members.map((one) => [one, true])) });
  }

  function measures(property: string, kind: string, member: string): [string, Json, Json] {
    return [`${kind}.${member}`, measuredBy(property, kind, []), measuredBy(property, kind, [member])];
  }

  function grouping(property: string): Json {
    return { ...measuredBy('n', 'int', ['sum']), groupBy: { collection: table, property } };
  }

  /** The sum tells which objects the search found. */
  function nearest(search: Json): Json {
    return { ...measuredBy('price', 'number', ['sum', 'count']), objectLimit: 2, ...search };
  }

  function grouped(property: string, numberOfGroups: number, objectsPerGroup: number): Json {
    return { ...measured, nearVector: near, groupBy: { path: [property], numberOfGroups, objectsPerGroup } };
  }
});
