import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../e2e/app.ts';
import { type HttpProxy, startHttpProxy } from '../faults/http-proxy.ts';
import { describeOnWeaviate, rest } from './servers.ts';

describeOnWeaviate('a copy on the command line', ({ port }) => {
  let app: TestApp;
  let proxy: HttpProxy;

  beforeAll(async () => {
    proxy = await startHttpProxy(port);
    app = await startApp();
    const file = join(app.folder, 'cluster.json');
    const connection = (name: string, to: number, externalClients: string) => ({
      name,
      driver: 'weaviate',
      fields: { host: '127.0.0.1', port: to, authMethod: 'none', sslMode: 'disabled' },
      externalClients,
      aiPolicy: 'alwaysAllow',
    });
    const connections = [
      connection('Cluster', port, 'readWrite'),
      connection('Bad line', proxy.port, 'readWrite'),
      connection('Closed', port, 'readOnly'),
    ];
    writeFileSync(file, JSON.stringify({ connections }));
    const { code, stderr } = await app.run('connections', 'import', file);
    if (code !== 0) throw new Error(stderr);
  });
  afterAll(async () => {
    await app?.close();
    await proxy?.close();
  });

  const fresh = () => `Copy${randomUUID().slice(0, 8)}`;
  const list = async (table: string, more = '') => {
    const path = `/objects?class=${table}&limit=10000&include=vector${more}`;
    const { objects } = (await rest(port, 'GET', path)) as { objects: Record<string, unknown>[] };
    return objects.map(({ id, properties, vector, vectors }) => ({ id, properties, vector, vectors }));
  };

  async function filled(count: number, more: object = {}, tenants: (string | undefined)[] = [undefined]) {
    const table = fresh();
    await rest(port, 'POST', '/schema', {
      class: table,
      vectorConfig: { brief: { vectorizer: { none: {} }, vectorIndexType: 'flat' } },
      invertedIndexConfig: { indexNullState: true },
      properties: [
        { name: 'ordinal', dataType: ['int'] },
        { name: 'words', dataType: ['text'], tokenization: 'field' },
        { name: 'next', dataType: [table] },
      ],
      ...more,
    });
    if (tenants[0])
      await rest(
        port,
        'POST',
        `/schema/${table}/tenants`,
        tenants.map((name) => ({ name })),
      );
    for (const tenant of tenants) {
      const ids = Array.from({ length: count }, () => randomUUID());
      const object = (id: string, ordinal: number, next: object) => ({
        class: table,
        id,
        ...(tenant && { tenant }),
        properties: { ordinal, ...(ordinal % 3 > 0 && { words: `row ${ordinal} of ${tenant}` }), ...next },
        vectors: { brief: [ordinal, 1, 0.5] },
      });
      await rest(port, 'POST', '/batch/objects', { objects: ids.map((id, at) => object(id, at, {})) });
      if (tenant) continue;
      // The objects must exist before they can refer to each other.
      const beacon = (at: number) => `weaviate://localhost/${table}/${ids[(at + 1) % count]}`;
      const objects = ids.map((id, at) => object(id, at, { next: [{ beacon: beacon(at) }] }));
      await rest(port, 'POST', '/batch/objects', { objects });
    }
    return table;
  }

  test('the copy has the settings, ids, named vectors and references of the source', async () => {
    const table = await filled(300);
    const name = fresh();
    expect(await app.json('copy', 'Cluster', table, name)).toMatchObject({
      copied: 300,
      failed: 0,
      inTarget: 300,
      different: [],
      ended: 'complete',
      isNew: true,
    });
    expect(await list(name)).toEqual(await list(table));
    const definition = async (of: string) => ({
      ...((await rest(port, 'GET', `/schema/${of}`)) as object),
      class: '',
    });
    expect(await definition(name)).toEqual(await definition(table));
  });

  test('a collection that refers to itself is copied to another server with its references', async () => {
    const report = await app.json('copy', 'Sample: Weaviate', 'Mission', 'Mission', '--to', 'Cluster');
    expect(report).toMatchObject({ failed: 0, unknown: 0, different: [], problems: [], ended: 'complete' });
    expect(report.inTarget).toBe(report.total);
    const references = (await list('Mission')).filter(
      ({ properties }) => (properties as { buildsOn?: [] }).buildsOn,
    );
    expect(references.length).toBeGreaterThan(50);
    await rest(port, 'DELETE', '/schema/Mission');
  });

  test('each tenant is copied', async () => {
    const tenants = ['north', 'south'];
    const table = await filled(40, { multiTenancyConfig: { enabled: true } }, tenants);
    const name = fresh();
    expect(await app.json('copy', 'Cluster', table, name, '--to', 'Bad line')).toMatchObject({
      copied: 80,
      inTarget: 80,
      different: [],
    });
    for (const tenant of tenants)
      expect(await list(name, `&tenant=${tenant}`)).toEqual(await list(table, `&tenant=${tenant}`));
  });

  test('an interrupted copy is completed with --continue, and duplicates nothing', async () => {
    const table = await filled(1000);
    const name = fresh();
    let batches = 0;
    proxy.decide = ({ method, path }) => {
      if (method === 'POST' && path === '/v1/batch/objects') batches++;
      return batches > 2 ? 'reset' : 'pass';
    };
    const cut = await app.run('copy', 'Cluster', table, name, '--to', 'Bad line');
    proxy.decide = () => 'pass';
    expect(cut.code).toBe(1);
    const again = await app.run('copy', 'Cluster', table, name, '--to', 'Bad line');
    expect(again.stdout).toContain(`${name} exists already`);
    const report = await app.json('copy', 'Cluster', table, name, '--to', 'Bad line', '--continue');
    expect(report).toMatchObject({
      ...{ copied: 1000, existing: 0, failed: 0, inTarget: 1000 },
      different: [],
      ended: 'complete',
      isNew: false,
    });
    expect(await list(name)).toEqual(await list(table));
  });

  test('a copy from or to a connection that is read-only for clients is refused without the passphrase', async () => {
    const table = await filled(1);
    for (const args of [
      ['Closed', table, fresh(), '--to', 'Cluster'],
      ['Cluster', table, fresh(), '--to', 'Closed'],
    ]) {
      const { code, stderr } = await app.run('copy', ...args);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(
          'a connection that is masked, blocked, read-only or not Always Allow for AI clients',
        ),
      ]);
    }
  });
});
