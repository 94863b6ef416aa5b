import { create, SearchReplySchema, toBinary } from '@trestle/weaviate-connect';
import { expect, test } from 'vitest';
import { failureOfConnect } from './failure.ts';
import { readResults } from './read-results.ts';
import { vectorOf } from './read-values.ts';
import { filtersMessage } from './write-filters.ts';

const failed = (status: number, body: unknown) => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const { code, message, hint } = failureOfConnect({ status, bytes }, '/v1/grpc-web/x');
  return { code, message, hint };
};

test.each([
  'extract auth: unauthorized: invalid api key',
  'extract auth: unauthorized: anonymous access not enabled',
])('a refused key, which Connect answers with HTTP 500, is an authentication failure: %s', (message) => {
  expect(failed(500, { code: 'unknown', message })).toMatchObject({
    code: 'authentication_failed',
    message: `Authentication failed: ${message}`,
  });
});

test('a mistake in a request, which is HTTP 500 too, does not blame the server', () => {
  const said = 'parse params: extract filters: no such prop with name "nope"';
  expect(failed(500, { code: 'unknown', message: said })).toEqual({
    code: 'query_failed',
    message: 'no such prop with name "nope"',
    hint: undefined,
  });
  const stopwords = 'invalid search term, only stopwords provided. Stopwords can be configured';
  expect(failed(500, { code: 'unknown', message: stopwords }).code).toBe('filter_unrunnable');
  const deep = "explorer: query maximum results exceeded: the total limit '10001' exceeds";
  expect(failed(500, { code: 'unknown', message: deep }).code).toBe('paging_limit');
  expect(failed(500, { code: 'unknown', message: 'could not find class Nope in schema' })).toMatchObject({
    code: 'not_found',
    message: 'The server does not find the collection "Nope"',
  });
});

test('HTTP 429 is a limit of sizes, not of requests', () => {
  const message = 'grpc: trying to send message larger than max (240415 vs. 200000)';
  expect(failed(429, { code: 'resource_exhausted', message })).toEqual({
    code: 'query_failed',
    message: 'The answer has 240415 bytes, and this server sends 200000 at most (GRPC_MAX_MESSAGE_SIZE)',
    hint: 'Read fewer rows, or fewer columns.',
  });
  expect(
    failed(429, { code: 'resource_exhausted', message: 'max buffer size (2000) exceeded' }).message,
  ).toBe('The request is too large for this server (GRPC_MAX_MESSAGE_SIZE): max buffer size (2000) exceeded');
});

test('a proxy in front of the server keeps its own words', () => {
  expect(failed(403, { code: 'permission_denied', message: 'rbac: forbidden' })).toMatchObject({
    code: 'permission_denied',
    message: 'Weaviate refuses this: rbac: forbidden',
  });
  expect(failed(502, '<html>Bad Gateway</html>').message).toContain('HTTP 502');
});

test('an integer is rounded as the index of the server rounds it', () => {
  const sent = (value: bigint) =>
    filtersMessage({ path: ['n'], operator: 'Equal', value: { type: 'int', value } }).testValue;
  expect(sent(9007199254740993n)).toEqual({ case: 'valueInt', value: 9007199254740992n });
  expect(sent(2n ** 63n - 1n)).toEqual({ case: 'valueInt', value: 2n ** 63n - 1n });
  expect(sent(-5n)).toEqual({ case: 'valueInt', value: -5n });
});

test('a filter by the uuid names `_id`, and a time in milliseconds becomes a date', () => {
  const text = (path: string[], value: string) =>
    filtersMessage({ path, operator: 'Equal', value: { type: 'text', value } });
  expect(text(['id'], 'x').target).toEqual({ target: { case: 'property', value: '_id' } });
  expect(text(['link', 'Other', 'id'], 'x').on).toEqual(['link', 'Other', '_id']);
  expect(text(['_creationTimeUnix'], '1700000000123').testValue).toEqual({
    case: 'valueText',
    value: '2023-11-14T22:13:20.123Z',
  });
});

test('vectors are read from bytes at any place in memory, and a multi-vector has rows', () => {
  const bytes = Buffer.concat([Buffer.from([7]), Buffer.from(new Float32Array([1, -2.5]).buffer)]).subarray(
    1,
  );
  expect(vectorOf(bytes, 1)).toEqual(new Float32Array([1, -2.5]));
  const rows = Buffer.concat([
    Buffer.from([3, 0]),
    Buffer.from(new Float32Array([1, 0, 0, 0, 0.1, 0]).buffer),
  ]);
  expect(vectorOf(rows, 2)).toEqual([
    [1, 0, 0],
    [0, 0.1, 0],
  ]);
  expect(vectorOf(Buffer.from([3]), 2)).toEqual([]);
});

const doubles = (...numbers: number[]) => new Uint8Array(new Float64Array(numbers).buffer);
const integers = (...numbers: bigint[]) => new Uint8Array(new BigInt64Array(numbers).buffer);
const valued = (kind: object) => ({ kind }) as never;
const listed = (name: string, values: unknown) =>
  valued({ case: 'listValue', value: { kind: { case: name, value: { values } } } });

