import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Change } from '@trestle/driver-kit';
import { directDial } from '@trestle/driver-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { driver } from './driver.ts';
import { call, openFixed, Refusal } from './testing/fixed-server.ts';

const page = { table: 'Thing', filters: [], match: 'all' as const, sort: [], limit: 10, offset: 0 };
const properties = [
  { name: 'place', dataType: ['geoCoordinates'] },
  { name: 'phone', dataType: ['phoneNumber'] },
  { name: 'inner', dataType: ['object'], nestedProperties: [{ name: 'n', dataType: ['int'] }] },
  { name: 'picture', dataType: ['blob'] },
  { name: 'n', dataType: ['int'] },
];
const schema = { classes: [{ class: 'Thing', properties }] };

test.each([
  null,
  'text',
  [],
  { classes: 7 },
  { classes: [{ class: 3 }] },
  { classes: [{ class: 'A', properties: 1 }] },
])('the schema %j gives a clear message, not an internal error', async (wrong) => {
  const { session } = await openFixed(() => wrong);
  await expect(session.listTables(call)).rejects.toMatchObject({
    code: 'query_failed',
    message: "The answer to /v1/schema does not have the form of Weaviate's answers",
    hint: 'Check host and port, and whether a proxy changes the answers.',
  });
});

test.each([null, 7, { objects: 'none' }, { objects: [{ id: 12 }] }])(
  'the page %j gives a clear message, not an internal error',
  async (wrong) => {
    const { session } = await openFixed(
      () => schema,
      () => wrong,
    );
    await expect(session.browse(page, call)).rejects.toMatchObject({
      code: 'query_failed',
      message: "The answer to /v1/objects does not have the form of Weaviate's answers",
    });
  },
);

test.each([null, [], { data: 3 }, { data: { Aggregate: 'many' } }, { data: { Aggregate: { Thing: [{}] } } }])(
  'the answer %j to a count is not shown as 0',
  async (wrong) => {
    const { session } = await openFixed(
      () => schema,
      () => wrong,
    );
    await expect(session.count(page, call)).rejects.toMatchObject({ code: 'query_failed' });
  },
);

test('a value of another form than the schema says is shown as it came, and hides no other row', async () => {
  const objects = [
    { id: '1', properties: { place: 'here', phone: '12', inner: 7, picture: '%%%', n: { a: 1 } } },
    { id: '2', properties: 'none' },
    { id: '3', properties: { place: [1, 2], phone: [], inner: [7] } },
  ];
  const { session } = await openFixed(
    () => schema,
    () => ({ objects }),
  );
  const { rows } = await session.browse(
    { ...page, columns: ['uuid', 'place', 'phone', 'inner', 'picture', 'n'] },
    call,
  );
  expect(rows.values).toMatchObject([
    { cells: ['1', '2', '3'] },
    { cells: ['here', null, [1, 2]] },
    { cells: ['12', null, []] },
    { cells: [7, null, [7]] },
    { cells: ['%%%', null, null] },
    { cells: [{ a: 1 }, null, null] },
  ]);
});

test.each([
  ['a cut body', 200, '{"class":"Thing","id":"0'],
  ['a web page', 200, '<html>'],
  ['no id', 200, '{"class":"Thing"}'],
  ['a page of a proxy', 504, '<html>'],
  ['too few replicas', 500, '{"error":[{"message":"put object: broadcast: cannot reach enough replicas"}]}'],
])('a row whose insert was answered with %s is not reported as failed', async (_name, status, body) => {
  const server = createServer((request, response) => {
    if (request.url === '/v1/meta') return response.end('{"version":"1.39.0"}');
    if (request.url === '/v1/schema') return response.end(JSON.stringify(schema));
    response.statusCode = status;
    return response.end(body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' };
  const session = await driver.connect({ fields, log: () => {}, dial: directDial(fields) }, call);
  onTestFinished(() => session.close());
  const changes: Change[] = [{ kind: 'insert', id: 'new', values: { n: 1 } }];
  const reports = await Array.fromAsync(
    session.applyChanges!({ table: 'Thing', changes, rowTimeoutMs: 10_000 }, call),
  );
  expect(reports.flatMap(({ outcomes }) => outcomes)).toMatchObject([{ id: 'new', status: 'unknown' }]);
});

test('if a starting node does not find a collection yet, the error names the collection and says what to do', async () => {
  const { session } = await openFixed(
    () => schema,
    () => new Refusal(404, ''),
  );
  await expect(session.browse(page, call)).rejects.toMatchObject({
    code: 'not_found',
    message: 'The server does not find the collection "Thing"',
    hint: 'It was deleted, or the server has just started. Refresh, and try again.',
  });
});

test('another object than the one that was asked for gives a clear message', async () => {
  const id = '6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10';
  const { session } = await openFixed(
    () => schema,
    () => ({ id: id.replace('6', '7'), properties: {} }),
  );
  const request = { table: 'Thing', keys: [{ uuid: id.toUpperCase() }], columns: ['n'] };
  await expect(session.readCells!(request, call)).rejects.toMatchObject({
    code: 'query_failed',
    message: expect.stringContaining("does not have the form of Weaviate's answers"),
  });
});
