import { expect, test } from 'vitest';
import { readRestLine } from './rest-line.ts';

test.each([
  ['GET /nodes', { method: 'GET', path: '/v1/nodes', effect: 'read' }],
  ['get nodes', { method: 'GET', path: '/v1/nodes', effect: 'read' }],
  ['GET /v1/schema', { method: 'GET', path: '/v1/schema', effect: 'read' }],
  ['# a note\nGET /objects?limit=5&class=A', { path: '/v1/objects', query: { limit: '5', class: 'A' } }],
  ['POST /objects {"class":"A"}', { method: 'POST', body: { text: '{"class":"A"}' }, effect: 'write' }],
  ['POST /objects\n{\n  "class": "A"\n}', { body: { text: '{"class":"A"}' }, effect: 'write' }],
  ['GET /schema\n# end\n  # of it', { path: '/v1/schema', body: undefined, effect: 'read' }],
  [
    'POST /objects\r\n# the body\r\n{\r\n\t# its class\r\n  "class": "#A"\r\n}\r\n# end',
    { path: '/v1/objects', body: { text: '{"class":"#A"}' }, effect: 'write' },
  ],
  ['POST /objects {"a":"x\u2028# y"}', { body: { value: { a: 'x\u2028# y' } } }],
  ['GET /%6fbjects/%41', { path: '/v1/objects/A', segments: ['objects', 'A'] }],
  ['POST /graphql {"query":"{ Get { A { x } } }"}', { effect: 'read' }],
  ['PATCH /objects/A/1 {}', { effect: 'write' }],
  ['DELETE /objects/A/1', { effect: 'write' }],
  ['DELETE /objects/1', { effect: 'destroy' }],
  ['delete /schema/A', { method: 'DELETE', effect: 'destroy' }],
  ['DELETE /batch/objects {}', { effect: 'destroy' }],
  ['DELETE /schema/A/tenants ["x"]', { effect: 'destroy' }],
  ['POST /backups/filesystem {}', { effect: 'destroy' }],
  ['PUT /something/new {}', { effect: 'destroy' }],
])('%j is read as %j', (text, expected) => {
  expect(readRestLine(text)).toMatchObject(expected);
});

test.each([
  'GET http://elsewhere.example/v1/schema',
  'GET //elsewhere.example/v1/schema',
  'GET \\\\elsewhere.example\\x',
  'GET /../admin',
  'GET /v1/%2e%2e/admin',
  'GET /v1/%252e%252e/admin',
  'GET /v1/a%2f..%2fb',
  'GET /v1/a%00b',
  'GET /v1/%zz',
  'GET /schema#x',
  'GET /schema\nDELETE /schema/A',
  'GET /schema {"a":1}',
  'POST /objects {not json',
  'GET /schema # end',
  'POST /objects {"a":1 # one\n}',
  'POST /objects {"a":"x\n# y\n"}',
  'POST /objects {"a":"x\n# y"}',
  'POST /objects {"a":1}\n# end\nDELETE /schema/A',
  'POST /objects {"a":1}\nDELETE /schema/A',
])('%j is refused', (text) => {
  expect(() => readRestLine(text)).toThrow(expect.objectContaining({ code: 'refused' }));
});

test.each(['{ Get { A { x } } }', 'query { Get { A { x } } }', 'GETTER /x', 'TRACE /x', ''])(
  '%j is not a REST line',
  (text) => {
    expect(readRestLine(text)).toBeNull();
  },
);
