import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../e2e/app.ts';
import { type HttpProxy, startHttpProxy } from '../faults/http-proxy.ts';
import { describeOnWeaviate, rest } from './servers.ts';

const rowCount = Number(process.env.TRESTLE_IMPORT_ROWS ?? 1_000);

describeOnWeaviate('an import on the command line', ({ port }) => {
  let app: TestApp;
  let proxy: HttpProxy;

  beforeAll(async () => {
    proxy = await startHttpProxy(port);
    app = await startApp();
    const file = join(app.folder, 'cluster.json');
    const connection = (name: string, to: number) => ({
      name,
      driver: 'weaviate',
      fields: { host: '127.0.0.1', port: to, authMethod: 'none', sslMode: 'disabled' },
      externalClients: 'readWrite',
      aiPolicy: 'alwaysAllow',
    });
    const connections = [connection('Cluster', port), connection('Bad line', proxy.port)];
    writeFileSync(file, JSON.stringify({ connections }));
    const { code, stderr } = await app.run('connections', 'import', file);
    if (code !== 0) throw new Error(stderr);
  });
  afterAll(async () => {
    await app?.close();
    await proxy?.close();
  });

  async function freshTable(more: object = {}): Promise<string> {
    const table = `Import${randomUUID().slice(0, 8)}`;
    await rest(port, 'POST', '/schema', {
      class: table,
      vectorizer: 'none',
      properties: [
        { name: 'ordinal', dataType: ['int'] },
        { name: 'words', dataType: ['text'] },
        { name: 'tags', dataType: ['text[]'] },
      ],
      ...more,
    });
    return table;
  }

  async function stored(
    table: string,
    query = '',
  ): Promise<{ id: string; properties: Record<string, unknown> }[]> {
    const { objects } = (await rest(port, 'GET', `/objects?class=${table}&limit=10000${query}`)) as {
      objects: { id: string; properties: { ordinal: number } }[];
    };
    return objects.sort((a, b) => a.properties.ordinal - b.properties.ordinal);
  }

  const ordinals = async (table: string) => (await stored(table)).map(({ properties }) => properties.ordinal);
  const all = Array.from({ length: rowCount }, (_, ordinal) => ordinal);

  function write(name: string, content: string): string {
    writeFileSync(join(app.folder, name), content);
    return join(app.folder, name);
  }
  const csv = (name: string) =>
    write(
      name,
      `ordinal,words,tags\n${all.map((one) => `${one},"row ${one}, of ""many""","[""a""]"`).join('\n')}\n`,
    );

  test('if a file is imported twice, each row is stored once', async () => {
    const table = await freshTable();
    const file = csv('twice.csv');
    expect(await app.json('import', 'Cluster', table, file)).toMatchObject({
      stored: rowCount,
      ended: 'complete',
    });
    expect(await app.json('import', 'Cluster', table, file)).toMatchObject({ stored: 0, existing: rowCount });
    const objects = await stored(table);
    expect(objects.map(({ properties }) => properties)).toEqual(
      all.map((ordinal) => ({ ordinal, words: `row ${ordinal}, of "many"`, tags: ['a'] })),
    );
  });

  test('ids of the file are kept; existing rows are replaced only on request', async () => {
    const table = await freshTable();
    const id = randomUUID();
    const line = (words: string) => `${JSON.stringify({ id, ordinal: 1, words })}\n`;
    const bring = (words: string, ...args: string[]) =>
      app.json('import', 'Cluster', table, write('ids.jsonl', line(words)), ...args);
    expect(await bring('first')).toMatchObject({ stored: 1 });
    expect(await bring('second')).toMatchObject({ stored: 0, existing: 1 });
    expect(await stored(table)).toMatchObject([{ id, properties: { words: 'first' } }]);
    expect(await bring('third', '--replace')).toMatchObject({ existing: 0, replaced: 1 });
    expect(await stored(table)).toMatchObject([{ id, properties: { words: 'third' } }]);
  });

  test('vectors, named vectors and references are imported with their objects', async () => {
    const target = await freshTable();
    const named = await freshTable({
      vectorizer: undefined,
      vectorConfig: { brief: { vectorizer: { none: {} }, vectorIndexType: 'flat' } },
      properties: [
        { name: 'ordinal', dataType: ['int'] },
        { name: 'of', dataType: [target] },
      ],
    });
    const id = randomUUID();
    const beacon = `weaviate://localhost/${target}/${id}`;
    const files: [string, string][] = [
      [target, JSON.stringify({ id, ordinal: 1, vector: [0.5, 1, -2] })],
      [named, JSON.stringify({ ordinal: 2, 'vector: brief': [1, 2], of: [{ beacon }] })],
    ];
    for (const [table, line] of files) {
      expect(await app.json('import', 'Cluster', table, write('vectors.jsonl', `${line}\n`))).toMatchObject({
        stored: 1,
        failed: 0,
      });
    }
    expect(await stored(target, '&include=vector')).toMatchObject([{ id, vector: [0.5, 1, -2] }]);
    expect(await stored(named, '&include=vector')).toMatchObject([
      { vectors: { brief: [1, 2] }, properties: { ordinal: 2, of: [{ beacon }] } },
    ]);
  });

  test('an object that the server refuses fails alone, and the report has its line number and the message of the server', async () => {
    const table = await freshTable();
    const lines = [
      { ordinal: 1, vector: [1, 2, 3] },
      { ordinal: 2, vector: [1, 2] },
      { ordinal: 3, vector: [3, 2, 1] },
    ].map((one) => JSON.stringify(one));
    const first = await app.json('import', 'Cluster', table, write('odd-0.jsonl', `${lines[0]}\n`));
    expect(first).toMatchObject({ stored: 1 });
    const report = await app.run(
      'import',
      'Cluster',
      table,
      write('odd.jsonl', `${lines.slice(1).join('\n')}\n`),
      '--json',
    );
    const words = 'new node has a vector with length 2. Existing nodes have vectors with length 3';
    expect(JSON.parse(report.stdout)).toMatchObject({
      stored: 1,
      failed: 1,
      problems: [{ line: 1, problem: expect.stringContaining(words) }],
    });
    expect(await ordinals(table)).toEqual([1, 3]);
  });

  test('an import into a collection with tenants needs the name of a tenant', async () => {
    const table = await freshTable({ multiTenancyConfig: { enabled: true } });
    await rest(port, 'POST', `/schema/${table}/tenants`, [{ name: 'north' }, { name: 'south' }]);
    const file = write('tenant.json', '[{"ordinal": 1}]');
    const { stderr } = await app.run('import', 'Cluster', table, file);
    expect(stderr).toContain('name it with --tenant');
    expect(await app.json('import', 'Cluster', table, file, '--tenant', 'north')).toMatchObject({
      stored: 1,
    });
    expect(await stored(table, '&tenant=north')).toHaveLength(1);
    expect(await stored(table, '&tenant=south')).toEqual([]);
  });

  test('if answers are lost, the report counts failed and unknown rows, and an import of these rows completes the table without duplicates', async () => {
    const table = await freshTable();
    const file = csv('lost.csv');
    const failed = join(app.folder, `failed-${table}.csv`);
    // A new session sends the first 128 rows in two requests. So one of them can break without ending the import: it ends
    // if no row of such a part gets an answer.
    await app.run('connections', 'disconnect', 'Bad line');
    let posts = 0;
    proxy.decide = ({ method, path }) => {
      if (method !== 'POST' || path !== '/v1/batch/objects') return 'pass';
      posts++;
      return posts === 1 ? 'reset' : posts === 3 ? 'resetAfter' : 'pass';
    };
    const first = await app.run('import', 'Bad line', table, file, '--failed', failed, '--json');
    proxy.decide = () => 'pass';
    const report = JSON.parse(first.stdout);
    expect(report).toMatchObject({ ended: 'complete', existing: 0 });
    expect(first.code).toBe(1);
    expect(report.stored + report.failed + report.unknown).toBe(rowCount);
    expect(report.failed + report.unknown).toBeGreaterThan(0);
    expect(readFileSync(failed, 'utf8').split('\n')[0]).toContain(
      'trestle_line,trestle_error,trestle_id,ordinal',
    );
    const again = await app.json('import', 'Bad line', table, failed);
    expect(again.stored + again.existing).toBe(report.failed + report.unknown);
    expect(await ordinals(table)).toEqual(all);
  });

  test('if the server goes away, the import ends, and the same command completes it later', async () => {
    const table = await freshTable();
    const file = csv('gone.csv');
    let posts = 0;
    proxy.decide = ({ method, path }) => {
      if (method === 'POST' && path === '/v1/batch/objects') posts++;
      return posts > 2 ? 'reset' : 'pass';
    };
    const first = await app.run('import', 'Bad line', table, file);
    proxy.decide = () => 'pass';
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(/Stopped: /);
    expect(first.stdout).toMatch(/\d+ not sent/);
    expect(await app.json('import', 'Bad line', table, file)).toMatchObject({
      failed: 0,
      unknown: 0,
      ended: 'complete',
    });
    expect(await ordinals(table)).toEqual(all);
  });
});
