import { expect, test } from 'vitest';
import { failureOfConnect } from './failure.ts';
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
  expect(vectorOf({ vectorBytes: bytes, type: 1 })).toEqual(new Float32Array([1, -2.5]));
  const rows = Buffer.concat([
    Buffer.from([3, 0]),
    Buffer.from(new Float32Array([1, 0, 0, 0, 0.1, 0]).buffer),
  ]);
  expect(vectorOf({ vectorBytes: rows, type: 2 })).toEqual([
    [1, 0, 0],
    [0, 0.1, 0],
  ]);
  expect(vectorOf({ vectorBytes: Buffer.from([3]), type: 2 })).toEqual([]);
});
