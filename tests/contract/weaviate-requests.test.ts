import { type BrowseRequest, type Filter, rowAt, type Session } from '@trestle/driver-kit';
import { startVectorNode } from '@trestle/vector-node';
import { connectPath, fromBinary, SearchRequestSchema, toJson } from '@trestle/weaviate-connect';
import { expect, onTestFinished, test } from 'vitest';
import { type Fate, type HttpProxy, startHttpProxy } from '../faults/http-proxy.ts';
import { call, connectWeaviate, weaviateRest } from './weaviate-target.ts';

/** The requests that the driver sends, seen by a proxy in front of the sample node. */

async function behindProxy(): Promise<{ proxy: HttpProxy; session: Session; port: number }> {
  const node = await startVectorNode();
  onTestFinished(() => node.stop());
  const proxy = await startHttpProxy(node.port);
  onTestFinished(() => proxy.close());
  const session = await connectWeaviate(proxy.port);
  onTestFinished(() => session.close());
  // Finds out how the server takes queries.
  await session.health(call);
  proxy.requests.length = 0;
  return { proxy, session, port: node.port };
}

const sent = (proxy: HttpProxy) =>
  proxy.requests.splice(0).map(({ method, path }) => `${method} ${path.split('?')[0]}`);

test('describing one collection reads the schema once, and so does describing all of them', async () => {
  const { proxy, session, port } = await behindProxy();
  await session.describeTable('Species', call);
  expect(sent(proxy)).toEqual(['GET /v1/schema']);
  const names = async () =>
    (await session.describeTables?.({ limit: 100 }, call))?.tables.map((one) => one.name);
  expect(await names()).toEqual(['Invention', 'Mission', 'MuseumNote', 'Species']);
  expect(sent(proxy)).toEqual(['GET /v1/schema']);
  await weaviateRest(port, 'DELETE', '/schema/Mission');
  expect(await names()).toEqual(['Invention', 'MuseumNote', 'Species']);
});

test('collections that are described at once, or right after the list, share one read of the schema', async () => {
  const { proxy, session } = await behindProxy();
  const names = ['Invention', 'Mission', 'MuseumNote', 'Species'];
  const describeEach = () => Promise.all(names.map((name) => session.describeTable(name, call)));
  expect((await describeEach()).map(({ name }) => name)).toEqual(names);
  expect(sent(proxy)).toEqual(['GET /v1/schema']);
  await session.listTables(call);
  await describeEach();
  expect(sent(proxy)).toEqual(['GET /v1/schema']);
});

test('a call that leaves a shared read of the schema does not end it for the others', async () => {
  const { proxy, session } = await behindProxy();
  const arrived = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  proxy.decide = async (): Promise<Fate> => {
    arrived.resolve();
    await held.promise;
    return 'pass';
  };
  const leave = new AbortController();
  const left = session.describeTable('Mission', { signal: leave.signal });
  const stays = session.describeTable('Species', call);
  await arrived.promise;
  leave.abort();
  await expect(left).rejects.toMatchObject({ code: 'cancelled' });
  held.resolve();
  expect((await stays).name).toBe('Species');
  expect(sent(proxy)).toEqual(['GET /v1/schema']);
});

test('after a statement that may write, the schema is read again', async () => {
  const { session } = await behindProxy();
  await session.describeTable('Mission', call);
  const text = 'POST /v1/schema/Mission/properties {"name": "extra", "dataType": ["text"]}';
  await session.run({ text, ceiling: 'destroy', limit: 1 }, call);
  const { columns } = await session.describeTable('Mission', call);
  expect(columns.map(({ name }) => name)).toContain('extra');
});

test('a page without filter and sort is one GET of objects; a filter or a sort makes it a search over Connect', async () => {
  const { proxy, session } = await behindProxy();
  const page = { table: 'Mission', limit: 5, offset: 5, columns: ['name'] };
  const requests = async (question: Partial<BrowseRequest>) => {
    await session.browse({ ...all, ...page, ...question }, call);
    const seen = proxy.requests.splice(0).filter(({ path }) => path !== '/v1/schema');
    return seen.map(({ method, path, bytes }) => [
      `${method} ${path}`,
      path === connectPath('Search') && toJson(SearchRequestSchema, fromBinary(SearchRequestSchema, bytes)),
    ]);
  };
  const filters: Filter[] = [
    { column: 'crewed', operator: 'equals', value: true },
    { column: 'launched', operator: 'greater_or_equal', value: '1969-07-16T00:00:00Z' },
  ];
  const sort = [{ column: 'name', order: 'desc' as const }];
  expect(await requests({})).toEqual([['GET /v1/objects?class=Mission&limit=5&offset=5', false]]);
  const where = {
    operator: 'OPERATOR_AND',
    filters: [
      { operator: 'OPERATOR_EQUAL', target: { property: 'crewed' }, valueBoolean: true },
      {
        operator: 'OPERATOR_GREATER_THAN_EQUAL',
        target: { property: 'launched' },
        valueText: '1969-07-16T00:00:00Z',
      },
    ],
  };
  // Equal names are ordered by id, so that no row is on two pages.
  const byId = { path: ['_id'], ascending: true };
  const sorted = { sortBy: [{ path: ['name'] }, byId] };
  const search = (given: object) => [
    [
      `POST ${connectPath('Search')}`,
      {
        ...{ collection: 'Mission', limit: 5, offset: 5, uses127Api: true },
        metadata: { uuid: true },
        properties: { nonRefProperties: ['name'] },
        ...given,
      },
    ],
  ];
  expect(await requests({ filters, sort })).toEqual(search({ filters: where, ...sorted }));
  expect(await requests({ sort })).toEqual(search(sorted));
  expect(await requests({ filters })).toEqual(search({ filters: where, sortBy: [byId] }));
});

