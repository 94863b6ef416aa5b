import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importConnections, startApp, type TestApp } from '../e2e/app.ts';
import { describeOnWeaviate, rest } from './servers.ts';

/**
 * Values at the edges of each type of Weaviate are put over REST, moved by Trestle, and read over REST again. A number is
 * compared as the text that the server sends, so no digit and no sign is lost in the test.
 */

/** A number with these digits. Other values are written as JSON. */
const raw = (digits: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);

const texts = [
  ...[
    '',
    ' ',
    ' padded ',
    'null',
    '5',
    '=1+1',
    "it's",
    'say "q"',
    'a,b;c|d',
    'two\r\nlines',
    't\tt',
    '\\',
    '\\n',
  ],
  ...[
    '漢字🚀',
    'é',
    '\ufeffbom',
    '\u2028',
    '\u0001',
    '{"$text":"x"}',
    '[1,2]',
    '2026-07-28',
    'true',
    '\u202eabc',
  ],
];
const ints = [
  ...['0', '1', '-1', '2147483648', '9007199254740991', '9007199254740992', '9007199254740994'],
  ...['-9007199254740992', '1152921504606846976', '9223372036854774784', '-9223372036854774784'],
  ...['1000000000000000000', '123456789012345680'],
].map(raw);
const numbers = [
  ...[
    '0',
    '-0.0',
    '0.1',
    '0.3333333333333333',
    '1e15',
    '1e16',
    '12345678901234567000',
    '1e20',
    '1e21',
    '1e22',
  ],
  ...[
    '9007199254740993',
    '9223372036854775808',
    '-9223372036854775808',
    '1.7976931348623157e308',
    '5e-324',
    '-1.5e-7',
  ],
].map(raw);
const dates = [
  ...['2026-07-28T00:00:00Z', '2026-02-28T23:59:59.123456789+05:30', '1969-12-31T23:59:59.999999999Z'],
  ...[
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '2026-07-28T10:00:00.1-11:45',
    '1582-10-04T00:00:00Z',
  ],
];
const places = [
  { latitude: 52.52, longitude: 13.405 },
  { latitude: -90, longitude: -180 },
  { latitude: raw('-0.0'), longitude: raw('0.000001') },
  { latitude: raw('33.333332'), longitude: raw('179.99998') },
];
const phones = [{ input: '+49 171 1234567' }, { input: '0171 1234567', defaultCountry: 'de' }];
const inner = [
  { words: '', whole: raw('9007199254740993'), part: raw('-0.0'), at: dates[1], flags: [true, false] },
  { words: '{"a":1}', part: raw('1e21'), deep: { id: randomUUID(), list: ['', 'x'] } },
];

/** The values of a property, by its name. Each object has the next value of each property. */
const properties: Record<string, { dataType: string; values: unknown[]; more?: object }> = {
  words: { dataType: 'text', values: texts },
  whole: { dataType: 'int', values: ints },
  part: { dataType: 'number', values: numbers },
  yes: { dataType: 'boolean', values: [true, false] },
  at: { dataType: 'date', values: dates },
  other: { dataType: 'uuid', values: [randomUUID(), '00000000-0000-0000-0000-000000000000'] },
  data: { dataType: 'blob', values: ['AP8=', 'AAAA', Buffer.from('{"a":1}').toString('base64')] },
  place: { dataType: 'geoCoordinates', values: places },
  phone: { dataType: 'phoneNumber', values: phones },
  wordsList: { dataType: 'text[]', values: [texts, [''], ['null', '5']] },
  wholeList: { dataType: 'int[]', values: [ints, [raw('5')]] },
  partList: { dataType: 'number[]', values: [numbers, [raw('-0.0')], [raw('1e21')]] },
  yesList: { dataType: 'boolean[]', values: [[true, false]] },
  atList: { dataType: 'date[]', values: [dates] },
  otherList: { dataType: 'uuid[]', values: [[randomUUID(), randomUUID()]] },
  inside: { dataType: 'object', values: inner },
  insideList: { dataType: 'object[]', values: [inner, [inner[0]]] },
  ...Object.fromEntries(
    [
      ...['constructor', 'toString', '__proto__', 'hasOwnProperty', 'uuid', '_uuid', 'length'],
      ...['trestle_line', 'trestle_error', 'trestle_id', 'distance', '_0'],
    ].map((name) => [name, { dataType: 'text', values: [`of ${name}`, ''] }]),
  ),
};
const nestedProperties = [
  { name: 'words', dataType: ['text'] },
  { name: 'whole', dataType: ['int'] },
  { name: 'part', dataType: ['number'] },
  { name: 'at', dataType: ['date'] },
  { name: 'flags', dataType: ['boolean[]'] },
  {
    name: 'deep',
    dataType: ['object'],
    nestedProperties: [
      { name: 'id', dataType: ['uuid'] },
      { name: 'list', dataType: ['text[]'] },
    ],
  },
];
const vectors = [
  ['0.1', '-0.0', '3.4028235e38', '1.1754944e-38'],
  ['1e-45', '-3.4028235e38', '0', '16777216'],
  ['0.33333334', '1e10', '-1', '123456790'],
].map((one) => one.map(raw));

