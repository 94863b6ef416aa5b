import { expect, test } from 'vitest';
import { connectBody, effectOfConnect } from './connect-line.ts';
import { effectOfRequest } from './request-effect.ts';
import { readRestLine } from './rest-line.ts';

const service = '/grpc-web/weaviate.v1.Weaviate';
const destroy = { effect: 'destroy' };

test.each([
  [`POST ${service}/Search {"collection":"A"}`, 'read'],
  [`POST /v1${service}/Aggregate {"collection":"A"}`, 'read'],
  [`POST ${service}/TenantsGet {"collection":"A"}`, 'read'],
  ['POST /grpc-web/grpc.health.v1.Health/Check {}', 'read'],
  [`POST ${service}/BatchObjects {"objects":[]}`, 'write'],
  [`POST ${service}/BatchReferences {"references":[]}`, 'write'],
  [`POST ${service}/BatchDelete {"collection":"A","dryRun":true}`, 'destroy'],
  // Other spellings of a path that the server also reads.
  [`post ${service}//Search/ {"collection":"A"}`, 'read'],
  ['POST /grpc-web/weaviate.v1.Weaviate/%42atchDelete {"collection":"A"}', 'destroy'],
])('%s is judged by its method: %s', (text, effect) => {
  expect(readRestLine(text)).toMatchObject({ effect });
});

test.each([
  [`GET ${service}/Search`],
  [`OPTIONS ${service}/BatchDelete`],
  [`POST ${service}/BatchStream {}`],
  [`POST ${service}/search {"collection":"A"}`],
  ['POST /GRPC-WEB/weaviate.v1.Weaviate/Search {"collection":"A"}'],
  ['POST /grpc-web/weaviate.v1.Weaviate%2FBatchDelete {"collection":"A"}'],
  ['POST /grpc-web/other.v1.Service/Search {}'],
  ['POST /grpc-web/./weaviate.v1.Weaviate/Search {"collection":"A"}'],
  ['POST /schema/../grpc-web/weaviate.v1.Weaviate/Search {"collection":"A"}'],
  [`POST ${service}/Search;x {"collection":"A"}`],
  [`POST ${service}/Search#x {"collection":"A"}`],
  [`DELETE ${service}/Search {"collection":"A"}`],
  [`HEAD ${service}/Search`],
  ['POST /grpc-web {}'],
  [`POST ${service}/Search?connect=v1&message={} {"collection":"A"}`],
  [`POST ${service}/Search`],
  ['POST /grpc-web/grpc.health.v1.Health/Check {"service":"x"}'],
])('%s is refused', (text) => {
  expect(() => readRestLine(text)).toThrowError(expect.objectContaining({ code: 'refused' }));
});

test.each([
  ['GET', `/v1${service}/Search`],
  ['POST', `/v1${service}/Search/`],
  ['POST', '/v1/grpc-web/weaviate.v1.Weaviate/search'],
  ['POST', '/v1/Grpc-Web/weaviate.v1.Weaviate/Search'],
  ['POST', '/v1/grpc-web'],
])('%s %s counts as the strongest effect, wherever it comes from', (method, path) => {
  expect({ effect: effectOfRequest(method, path) }).toEqual(destroy);
});

test.each([
  ['a misspelt filter', { collection: 'A', filter: {} }],
  ['a misspelt key inside', { collection: 'A', filters: { operator: 'OPERATOR_EQUAL', valueTekst: 'x' } }],
  ['an unknown word of an enum', { collection: 'A', nearText: { targets: { combination: 'SUM' } } }],
  ['an unknown number of an enum', { collection: 'A', nearText: { targets: { combination: 77 } } }],
  ['an unknown number in a list', { collection: 'A', filters: { filters: [{ operator: 99 }] } }],
  ['a text for a number', { collection: 'A', limit: 'all' }],
  ['two values of one filter', { collection: 'A', filters: { valueInt: 1, valueText: 'x' } }],
  ['two spellings of one key', { collection: 'A', nearVector: {}, near_vector: {} }],
  ['a key that every object inherits', { collection: 'A', constructor: 1 }],
  ['a key of the library', { collection: 'A', $typeName: 'weaviate.v1.SearchRequest' }],
  ['one operand in place of a list', { collection: 'A', filters: { filters: { operator: 1 } } }],
  ['bytes that are no base64', { collection: 'A', nearVector: { vectorBytes: '$$$' } }],
  ['a list for the message', [{ collection: 'A' }]],
  ['null for the message', null],
])('%s is refused before anything is sent', (_, body) => {
  const text = `POST ${service}/Search ${JSON.stringify(body)}`;
  expect(() => readRestLine(text)).toThrowError(expect.objectContaining({ code: 'refused' }));
});

test('the body is written from its parsed message: one name of each key, and nothing else', () => {
  const text = `POST ${service}/BatchDelete {"collection":"A","dry_run":true,"tenant":null}`;
  expect(readRestLine(text)?.body?.text).toBe('{"collection":"A","dryRun":true}');
});

test('a key that stands twice is refused, in any spelling', () => {
  for (const body of [
    '{"limit":5,"limit":6}',
    '{"tenant":"a","ten\\u0061nt":"b"}',
    '{"__proto__":{"limit":5}}',
  ])
    expect(() => readRestLine(`POST ${service}/Search ${body}`)).toThrow();
});

test('two keys that differ in case are refused', () => {
  expect(() => readRestLine(`POST ${service}/Search {"collection":"A","Collection":"B"}`)).toThrow();
});

test('every method is known by its exact path only', () => {
  expect(effectOfConnect('POST', `/v1${service}/Search`)).toBe('read');
  expect(() => connectBody('POST', `/v1${service}/Nothing`, undefined)).toThrow('is no method');
});