const all = { filters: [], match: 'all' as const, sort: [] };

/** Applies a fault to the first request that matches `wanted`. All later requests pass. */
function breakOnce(proxy: HttpProxy, wanted: RegExp, fate: Fate): void {
  proxy.decide = ({ method, path }) => {
    if (!wanted.test(`${method} ${path}`)) return 'pass';
    proxy.decide = () => 'pass';
    return fate;
  };
}

test.each(['reset', 'resetAfter', 'cut'] as const)(
  'a read whose socket breaks (%s) is retried once',
  async (fate) => {
    const { proxy, session } = await behindProxy();
    const page = () => session.browse({ ...all, table: 'Species', limit: 5, offset: 0 }, call);
    const whole = await page();
    breakOnce(proxy, /^GET .v1.objects/, fate);
    proxy.requests.length = 0;
    expect(await page()).toEqual(whole);
    expect(sent(proxy)).toEqual(['GET /v1/objects', 'GET /v1/objects']);
    const count = () => session.count({ ...all, table: 'Species' }, call);
    const total = await count();
    breakOnce(proxy, /Aggregate/, fate);
    expect(await count()).toBe(total);
    expect(sent(proxy)).toEqual(Array.from({ length: 3 }, () => `POST ${connectPath('Aggregate')}`));
  },
);

test('a read that breaks twice fails as a lost connection', async () => {
  const { proxy, session } = await behindProxy();
  proxy.decide = () => 'reset';
  await expect(session.listTables(call)).rejects.toMatchObject({ code: 'connection_failed' });
  expect(sent(proxy)).toEqual(['GET /v1/schema', 'GET /v1/schema']);
});

test('a write whose answer is lost is not sent again', async () => {
  const { proxy, session } = await behindProxy();
  breakOnce(proxy, /^POST .v1.objects/, 'resetAfter');
  const text = 'POST /v1/objects {"class":"MuseumNote","tenant":"x","properties":{}}';
  await expect(session.run({ text, ceiling: 'write', limit: 1 }, call)).rejects.toMatchObject({
    code: 'connection_failed',
  });
  // The schema says whether the collection exists: a client must not create one by a misspelt name.
  expect(sent(proxy)).toEqual(['GET /v1/schema', 'POST /v1/objects']);
});

test('an export gives each object once although every third request breaks', async () => {
  const { proxy, session, port } = await behindProxy();
  await weaviateRest(port, 'POST', '/schema', {
    class: 'Leaf',
    vectorizer: 'none',
    properties: [{ name: 'ordinal', dataType: ['int'] }],
  });
  const objects = Array.from({ length: 30_000 }, (_, ordinal) => ({
    class: 'Leaf',
    properties: { ordinal },
  }));
  await weaviateRest(port, 'POST', '/batch/objects', { objects });
  let count = 0;
  const fates = ['reset', 'resetAfter', 'cut'] as const;
  proxy.decide = () => (++count % 3 === 0 ? fates[(count / 3) % 3]! : 'pass');
  const seen: unknown[] = [];
  for await (const rows of session.exportRows!({ ...all, table: 'Leaf', columns: ['ordinal'] }, call)) {
    for (let row = 0; row < rows.rowCount; row++) seen.push(rowAt(rows, row).ordinal);
  }
  expect(seen.sort((a, b) => Number(a) - Number(b))).toEqual(
    objects.map(({ properties }) => properties.ordinal),
  );
  expect(count).toBeGreaterThan(5);
});

test('a save reports the answers that arrived, without waiting for the others', async () => {
  const { proxy, session } = await behindProxy();
  const held: (() => void)[] = [];
  proxy.decide = async ({ method, path }): Promise<Fate> => {
    if (method === 'POST' && path === '/v1/objects') await new Promise<void>((resolve) => held.push(resolve));
    return 'pass';
  };
  const changes = Array.from({ length: 3 }, (_, at) => ({
    kind: 'insert' as const,
    id: `new ${at}`,
    values: { name: `Mission ${at}` },
  }));
  const save = session.applyChanges!({ table: 'Mission', changes, rowTimeoutMs: 60_000 }, call);
  const reports = save[Symbol.asyncIterator]();
  expect((await reports.next()).value).toMatchObject({ sent: ['new 0', 'new 1', 'new 2'], outcomes: [] });
  const first = reports.next();
  await expect.poll(() => held.length).toBe(3);
  for (const pass of held.splice(0, 2)) pass();
  const outcomes = (await first).value!.outcomes;
  // Two inserts are answered, perhaps in two reports. The third insert still waits.
  while (outcomes.length < 2) outcomes.push(...(await reports.next()).value!.outcomes);
  expect(outcomes.map(({ status }: { status: string }) => status)).toEqual(['applied', 'applied']);
  held[0]?.();
  expect((await reports.next()).value!.outcomes).toMatchObject([{ status: 'applied' }]);
});