const reply = create(SearchReplySchema, {
  took: 0.5,
  results: [
    {
      properties: {
        targetCollection: 'Book',
        refProps: [{ propName: 'link', properties: [{ metadata: { id: 'x' } }, { metadata: { id: 'y' } }] }],
        nonRefProps: {
          fields: {
            text: valued({ case: 'textValue', value: 'Mönd 🌙' }),
            empty: valued({ case: 'textValue', value: '' }),
            int: valued({ case: 'intValue', value: 9007199254740993n }),
            negative: valued({ case: 'intValue', value: -7n }),
            least: valued({ case: 'intValue', value: -(2n ** 63n) }),
            most: valued({ case: 'intValue', value: 2n ** 63n - 1n }),
            zero: valued({ case: 'intValue', value: 0n }),
            number: valued({ case: 'numberValue', value: -0 }),
            yes: valued({ case: 'boolValue', value: true }),
            no: valued({ case: 'boolValue', value: false }),
            date: valued({ case: 'dateValue', value: '2024-01-01T00:00:00.123456789+02:00' }),
            none: valued({ case: 'nullValue', value: 0 }),
            place: valued({ case: 'geoValue', value: { latitude: 52.52, longitude: 13.4 } }),
            phone: valued({
              case: 'phoneValue',
              value: { countryCode: 31n, national: 201234567n, input: '020' },
            }),
            texts: listed('textValues', ['a', '']),
            bools: listed('boolValues', [true, false, true]),
            ints: listed('intValues', integers(1n, -(2n ** 53n))),
            numbers: listed('numberValues', doubles(0.1, -5e-324)),
            nothing: listed('numberValues', new Uint8Array()),
            object: valued({
              case: 'objectValue',
              value: { fields: { in: valued({ case: 'intValue', value: 1n }) } },
            }),
            objects: listed('objectValues', [{ fields: { in: valued({ case: 'boolValue', value: true }) } }]),
          },
        },
      },
      metadata: {
        id: 'a',
        distance: 0.25,
        distancePresent: true,
        score: 0,
        scorePresent: true,
        explainScore: 'why',
        explainScorePresent: true,
        lastUpdateTimeUnix: 1700000000123n,
        lastUpdateTimeUnixPresent: true,
        vectorBytes: new Uint8Array(new Float32Array([1, 2]).buffer),
        vectors: [{ name: 'v', vectorBytes: new Uint8Array(new Float32Array([3]).buffer), type: 1 }],
      },
    },
    { metadata: { id: 'b', distance: Number.NaN, distancePresent: true } },
  ],
});

test('a reply is read as REST would send the objects', () => {
  const [first, second] = readResults(Buffer.from(toBinary(SearchReplySchema, reply)));
  expect(first?.references).toEqual([{ name: 'link', ids: ['x', 'y'] }]);
  expect(first?.found).toEqual({
    object: {
      id: 'a',
      vector: new Float32Array([1, 2]),
      vectors: { v: new Float32Array([3]) },
      properties: {
        text: 'Mönd 🌙',
        empty: '',
        int: 9007199254740992,
        negative: -7,
        least: -(2 ** 63),
        most: 2 ** 63,
        zero: 0,
        number: -0,
        yes: true,
        no: false,
        date: '2024-01-01T00:00:00.123456789+02:00',
        place: { latitude: 52.52, longitude: 13.4 },
        phone: { countryCode: 31, national: 201234567, input: '020', valid: false },
        texts: ['a', ''],
        bools: [true, false, true],
        ints: [1, -(2 ** 53)],
        numbers: [0.1, -5e-324],
        nothing: [],
        object: { in: 1 },
        objects: [{ in: true }],
      },
    },
    distance: 0.25,
    score: 0,
    explainScore: 'why',
    rerankScore: null,
    changedAt: '1700000000123',
  });
  expect(second?.found).toMatchObject({ object: { id: 'b', properties: {} }, distance: null, score: null });
});

test('a property called __proto__ stays a property', () => {
  const one = create(SearchReplySchema, { results: [{ properties: { nonRefProps: { fields: {} } } }] });
  Object.defineProperty(one.results[0]!.properties!.nonRefProps!.fields, '__proto__', {
    value: { $typeName: 'weaviate.v1.Value', kind: { case: 'textValue', value: 'a' } },
    enumerable: true,
  });
  const [found] = readResults(Buffer.from(toBinary(SearchReplySchema, one)));
  expect(Object.entries(found?.found.object.properties ?? {})).toEqual([['__proto__', 'a']]);
});

test('a reply that is cut anywhere is damaged, or has fewer objects', () => {
  const bytes = Buffer.from(toBinary(SearchReplySchema, reply));
  for (let end = 0; end < bytes.length; end++) {
    let results: unknown[] = [];
    try {
      results = readResults(bytes.subarray(0, end));
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
    expect(results.length).toBeLessThan(2);
  }
});
