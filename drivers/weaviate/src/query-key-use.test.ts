import type { Json } from '@trestle/driver-kit';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { keyUseOf } from './query-key-use.ts';

const use = (text: string, variables?: Json) => keyUseOf(parse(text), variables);
const generate = (given: string) => `{ Get { A { _additional { generate(${given}) { error } } } } }`;

test.each([
  '{ Get { A(where: {path: ["t"], operator: Equal, valueText: "http://x"}) { t } } }',
  '{ Get { A(nearVector: {vector: [1]}) { t _additional { id distance } } } }',
  '{ Get { A(bm25: {query: "a"}) { t } } }',
  '{ Get { A(hybrid: {query: "a", vector: [1]}) { t } } }',
  '{ Aggregate { A { t { topOccurrences(limit: 3) { value } } } } }',
  '{ __schema { types { name } } }',
])('calls no module: %s', (text) => {
  expect(use(text)).toEqual({ collections: new Set(), doubt: undefined });
});

test.each([
  '{ Get { A(nearText: {concepts: ["http://a.example"], moveTo: {concepts: ["b"], force: 1}}) { t } } }',
  '{ Get { A(hybrid: {query: "a", vector: []}) { t } } }',
  '{ Get { A(hybrid: {query: "a", vector: [1], vector: []}) { t } } }',
  '{ Get { A(hybrid: {query: "a", searches: {nearText: {concepts: ["b"]}}}) { t } } }',
  '{ Get { x: A { _additional { rerank(property: "t", query: "a") { score } } } } }',
  '{ Aggregate { A(nearText: {concepts: "a"}, objectLimit: 3) { meta { count } } } }',
  generate('singleResult: {prompt: "see http://a.example"}'),
  generate('singleResult: {prompt: "hi", mistral: {model: "mistral-large", temperature: 0.1, maxTokens: 5}}'),
  generate('groupedResult: {task: "hi", properties: ["t"], aws: {model: "anthropic.claude-v2:0"}}'),
  generate('singleResult: {prompt: "hi", openai: {images: ["/9j/4AAQ+="], stop: ["\\n"]}}'),
  'query($p: String!) { Get { A { _additional { generate(singleResult: {prompt: $p}) { error } } } } }',
])('calls the modules of one collection, harmlessly: %s', (text) => {
  expect(use(text, { p: 'a' })).toEqual({ collections: new Set(['A']), doubt: undefined });
});

test('the collection of a generate inside a reference counts; that of a plain reference does not', () => {
  const inner = 'r { ... on B { t _additional { generate(singleResult: {prompt: "a"}) { error } } } }';
  expect(use(`{ Get { A { ${inner} } } }`).collections).toEqual(new Set(['B']));
  const plain = '{ Get { A(nearText: {concepts: ["a"]}) { r { ... on B { t } } } } }';
  expect(use(plain).collections).toEqual(new Set(['A']));
  expect(use(`{ Get { A { r { _additional { generate { error } } } } } }`).collections).toBe('any');
  expect(use('{ Explore(nearText: {concepts: ["a"]}) { beacon } }').collections).toBe('any');
});

test.each([
  '{ Get { A(nearNew: {text: "a"}) { t } } }',
  '{ Get { A(nearText: {concepts: ["a"], extra: 1}) { t } } }',
  'query($n: Any) { Get { A(nearText: $n) { t } } }',
  'query($c: Any) { Get { A(nearText: {concepts: $c}) { t } } }',
  '{ Get { A(nearText: {concepts: {a: 1}}) { t } } }',
  '{ Get { A(nearText: {concepts: ["a"]}) @new(x: 1) { t } } }',
  '{ Get { A(nearText: {concepts: ["a"]}) { t(x: 1) } } }',
  '{ New { A(nearText: {concepts: ["a"]}) { t } } }',
  '{ Get { A { _additional { rerank(property: "t", extra: 1) { score } } } } }',
  '{ Get { A(nearText: {concepts: ["a"]}) { _additional { fresh(x: 1) } } } }',
])('has a part that is not known to be harmless: %s', (text) => {
  expect(use(text, { n: { concepts: ['a'] }, c: { a: 1 } }).doubt).toBeDefined();
});

test.each(['$v', '[$v]', 'null', '{v: []}', '"x"'])(
  'a hybrid search with the vector %s calls a module: it may be empty',
  (vector) => {
    const text = `query($v: [Float]) { Get { A(hybrid: {query: "a", vector: ${vector}}) { t } } }`;
    expect(use(text, { v: [] }).collections).toEqual(new Set(['A']));
  },
);

test.each([
  ...['baseURL', 'baseurl', 'apiEndpoint', 'endpoint', 'region', 'location', 'projectId', 'resourceName'],
  ...[
    'deploymentId',
    'isAzure',
    'apiVersion',
    'service',
    'targetModel',
    'targetVariant',
    'endpointId',
    'other',
  ],
])('generate with %s is refused', (name) => {
  expect(() => use(generate(`singleResult: {prompt: "a", openai: {${name}: "x"}}`))).toThrow();
  expect(() => use(generate(`groupedResult: {task: "a", aws: {${name}: 1}}`))).toThrow();
});

test.each<[string, Json?]>([
  [generate('singleResult: {prompt: {a: 1}}')],
  [generate('singleResult: $s').replace('{ Get', 'query($s: String) { Get'), { s: 'a' }],
  [
    generate('singleResult: {prompt: "a", openai: $o}').replace('{ Get', 'query($o: String) { Get'),
    { o: 'a' },
  ],
  [
    generate('singleResult: {prompt: $p}').replace('{ Get', 'query($p: String) { Get'),
    { P: { baseURL: 'x' } },
  ],
  [generate('singleResult: {prompt: $p}').replace('{ Get', 'query($p: String = "a") { Get')],
  [generate('singleResult: {prompt: "a", openai: {model: "//evil"}}')],
  [generate('singleResult: {prompt: "a", openai: {model: "a@evil"}}')],
  [generate('singleResult: {prompt: "a", openai: {model: ["https://evil"]}}')],
  [generate('singleResult: {prompt: "a", openai: {images: ["https://evil"]}}')],
  ['query($n: Any) { Get { A(nearText: $n) { t } } }', { n: { list: [{ BASEURL: 'x' }] } }],
])('names an address, or could: %s', (text, variables) => {
  expect(() => use(text, variables)).toThrow();
});