const isObject = (dataType: string) => dataType.startsWith('object');
const schemaProperties = Object.entries(properties).map(([name, { dataType }]) => ({
  name,
  dataType: [dataType],
  ...(isObject(dataType) && { nestedProperties }),
}));
const without = { vectorizer: { none: {} }, vectorIndexType: 'flat' };
const several = {
  vectorizer: { none: {} },
  vectorIndexType: 'hnsw',
  vectorIndexConfig: { multivector: { enabled: true } },
};
const kindsOf = (version: string): Record<string, { schema: object; vector(at: number): object }> => ({
  'one vector': {
    schema: { vectorizer: 'none', vectorIndexConfig: { distance: 'l2-squared' } },
    vector: (at) => ({ vector: vectors[at % vectors.length] }),
  },
  'named vectors': {
    // 1.27 has no multi-vectors.
    schema: { vectorConfig: { brief: without, __proto: without, ...(version !== '1.27.27' && { several }) } },
    vector: (at) => ({
      vectors: {
        brief: vectors[at % vectors.length],
        __proto: vectors[(at + 1) % vectors.length],
        ...(version !== '1.27.27' && { several: vectors.slice(at % 2) }),
      },
    }),
  },
});

describeOnWeaviate('values at the edges of their types', ({ port, version }) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' };
    await importConnections(app, [
      { name: 'Own', driver: 'weaviate', fields, externalClients: 'readWrite', aiPolicy: 'alwaysAllow' },
    ]);
  });
  afterAll(() => app?.close());

  async function fresh(schema: object): Promise<string> {
    const table = `Exact${randomUUID().slice(0, 8)}`;
    await rest(port, 'POST', '/schema', { class: table, properties: schemaProperties, ...schema });
    return table;
  }

  async function fill(table: string, vector: (at: number) => object): Promise<void> {
    const count = Math.max(...Object.values(properties).map(({ values }) => values.length));
    const objects = Array.from({ length: count }, (_, at) => ({
      class: table,
      id: randomUUID(),
      properties: Object.fromEntries(
        // Some objects lack some properties, and the last has none.
        Object.entries(properties).flatMap(([name, { values }], column) =>
          at === count - 1 || (at + column) % 7 === 6 ? [] : [[name, values[at % values.length]]],
        ),
      ),
      ...(at % 5 < 4 && vector(at)),
    }));
    const answer = (await rest(port, 'POST', '/batch/objects', { objects })) as {
      result: { errors?: unknown };
    }[];
    expect(answer.filter(({ result }) => result.errors)).toEqual([]);
  }

  /** Each object as the server sends it, in its order by id. Numbers keep the digits of the answer. */
  async function stored(table: string): Promise<unknown[]> {
    const answer = await fetch(
      `http://127.0.0.1:${port}/v1/objects?class=${table}&limit=1000&include=vector`,
    );
    const digits = (_: string, value: unknown, { source }: { source?: string } = {}) =>
      typeof value === 'number' ? `number ${source}` : value;
    const { objects } = JSON.parse(await answer.text(), digits as never) as {
      objects: Record<string, unknown>[];
    };
    return objects.map(({ class: _, creationTimeUnix: _c, lastUpdateTimeUnix: _u, ...object }) => object);
  }

  test.each(Object.entries(kindsOf(version)))(
    'arrive in every format and as a copy, with %s',
    async (_, { schema, vector }) => {
      const table = await fresh(schema);
      await fill(table, vector);
      const given = await stored(table);
      for (const format of ['jsonl', 'json', 'csv']) {
        const file = join(app.folder, `${table}.${format}`);
        const { inexact } = await app.json('export', 'Own', table, '--out', file, '--vectors');
        expect(inexact).toEqual([]);
        const target = await fresh(schema);
        const report = await app.run('import', 'Own', target, file, '--json');
        expect(JSON.parse(report.stdout || 'null'), format + report.stderr).toMatchObject({
          stored: given.length,
          failed: 0,
        });
        expect(await stored(target), format).toEqual(given);
      }
      const copy = `${table}Copy`;
      expect(await app.json('copy', 'Own', table, copy)).toMatchObject({
        failed: 0,
        different: [],
        ended: 'complete',
      });
      expect(await stored(copy)).toEqual(given);
    },
  );
});
