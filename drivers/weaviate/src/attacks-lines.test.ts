import { driverErrorDetails } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, openFixed } from './testing/fixed-server.ts';

const schema = () => ({
  classes: ['Decoy', 'Person'].map((name) => ({
    class: name,
    vectorizer: 'none',
    properties: [{ name: 'name', dataType: ['text'] }],
  })),
});

const deep = (depth: number) => `${'{ a '.repeat(depth)}${'}'.repeat(depth)}`;

/** Each fragment uses the next one twice, so the expanded query has more than 2 to the power of `count` fields. */
const doubling = (count: number) =>
  `{ Get { Person { ...F0 } } } ${Array.from(
    { length: count },
    (_, index) => `fragment F${index} on Person { a${index} { ...F${index + 1} } ...F${index + 1} }`,
  ).join(' ')} fragment F${count} on Person { name }`;

/**
 * A caller that may only read must not be able to send anything but a read. The server's answer does not
 * matter here.
 */
const lines = [
  'delete /schema/Person',
  'DeLeTe /schema/Person',
  'PURGE /schema/Person',
  'TRACE /schema',
  'CONNECT 127.0.0.1:22',
  'GET\tDELETE /schema/Person',
  'GET /schema\nDELETE /schema/Person',
  'GET /schema\r\nDELETE /schema/Person HTTP/1.1\r\n\r\n',
  'GET /schema HTTP/1.1\r\nX-HTTP-Method-Override: DELETE',
  'GET /schema\u0085DELETE /schema/Person',
  'GET /schema\u2028DELETE /schema/Person',
  'GET http://evil.example/v1/schema',
  'GET //evil.example/v1/schema',
  'GET \\\\evil.example\\v1\\schema',
  'GET @evil.example/v1/schema',
  'GET /@evil.example',
  'GET /../../schema',
  'GET /v1/../../etc/passwd',
  'GET /v1/%2e%2e/%2e%2e/etc/passwd',
  'GET /v1/..;/schema',
  'GET /objects/../schema/Person',
  'DELETE /objects/../schema/Person',
  'POST /graphql/../schema {"class":"X"}',
  'POST /graphql/../batch/objects {"objects":[]}',
  'POST /graphql%2f..%2fschema {"class":"X"}',
  'POST /graphql/batch [{"query":"{ Get { Person { name } } }"}]',
  'POST /graphql?x=/schema {"class":"X"}',
  'POST /schema#/graphql {"class":"X"}',
  'POST /schema;/graphql {"class":"X"}',
  'POST /schema?/graphql {"class":"X"}',
  'HEAD /schema/Person\n\nDELETE /schema/Person',
  'PUT /schema/Person {"class":"Person"}',
  'PATCH /objects/Person/1 {"class":"Person"}',
  'POST /objects/validate\u0000/../ {"class":"Person"}',
  'POST /classifications {"type":"knn","class":"Person"}',
  'POST /backups/filesystem {"id":"x"}',
  'POST /backups/filesystem/x/restore {}',
  'DELETE /backups/filesystem/x',
  'POST /authz/roles {"name":"x"}',
  'POST /users/db/x {}',
  'POST /users/db/x/rotate-key',
  'POST /replication/replicate {}',
  'PUT /aliases/x {"class":"Person"}',
  'POST /tasks',
  'POST /schema/Person/tenants [{"name":"a"}]',
  'PUT /schema/Person/tenants [{"name":"a","activityStatus":"FROZEN"}]',
  'DELETE /schema/Person/tenants ["a"]',
  'PUT /schema/Person/shards/x {"status":"READONLY"}',
  'POST /objects/Person/1/references/x {}',
  'GET /objects {"class":"Person"}',
  'DELETE /objects/Person/1?consistency_level=ALL',
  'POST /v1/v1/schema {"class":"X"}',
  'POST /.well-known/../schema {"class":"X"}',
  'mutation { delete { Person } }',
  'subscription { Person }',
  'mutation A { a } query B { Get { Person { name } } }',
  'query A { Get { Decoy { name } } } query B { Get { Person { name } } }',
  '{ __typename @include(if: true) } mutation { x }',
  'query ($v: String = "x") { Get { Person(where: $v) { name } } }',
  'fragment F on X { ...F } { Get { ...F } }',
  'extend schema { mutation: M }',
  'type Query { a: Int }',
  'schema { mutation: Query }',
  deep(5_000),
  `{ Get { ${'a: Person { name } '.repeat(5_000)} } }`,
  `{ Get { Person(where: ${'{operator: And, operands: ['.repeat(500)}${']}'.repeat(500)}) { name } } }`,
  doubling(30),
  doubling(2_000),
  // Each quote could begin a string. A parser that tries every quote as the beginning of a string would take hours.
  `{ a(x: "${'\\"'.repeat(1_000_000)}`,
  `{"query":"mutation { x }"}`,
  'POST /graphql {"query":"mutation { x }"}',
  'POST /graphql {"query":"{ a }","operationName":"x","extensions":{"persistedQuery":{}}}',
  'POST /graphql {"query":["{ a }"]}',
  'POST /graphql {"variables":{"x":1}}',
  'POST /graphql "{ a }"',
  'POST /graphql\n\n{ a }',
  'POST /grpc-web/weaviate.v1.Weaviate/Search {"collection":"Person"}',
  'POST /v1/grpc-web/weaviate.v1.Weaviate%2FSearch {"collection":"Person"}',
  'POST /grpc-web/weaviate.v1.Weaviate/BatchDelete {"collection":"Person","dryRun":true}',
  'POST /grpc-web/weaviate.v1.Weaviate/Search/../BatchObjects {"objects":[]}',
  'POST /GRPC-WEB/weaviate.v1.Weaviate/BatchReferences {"references":[]}',
];

