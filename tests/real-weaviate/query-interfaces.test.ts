import { randomUUID } from 'node:crypto';
import { type BrowseRequest, type Filter, rowAt, type Session } from '@trestle/driver-kit';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { newestWeaviate } from '../../scripts/weaviate/versions.ts';
import { type Fate, type HttpProxy, startHttpProxy } from '../faults/http-proxy.ts';
import { call, connect, rest } from './servers.ts';

const server = inject('weaviateServers').find(({ version }) => version === newestWeaviate);
const table = `Offered${randomUUID().slice(0, 8)}`;
const target = `${table}Target`;
const id = (number: number) => `55555555-5555-4555-8555-00000000000${number}`;

const missing: Fate = { status: 404, body: '{"code":404,"message":"path was not found"}', reaches: false };
const turnedOff: Fate = {
  status: 422,
  body: '{"error":[{"message":"graphql api is disabled"}]}',
  reaches: false,
};

/** How a server takes queries, seen by a proxy in front of it. */
describe.skipIf(!server)('the interface for queries', () => {
  const { port, graphqlPort } = server ?? { port: 1, graphqlPort: 1 };

  beforeAll(async () => {
    for (const one of [port, graphqlPort]) {
      const text = { dataType: ['text'] };
      await rest(one, 'POST', '/schema', { class: target, properties: [{ name: 'title', ...text }] });
      await rest(one, 'POST', '/schema', {
        class: table,
        vectorConfig: { v: { vectorizer: { none: {} }, vectorIndexType: 'flat' } },
        invertedIndexConfig: { indexNullState: true, indexTimestamps: true },
        properties: [
          { name: 'title', ...text },
          { name: 'kind', ...text, tokenization: 'field' },
          { name: 'n', dataType: ['int'] },
          { name: 'link', dataType: [target] },
        ],
      });
      await rest(one, 'POST', '/objects', { class: target, id: id(9), properties: { title: 'The target' } });
      for (const number of [0, 1, 2, 3, 4]) {
        const link = [{ beacon: `weaviate://localhost/${target}/${id(9)}` }];
        const properties = {
          title: `moon ${number}`,
          kind: number % 2 ? 'odd' : 'even',
          n: 3e9 + number,
          link,
        };
        const vectors = { v: [number, 1] };
        await rest(one, 'POST', '/objects', { class: table, id: id(number), properties, vectors });
      }
    }
  });
  afterAll(async () => {
    for (const one of [port, graphqlPort])
      for (const name of [table, target]) await rest(one, 'DELETE', `/schema/${name}`);
  });

  async function behindProxy(at: number, decide: HttpProxy['decide'] = () => 'pass') {
    const proxy = await startHttpProxy(at);
    onTestFinished(() => proxy.close());
    proxy.decide = decide;
    const session = await connect(proxy.port);
    onTestFinished(() => session.close());
    const used = () => new Set(proxy.requests.splice(0).map(({ path }) => pathOf(path)));
    return { proxy, session, used };
  }

  const odd: Filter = { column: 'kind', operator: 'equals', value: 'odd' };
  const page: BrowseRequest = { table, filters: [odd], match: 'all', sort: [], limit: 10, offset: 0 };

  /** What the grid, the searches, an export, a map, a copy and an import ask for. */
  async function workOf(session: Session) {
    const sorted = { ...page, sort: [{ column: 'n', order: 'desc' as const }] };
    const { rows } = await session.browse({ ...sorted, columns: ['n', 'link', 'vector: v'] }, call);
    const all = { ...page, filters: [], columns: ['uuid', 'title', 'vector: v'] };
    const plain = await session.browse(all, call);
    const exported: unknown[] = [];
    for await (const batch of session.exportRows!(page, call))
      for (let row = 0; row < batch.rowCount; row++) exported.push(rowAt(batch, row).title);
    const sampled = await Array.fromAsync(session.sampleRows!({ ...page, rows: 2 }, call));
    const search = { table, filters: [odd], match: 'all' as const, limit: 1 };
    const near = await session.search!({ ...search, mode: 'near_vector', vector: [3, 1] }, call);
    const keyword = await session.search!({ ...search, mode: 'keyword', text: 'moon', explain: true }, call);
    const hybrid = await session.search!({ ...search, mode: 'hybrid', text: 'moon', vector: [3, 1] }, call);
    const object = await session.search!({ ...search, mode: 'near_object', objectId: id(3) }, call);
    const groupBy = { column: 'kind', groups: 2, rowsPerGroup: 1 };
    const grouped = await session.search!({ ...search, mode: 'near_vector', vector: [3, 1], groupBy }, call);
    const cells = [rowAt(rows, 0).link!];
    const titles = await session.readReferences!({ table, column: 'link', cells }, call);
    const changes = [{ kind: 'insert' as const, id: 'x', values: { uuid: id(1), title: 'again' } }];
    const imported = await Array.fromAsync(
      session.importRows!({ table, changes, rowTimeoutMs: 20_000 }, call),
    );
    return {
      sorted: [rowAt(rows, 0).n, rowAt(rows, 1).n],
      vectors: rows.values.at(-1),
      plain: plain.rows.values,
      whole: (await Array.fromAsync(session.exportRows!(all, call))).map(({ values }) => values),
      count: await session.count(page, call),
      exported,
      sampled: sampled.reduce((sum, { rowCount }) => sum + rowCount, 0),
      nearest: [near, hybrid, object].map(({ rows }) => rowAt(rows, 0).title),
      score: rowAt(keyword.rows, 0).score,
      terms: keyword.explanations?.[0]?.terms?.map(({ term }) => term),
      groups: grouped.groups,
      titles: titles[0]?.map(({ title }) => title),
      found: (await session.findReferences!({ table, column: 'link', text: 'targ', limit: 5 }, call)).length,
      imported: imported.flatMap(({ outcomes }) => outcomes.map(({ status }) => status)),
      changeMark: typeof (await session.changeMark!(table, call)),
      lost: (await session.measure({ text: `DELETE /v1/schema/${table}` }, call)).tables,
    };
  }

  test('with both, the driver sends nothing to GraphQL, and has the same results as with GraphQL alone', async () => {
    const both = await behindProxy(graphqlPort);
    const work = await workOf(both.session);
    const sent = both.used();
    expect([...sent].filter((path) => path.includes('graphql'))).toEqual([]);
    expect(sent).toContain('/v1/grpc-web/weaviate.v1.Weaviate/Search');
    expect(work).toMatchObject({ sorted: [3e9 + 3, 3e9 + 1], count: 2, exported: ['moon 1', 'moon 3'] });
    const alone = await behindProxy(graphqlPort, ({ path }) => (isConnect(path) ? missing : 'pass'));
    expect(await workOf(alone.session)).toEqual(work);
    expect(alone.used()).toContain('/v1/graphql');
  });

  // Weaviate 1.28 to 1.38.2 have GraphQL alone, and operators that the oldest tested version lacks.
  test('with GraphQL alone, the operators of newer servers find the rows that they should', async () => {
    const { session, used } = await behindProxy(graphqlPort, ({ path }) =>
      isConnect(path) ? missing : 'pass',
    );
    const rows = [0, 1, 2, 3, 4].map((n) => ({ n, title: `moon ${n}`, kind: n % 2 ? 'odd' : 'even' }));
    const cases: [Filter[], (row: (typeof rows)[number]) => boolean][] = [
      [[{ column: 'kind', operator: 'not_contains', value: 'ev' }], ({ kind }) => !kind.includes('ev')],
      [[{ column: 'title', operator: 'not_contains', value: '3' }], ({ n }) => n !== 3],
      [[{ column: 'uuid', operator: 'not_contains', value: '0002' }], ({ n }) => n !== 2],
      [[{ column: 'title', operator: 'not_equals', value: 'moon 3' }], ({ n }) => n !== 3],
      [
        [{ column: 'title', operator: 'not_in_list', value: ['moon 1', 'moon 4'] }],
        ({ n }) => n !== 1 && n !== 4,
      ],
      [
        [odd, { column: 'title', operator: 'not_contains', value: '3' }],
        ({ n, kind }) => n !== 3 && kind === 'odd',
      ],
    ];
    for (const [filters, holds] of cases) {
      const found = await session.browse({ ...page, filters, columns: ['uuid'] }, call);
      const seen = Array.from({ length: found.rows.rowCount }, (_, at) => String(rowAt(found.rows, at).uuid));
      const uuids = rows.filter(holds).map(({ n }) => id(n));
      expect([filters, seen.sort()]).toEqual([filters, uuids]);
      expect(await session.count({ ...page, filters }, call)).toBe(uuids.length);
    }
    const search = { table, filters: [], match: 'all' as const, limit: 5, mode: 'keyword' as const };
    const all = await session.search!({ ...search, text: 'moon 3', allWords: true }, call);
    expect(all.rows.rowCount).toBe(1);
    expect(used()).toContain('/v1/graphql');
  });

  test('a text of the user goes to GraphQL as it is, and a text of a client over Connect', async () => {
    const { session, used } = await behindProxy(graphqlPort);
    const text = `{ Get { ${table}(limit: 1) { title } } }`;
    const request = { text, ceiling: 'read', limit: 5 } as const;
    const found = [{ kind: 'rows', rows: { rowCount: 1 } }];
    expect((await session.run(request, call)).results).toMatchObject(found);
    expect(used()).not.toContain('/v1/graphql');
    expect((await session.run({ ...request, outbound: 'user' }, call)).results).toMatchObject(found);
    expect(used()).toContain('/v1/graphql');
  });

  test('with neither, the test of the connection says so, a page without a filter works, and each query says why it does not', async () => {
    const { session } = await behindProxy(port, ({ path }) => (isConnect(path) ? missing : 'pass'));
    const { warning } = await session.health(call);
    expect(warning).toMatch(/^This server takes no queries: GraphQL is turned off, and Connect is missing\./);
    expect((await session.browse({ ...page, filters: [] }, call)).rows.rowCount).toBe(5);
    const whole = await Array.fromAsync(session.exportRows!({ ...page, filters: [] }, call));
    expect(whole.map(({ rowCount }) => rowCount)).toEqual([5]);
    const refused = {
      code: 'unsupported',
      message:
        'This server takes no filter, sort, search or count: GraphQL is turned off, and Connect is missing',
      hint: expect.stringContaining('/v1/grpc-web/'),
    };
    await expect(session.browse(page, call)).rejects.toMatchObject(refused);
    await expect(session.count(page, call)).rejects.toMatchObject(refused);
    const search = {
      table,
      filters: [],
      match: 'all' as const,
      limit: 1,
      mode: 'keyword' as const,
      text: 'moon',
    };
    await expect(session.search!(search, call)).rejects.toMatchObject(refused);
  });

  test('the driver notices that an operator switches the interfaces', async () => {
    const { proxy, session, used } = await behindProxy(graphqlPort);
    const read = async () => {
      proxy.requests.length = 0;
      expect(await session.count(page, call)).toBe(2);
      return [...used()].filter((path) => /Aggregate|graphql/.test(path)).join();
    };
    expect(await read()).toBe('/v1/grpc-web/weaviate.v1.Weaviate/Aggregate');
    proxy.decide = ({ path }) => (isConnect(path) ? missing : 'pass');
    expect(await read()).toBe('/v1/grpc-web/weaviate.v1.Weaviate/Aggregate,/v1/graphql');
    expect(await read()).toBe('/v1/graphql');
    proxy.decide = ({ path }) => (path.includes('graphql') ? turnedOff : 'pass');
    expect(await read()).toBe('/v1/graphql,/v1/grpc-web/weaviate.v1.Weaviate/Aggregate');
    proxy.decide = ({ path }) => (isConnect(path) ? missing : 'pass');
    await read();
    proxy.decide = () => 'pass';
    // The check of the connection, which the app repeats, prefers Connect again.
    await session.health(call);
    expect(await read()).toBe('/v1/grpc-web/weaviate.v1.Weaviate/Aggregate');
  });

  test('a cancelled search over Connect ends its request', async () => {
    const { proxy, session } = await behindProxy(port);
    await session.health(call);
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    proxy.decide = ({ path }) => {
      if (!path.endsWith('/Search')) return 'pass';
      resolve();
      return 'hang';
    };
    const cancel = new AbortController();
    const reading = session.browse(page, { signal: cancel.signal });
    await arrived;
    cancel.abort();
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('a broken socket is tried again once, and an answer cut short is an error', async () => {
    const { proxy, session } = await behindProxy(port);
    await session.health(call);
    for (const fate of ['reset', 'cut'] as const) {
      let broken = 0;
      proxy.decide = ({ path }) => (path.endsWith('/Search') && broken++ === 0 ? fate : 'pass');
      expect((await session.browse(page, call)).rows.rowCount).toBe(2);
    }
    proxy.decide = ({ path }) => (path.endsWith('/Search') ? 'half' : 'pass');
    await expect(session.browse(page, call)).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('is damaged or cut short'),
    });
    proxy.decide = ({ path }) => (path.endsWith('/Search') ? 'html' : 'pass');
    await expect(session.browse(page, call)).rejects.toMatchObject({ code: 'connection_failed' });
  });

  test('an answer that is not from Weaviate does not count as Connect', async () => {
    for (const status of [200, 403, 503]) {
      const fate: Fate = { status, body: '<html>Welcome</html>', reaches: false };
      const { session, used, proxy } = await behindProxy(graphqlPort, ({ path }) =>
        path.includes('grpc.health') ? fate : 'pass',
      );
      expect(await session.count(page, call)).toBe(2);
      expect(used()).toContain('/v1/graphql');
      proxy.decide = () => 'pass';
      // A gateway that was not ready is asked again by the next query.
      expect(await session.count(page, call)).toBe(2);
      expect(used().has('/v1/graphql')).toBe(status !== 503);
    }
  });
});

function isConnect(path: string): boolean {
  return path.startsWith('/v1/grpc-web/');
}

function pathOf(path: string): string {
  return path.split('?')[0] ?? '';
}
