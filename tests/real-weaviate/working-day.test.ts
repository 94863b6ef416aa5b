import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Change, filterOperators, packWire, rowAt } from '@trestle/driver-kit';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newestWeaviate } from '../../scripts/weaviate/versions.ts';
import { importConnections, startApp, type TestApp } from '../e2e/app.ts';
import { enterWindow } from '../enter-window.ts';
import { type HttpProxy, startHttpProxy } from '../faults/http-proxy.ts';
import { openWindow, type WindowClient } from '../faults/window-client.ts';
import { bridgeFile } from '../mcp/running-server.ts';
import { rest } from './servers.ts';

const server = inject('weaviateServers').find(({ version }) => version === newestWeaviate);
const table = `Day${randomUUID().slice(0, 8)}`;
const [target, copied, tenants] = [`${table}Target`, `${table}Copied`, `${table}Tenants`];
const id = (number: number) => `77777777-7777-4777-8777-${String(number).padStart(12, '0')}`;
const count = 40;

/**
 * Hosted clusters are judged by their use of GraphQL. On a server with both interfaces, the user works with every part
 * of Trestle, and a proxy records the requests.
 */
describe.skipIf(!server)('a working day on a server with Connect and GraphQL', () => {
  const port = server?.graphqlPort ?? 1;
  let proxy: HttpProxy;
  let app: TestApp;
  let window: WindowClient;
  let connectionId: string;

  beforeAll(async () => {
    await fill();
    proxy = await startHttpProxy(port);
    app = await startApp();
    const fields = { host: '127.0.0.1', port: proxy.port, authMethod: 'none', sslMode: 'disabled' };
    const levels = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' };
    await importConnections(app, [{ name: 'Cluster', driver: 'weaviate', fields, ...levels }]);
    const saved = (await app.ask('connections.list')) as { id: string; name: string }[];
    connectionId = saved.find(({ name }) => name === 'Cluster')!.id;
    window = await openWindow(app);
  });
  afterAll(async () => {
    await app?.close();
    await proxy?.close();
    for (const name of [table, target, copied, `${copied}2`, tenants])
      await rest(port, 'DELETE', `/schema/${name}`);
  });

  async function fill(): Promise<void> {
    const text = { dataType: ['text'] };
    await rest(port, 'POST', '/schema', { class: target, properties: [{ name: 'title', ...text }] });
    await rest(port, 'POST', '/objects', { class: target, id: id(900), properties: { title: 'The target' } });
    const settings = { vectorizeClassName: false, properties: ['title'] };
    await rest(port, 'POST', '/schema', {
      class: table,
      vectorConfig: {
        words: { vectorizer: { 'text2vec-transformers': settings }, vectorIndexType: 'flat' },
        own: { vectorizer: { none: {} }, vectorIndexType: 'flat' },
      },
      invertedIndexConfig: { indexNullState: true, indexTimestamps: true, indexPropertyLength: true },
      properties: [
        { name: 'title', ...text },
        { name: 'kind', ...text, tokenization: 'field' },
        { name: 'n', dataType: ['int'] },
        { name: 'link', dataType: [target] },
      ],
    });
    const beacon = `weaviate://localhost/${target}/${id(900)}`;
    const objects = Array.from({ length: count }, (_, n) => ({
      class: table,
      id: id(n),
      properties: { title: `moon ${n % 7} river`, kind: n % 2 ? 'odd' : 'even', n, link: [{ beacon }] },
      vectors: { own: [n, 1, 2] },
    }));
    await rest(port, 'POST', '/batch/objects', { objects });
    await rest(port, 'POST', '/schema', {
      class: tenants,
      vectorizer: 'none',
      multiTenancyConfig: { enabled: true },
      properties: [{ name: 'title', ...text }],
    });
    await rest(port, 'POST', `/schema/${tenants}/tenants`, [{ name: 'one' }]);
    await rest(port, 'POST', '/objects', { class: tenants, tenant: 'one', properties: { title: 'in one' } });
  }

  const odd = { column: 'kind', operator: 'equals' as const, value: 'odd' };
  const where = { table, filters: [odd], match: 'all' as const };
  const text = `{ Get { ${table}(limit: 2) { title } } }`;

  /** Each test counts its own requests to GraphQL. Takes at least one request to Connect, or the test proves nothing. */
  function graphqlTexts(): string[] {
    const sent = proxy.requests.splice(0);
    expect(sent.filter(({ path }) => path.includes('/grpc-web/weaviate.v1')).length).toBeGreaterThan(0);
    return sent.filter(({ path }) => path.startsWith('/v1/graphql')).map(({ body }) => body);
  }

  async function postData(route: string, body: unknown): Promise<Response> {
    const { origin, headers } = await enterWindow(await app.createLink());
    const type = { 'content-type': 'application/octet-stream' };
    const init = { method: 'POST', headers: { ...headers, ...type }, body: packWire(body) };
    const answer = await fetch(`${origin}/data/${route}`, init);
    expect([route, answer.status]).toEqual([route, 200]);
    return answer;
  }

  test('the window sends only the text that the user wrote to GraphQL', async () => {
    const at = { connectionId };
    const data = (route: string, request: unknown) => window.data(route, { ...at, request });
    const input = (more: object) => encodeURIComponent(JSON.stringify({ ...at, ...more }));
    await window.call('connections.connect', { id: connectionId }).catch(() => {});
    const asked = ['tables.list', 'tables.editorSchema'].map((name) => `${name}?input=${input({})}`);
    const ofTable = ['tables.describe', 'tables.structure', 'tables.partitions'].map(
      (name) => `${name}?input=${input({ table: tenants })}`,
    );
    for (const one of [...asked, ...ofTable]) await app.ask(one);
    const described = (await app.ask(`tables.describe?input=${input({ table })}`)) as {
      columns: { name: string; operators: { operator: string; refusal?: unknown }[] }[];
    };
    expect(await app.ask(`tables.count?input=${input({ request: where })}`)).toBe(count / 2);
    await app.ask(`tables.measure?input=${input({ text: `DELETE /schema/${table}` })}`);

    // Each operator of each column, in one page each.
    const page = { ...where, limit: 50, offset: 0, sort: [] };
    let filtered = 0;
    for (const { name: column, operators } of described.columns) {
      for (const { operator, refusal } of operators) {
        if (refusal) continue;
        const one = column === 'n' ? 3 : column.startsWith('_') ? '2024-01-01T00:00:00Z' : 'moon';
        const value = column === 'uuid' ? id(3) : one;
        const values = operator === 'between' ? [value, value] : [value];
        const isList = operator === 'between' || operator.endsWith('in_list');
        const filter = {
          column,
          operator,
          ...(!/^is_/.test(operator) && { value: isList ? values : value }),
        };
        await data('browse', { ...page, filters: [filter] });
        filtered++;
      }
    }
    expect(filtered).toBeGreaterThan(filterOperators.length);
    const sort = [
      { column: 'kind', order: 'asc' },
      { column: 'n', order: 'desc' },
    ];
    const sorted = await data('browse', { ...page, filters: [], sort, limit: 3 });
    expect(rowAt(sorted.rows, 0)).toMatchObject({ kind: 'even', n: count - 2 });
    await data('browse', { ...page, match: 'any', columns: ['title', 'link', 'vector: own'] });
    await data('browse', { ...page, table: tenants, partition: 'one', filters: [], sort: [] });

    // Every search, also side by side as Compare sends them.
    const search = { ...where, filters: [], limit: 5 };
    const near = { vector: [3, 1, 2], targetVector: 'own' };
    const both = { join: 'manualWeights', vectors: ['own', 'words'].map((name) => ({ name, weight: 0.5 })) };
    const searches = [
      { mode: 'near_text', text: 'moon', targetVector: 'words' },
      { mode: 'near_text', text: 'moon', targetVector: 'words', maxDistance: 0.9, filters: [odd] },
      { mode: 'near_vector', ...near },
      { mode: 'near_vector', ...near, autocut: 1 },
      { mode: 'near_vector', ...near, groupBy: { column: 'kind', groups: 2, rowsPerGroup: 2 } },
      { mode: 'near_object', objectId: id(3), targetVector: 'own' },
      { mode: 'near_object', objectId: id(3), targets: both },
      {
        mode: 'keyword',
        text: 'moon river',
        explain: true,
        keywordColumns: [{ column: 'title', weight: 2 }],
      },
      { mode: 'keyword', text: 'moon river', allWords: true },
      { mode: 'hybrid', text: 'moon', alpha: 0.5, targetVector: 'words', explain: true },
      { mode: 'hybrid', text: 'moon', alpha: 0.3, fusion: 'rankedFusion', targetVector: 'words' },
    ];
    const found = await Promise.all(searches.map((one) => data('search', { ...search, ...one })));
    expect(found.map(({ rows }) => rows.rowCount > 0)).toEqual(searches.map(() => true));
    for (const shown of [
      { kind: 'browse', request: page },
      { kind: 'search', request: { ...search, ...searches[0] } },
    ])
      await data('showRequest', shown);

    // The map, Neighbours, references, a cell, an export.
    const map = { ...where, columns: ['title'], vectors: ['vector: own'], limit: 1000 };
    for (const sample of [true, false])
      await (await postData('rows', { ...at, request: { ...map, sample } })).arrayBuffer();
    const columns = ['title', 'n'];
    const exported = await postData('export', {
      ...at,
      request: { ...where, columns, sort: [{ column: 'n', order: 'desc' }] },
      rows: { kind: 'all' },
      format: 'jsonl',
      escapeFormulas: false,
    });
    const { file } = (await exported.json()) as { file: string };
    const { origin } = await enterWindow(await app.createLink());
    expect((await (await fetch(`${origin}${file}`)).text()).trim().split('\n')).toHaveLength(count / 2);
    const link = rowAt((await data('browse', { ...page, columns: ['link'] })).rows, 0).link;
    await data('readReferences', { table, column: 'link', cells: [link] });
    await data('findReferences', { table, column: 'link', text: 'targ', limit: 5 });
    await data('readCells', { table, keys: [{ uuid: id(1) }], columns: ['title'] });

    const changes: Change[] = [
      { kind: 'insert', id: 'a', values: { uuid: id(100), title: 'new', n: 1 } },
      { kind: 'update', id: 'b', key: { uuid: id(1) }, values: { title: 'x' }, expected: {} },
      { kind: 'delete', id: 'c', key: { uuid: id(2) }, expected: {} },
    ];
    await data('previewChanges', { table, changes });
    const saved = await Array.fromAsync(window.save(randomUUID(), connectionId, { table, changes }));
    expect(JSON.stringify(saved).match(/"applied"/g)).toHaveLength(3);
    const copy = { from: { ...at, table }, to: { ...at, table: copied }, goOn: false };
    const { id: copyId } = await window.call('copies.begin', copy);
    const progress = () => app.ask(`jobs.get?input=${encodeURIComponent(`{"id":"${copyId}"}`)}`);
    await expect.poll(async () => JSON.stringify(await progress())).toContain('"complete"');

    await data('convertStatement', { text });
    expect(graphqlTexts()).toEqual([]);
    await data('runQuery', { text, limit: 5 });
    await data('browse', page);
    expect(graphqlTexts()).toEqual([expect.stringContaining(table)]);
  });

  test('an AI client sends nothing to GraphQL, not even with a GraphQL text', async () => {
    const env = { HOME: app.folder, TRESTLE_HOME: app.folder, PATH: process.env.PATH ?? '' };
    const client = new Client({ name: 'day', version: '1' });
    const transport = new StdioClientTransport({ command: process.execPath, args: [bridgeFile], env });
    await client.connect(transport);
    const call = async (name: string, args: Record<string, unknown>) => {
      const answer = await client.callTool({ name, arguments: { connection_id: 'Cluster', ...args } });
      const said = JSON.stringify(answer.content);
      expect([name, args, answer.isError ? said : false]).toEqual([name, args, false]);
      return said;
    };
    const filters = [odd];
    await call('list_tables', {});
    await call('describe_table', { table, detail: true });
    await call('browse_table', { table, filters, sort: [{ column: 'n', order: 'desc' }] });
    await call('browse_table', { table, filters, count_only: true });
    await call('browse_table', { table: tenants, tenant: 'one', include_vectors: true });
    const measures = [{ column: 'n', measure: 'mean' }];
    await call('aggregate_table', { table, by: ['kind'], measures, filters });
    for (const more of [
      { mode: 'keyword', text: 'moon', explain: true },
      { mode: 'near_text', text: 'moon', target_vector: 'words' },
      { mode: 'near_object', object_id: id(3), target_vector: 'own', filters },
      { mode: 'near_vector', vector: [1, 1, 2], target_vector: 'own' },
      { mode: 'hybrid', text: 'moon', alpha: 0.4, target_vector: 'words' },
      { mode: 'compare', text: 'moon', target_vector: 'words' },
    ])
      await call('vector_search', { table, ...more });
    await call('insert_rows', { table, rows: [{ uuid: id(200), title: 'from a client', n: 5 }] });
    await call('update_rows', { table, changes: [{ key: { uuid: id(200) }, values: { n: 6 } }] });
    await call('delete_rows', { table, keys: [{ uuid: id(200) }] });
    await call('export_data', { table, filters });
    expect(await call('execute_query', { query: text })).toContain('moon');
    await call('execute_query', { query: `{ Aggregate { ${table} { meta { count } } } }` });
    await call('execute_query', { query: `GET /objects?class=${table}&limit=1` });
    await client.close();
    expect(graphqlTexts()).toEqual([]);
  });

  test('the command line sends nothing to GraphQL', async () => {
    const out = join(app.folder, 'day.jsonl');
    const filter = JSON.stringify([odd]);
    await app.json('connections', 'test', 'Cluster');
    const rows = (await app.json('export', 'Cluster', table, '--out', out, '--filter', filter, '--vectors'))
      .rows;
    expect(rows).toBe(count / 2);
    const file = join(app.folder, 'more.jsonl');
    writeFileSync(file, `${JSON.stringify({ uuid: id(300), title: 'imported', n: 7 })}\n`);
    expect(await app.json('import', 'Cluster', table, file)).toMatchObject({ stored: 1 });
    expect(await app.json('copy', 'Cluster', table, `${copied}2`)).toMatchObject({ ended: 'complete' });
    const { results } = await app.json('query', 'Cluster', text);
    expect(results[0].rows).toHaveLength(2);
    await app.json('query', 'Cluster', `GET /schema/${table}`);
    expect(graphqlTexts()).toEqual([]);
  });
});