test.each(lines.map((line) => [line.slice(0, 80), line] as const))(
  '%s sends only reads, and only to paths below /v1/',
  async (_, text) => {
    const { session, asked } = await openFixed(schema);
    await session.run({ text, ceiling: 'read', limit: 1 }, call).catch((error: unknown) => {
      expect(driverErrorDetails(error).code).not.toBe('internal');
    });
    const others = asked.filter(
      ({ method, url, body }) =>
        !(
          method === 'GET' ||
          method === 'HEAD' ||
          (method === 'POST' && url === '/v1/graphql' && !/mutation/.test(body))
        ),
    );
    expect(others).toEqual([]);
    expect(
      asked.every(
        ({ url }) => url.startsWith('/v1/') && !url.split('/').some((part) => /^(\.|%2e)+$/i.test(part)),
      ),
    ).toBe(true);
  },
);

const many = 20_000;

test.each([
  ['a triple quote that is escaped in a block string', `{ a(x: """\\""" """) ${deep(many)} c(y: """ """) }`],
  ['a block string with brackets', `{ a(x: """ ${'}'.repeat(many)} """) ${deep(many)} }`],
  [
    'an escaped triple quote and one more quote in a block string',
    `{ a(x: """ \\"""" """) ${deep(many)} c(y: """ """) }`,
  ],
  ['a quote that is escaped in a string', `{ a(x: "\\"", y: "\\\\") ${deep(many)} }`],
  ['an empty string', `{ a(x: "", y: """""") ${deep(many)} }`],
  ['quotes in a comment', `{ a # """\n ${deep(many)} # """\n }`],
  ['a comment with a line separator', `# \u2028${'}'.repeat(many)}\n${deep(many)}`],
  ['a comment that ends at a carriage return', `# "\r${deep(many)}`],
  ['an unclosed string after the deep part', `{ a ${deep(many)} b(x: "`],
  ['an unclosed block string after the deep part', `{ a ${deep(many)} b(x: """ \\"""`],
])('a query that is nested too deep is refused, also with %s', async (_, text) => {
  const { session, asked } = await openFixed(schema);
  await expect(session.classify(text, call)).rejects.toMatchObject({
    code: 'refused',
    message: 'The query is nested more than 200 levels deep',
  });
  expect(asked).toEqual([]);
});

test.each([`{ a(x: "${'{'.repeat(many)}`, `{ a(x: """${'{'.repeat(many)}`, `{ a(x: "\n${deep(many)}`])(
  'a query with an unclosed string is a syntax error, and does not count as nested too deep: %#',
  async (text) => {
    const { session } = await openFixed(schema);
    await expect(session.classify(text, call)).rejects.toMatchObject({ code: 'query_failed' });
  },
);

test.each([`{ a(x: "${'{'.repeat(many)}") }`, `{ a # ${'{'.repeat(many)}\n }`])(
  'brackets in strings and comments do not count as levels: %#',
  async (text) => {
    const { session } = await openFixed(schema);
    expect(await session.classify(text, call)).toMatchObject({ effect: 'read' });
  },
);
