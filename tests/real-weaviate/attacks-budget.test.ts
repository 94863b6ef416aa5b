import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { officialBridge } from '../mcp/official-bridge.ts';
import { type RunningServer, runServer } from '../mcp/running-server.ts';
import { describeOnWeaviate, rest } from './servers.ts';

/** Several bridge processes try to write more objects in an hour than the user allowed. */
describeOnWeaviate('the rows of an hour', ({ port }) => {
  const stars = `Stars${randomUUID().slice(0, 8)}`;
  const ids = Array.from({ length: 600 }, () => randomUUID());
  const object = (id: string, name: string) => ({ class: stars, id, properties: { name } });
  let running: RunningServer;

  beforeAll(async () => {
    const properties = [{ name: 'name', dataType: ['text'] }];
    await rest(port, 'POST', '/schema', { class: stars, vectorizer: 'none', properties });
    await rest(port, 'POST', '/batch/objects', { objects: ids.map((id) => object(id, 'old')) });
    running = await runServer();
    running.core.settings.update({ mcpReachPerHour: 3, mcpNewRowsPerHour: 150, mcpConcurrentRequests: 100 });
    await running.connectWeaviate('Cluster', port);
  });
  afterAll(async () => {
    await running.close();
    await rest(port, 'DELETE', `/schema/${stars}`);
  });

  const stored = async () => {
    const list = (await rest(port, 'GET', `/objects?class=${stars}&limit=2000`)) as {
      objects: { id: string; properties: { name: string } }[];
    };
    const named = new Map(list.objects.map(({ id, properties }) => [id, properties.name]));
    const changed = ids.filter((id) => named.get(id) !== 'old').length;
    return { changed, added: [...named.keys()].filter((id) => !ids.some((one) => one === id)).length };
  };

  test('tools, request lines and batches from several bridge processes at the same time stay within one limit', async () => {
    const clients = await Promise.all(['a', 'b', 'c'].map((name) => officialBridge(running.home, name)));
    const place = { connection_id: 'Cluster', table: stars };
    const part = (step: number) => ids.slice(step * 50, step * 50 + 50);
    const line = (method: string, path: string, body: object) => ({
      connection_id: 'Cluster',
      query: `${method} ${path} ${JSON.stringify(body)}`,
    });
    const calls: [string, object][] = [
      [
        'update_rows',
        { ...place, changes: part(0).map((id) => ({ key: { uuid: id }, values: { name: 'new' } })) },
      ],
      ['delete_rows', { ...place, keys: part(1).map((uuid) => ({ uuid })) }],
      ['execute_query', line('POST', '/batch/objects', { objects: part(2).map((id) => object(id, 'over')) })],
      ...[3, 4, 5, 6, 7].map((step): [string, object] => [
        'execute_query',
        line('POST', '/batch/objects', { objects: part(step).map((id) => object(id, 'over')) }),
      ]),
      ...part(8).map((id): [string, object] => [
        'execute_query',
        line('PUT', `/objects/${stars}/${id}`, object(id, 'put')),
      ]),
    ];
    const texts = await Promise.all(calls.map(([name, args], at) => clients[at % 3]!.call(name, args)));
    const { changed, added } = await stored();
    expect(changed).toBeLessThanOrEqual(300);
    expect(changed).toBeGreaterThan(250);
    expect(added).toBe(0);
    const refused = texts.filter((text) => text.startsWith('denied: The limit of 300 changed'));
    expect(refused.length).toBeGreaterThan(0);

    const inserts = await Promise.all(
      Array.from({ length: 6 }, (_, at) => {
        const rows = Array.from({ length: 30 }, () => ({ name: 'added' }));
        const objects = rows.map((properties) => ({ class: stars, properties }));
        return at % 2 === 0
          ? clients[at % 3]!.call('insert_rows', { ...place, rows })
          : clients[at % 3]!.call('execute_query', line('POST', '/batch/objects', { objects }));
      }),
    );
    expect((await stored()).added).toBe(150);
    expect(inserts.filter((text) => text.startsWith('denied: The limit of 150 new rows'))).toHaveLength(1);
    const single = await clients[0]!.call(
      'execute_query',
      line('POST', '/objects', { class: stars, properties: { name: 'x' } }),
    );
    expect(single).toMatch(
      /^denied: The limit of 150 new rows in an hour is reached \(0 left, the call needs 1\)/,
    );
  });

  test('after a yes the same number of rows may be written again', async () => {
    const client = await officialBridge(running.home, 'asks');
    const before = (await stored()).changed;
    running.core.approvals.setPresence('window');
    const left = ids.slice(500, 600);
    const waiting = client.call('update_rows', {
      connection_id: 'Cluster',
      table: stars,
      changes: left.map((id) => ({ key: { uuid: id }, values: { name: 'allowed' } })),
    });
    await expect.poll(() => running.core.approvals.pending()).toHaveLength(1);
    running.core.approvals.answer(running.core.approvals.pending()[0]!.id, 'allow');
    expect(await waiting).toMatch(/^100 updated/);
    expect((await stored()).changed).toBe(before + 100);
  });
});
