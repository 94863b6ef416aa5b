import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';
import { importConnections, startApp, type TestApp } from '../e2e/app.ts';
import { describeOnWeaviate, rest } from './servers.ts';

describeOnWeaviate('an import', ({ binary }) => {
  let server: WeaviateServer;
  let app: TestApp;

  beforeAll(async () => {
    server = await startWeaviate({ binary });
    app = await startApp();
    const fields = { host: '127.0.0.1', port: server.port, authMethod: 'none', sslMode: 'disabled' };
    await importConnections(app, [
      { name: 'Own', driver: 'weaviate', fields, externalClients: 'readWrite', aiPolicy: 'alwaysAllow' },
    ]);
  });
  afterAll(async () => {
    await app?.close();
    await server?.stop();
  });

  const ordinals = (count: number) => Array.from({ length: count }, (_, ordinal) => ordinal);
  const writeRows = (count: number) => {
    const path = join(app.folder, 'rows.jsonl');
    const lines = ordinals(count).map((ordinal) => JSON.stringify({ id: randomUUID(), ordinal }));
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  };
  const freshTable = async () => {
    const table = `Faults${randomUUID().slice(0, 8)}`;
    const properties = [{ name: 'ordinal', dataType: ['int'] }];
    await rest(server.port, 'POST', '/schema', { class: table, vectorizer: 'none', properties });
    return table;
  };

  /** The ordinals that the server itself has, with how often. */
  async function stored(table: string): Promise<number[]> {
    const ordinals: number[] = [];
    for (let after = ''; ; ) {
      const path = `/objects?class=${table}&limit=5000&after=${after}`;
      const { objects } = (await rest(server.port, 'GET', path)) as {
        objects: { id: string; properties: { ordinal: number } }[];
      };
      ordinals.push(...objects.map(({ properties }) => properties.ordinal));
      if (objects.length < 5000) return ordinals.sort((a, b) => a - b);
      after = objects.at(-1)!.id;
    }
  }

  test('into a server that is killed accounts for each row, and the same import completes the table', async () => {
    const table = await freshTable();
    const rows = 12_000;
    const path = writeRows(rows);
    const importing = app.run('import', 'Own', table, path, '--json');
    await expect.poll(async () => (await stored(table)).length).toBeGreaterThan(1_000);
    await server.kill();
    const first = JSON.parse((await importing).stdout);
    expect(first.ended).toBe('stopped');
    await server.restart();
    const survivors = (await stored(table)).length;
    // Each row that was reported as stored is there. A row without an answer may be there too.
    expect(survivors).toBeGreaterThanOrEqual(first.stored);
    expect(survivors).toBeLessThanOrEqual(first.stored + first.unknown);
    const second = await app.json('import', 'Own', table, path);
    expect(second).toMatchObject({ rows, failed: 0, unknown: 0, ended: 'complete' });
    expect(second.stored + second.existing).toBe(rows);
    // After a kill, the index of the ids may lack the last objects. The import writes these again.
    const again = survivors - second.existing;
    console.log(`${survivors} rows survived the kill; ${again} of them were written again`);
    expect(again).toBeGreaterThanOrEqual(0);
    expect(await stored(table)).toEqual(ordinals(rows));
  });

  test('of one file at the same time as another counts each row as stored only once', async () => {
    const table = await freshTable();
    const rows = 2_000;
    const path = writeRows(rows);
    const reports = await Promise.all([1, 2].map(() => app.json('import', 'Own', table, path)));
    const sum = (name: string) => reports.reduce((total, report) => total + report[name], 0);
    expect([sum('stored'), sum('existing'), sum('failed')]).toEqual([rows, rows, 0]);
    expect(await stored(table)).toEqual(ordinals(rows));
  });

  test('into a collection that is read-only ends at once with the one cause, and counts no row as stored', async () => {
    const table = await freshTable();
    const rows = 4_000;
    const path = writeRows(rows);
    // Weaviate sets the shards so itself if its disk is nearly full.
    const [{ name }] = (await rest(server.port, 'GET', `/schema/${table}/shards`)) as [{ name: string }];
    const set = (status: string) => rest(server.port, 'PUT', `/schema/${table}/shards/${name}`, { status });
    await set('READONLY');
    const run = await app.run('import', 'Own', table, path, '--json');
    const report = JSON.parse(run.stdout);
    expect(report).toMatchObject({ stored: 0, existing: 0, unknown: 0, ended: 'stopped' });
    expect(report.error).toMatchObject({
      code: 'disk_full',
      message: expect.stringContaining('Weaviate takes no writes for this collection: store is read-only'),
    });
    expect(report.failed).toBeLessThan(rows / 10);
    expect(await stored(table)).toEqual([]);
    await set('READY');
    expect(await app.json('import', 'Own', table, path)).toMatchObject({ stored: rows });
    expect(await stored(table)).toEqual(ordinals(rows));
  });
});
