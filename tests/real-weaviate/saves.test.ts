import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../e2e/app.ts';
import { type HttpProxy, startHttpProxy } from '../faults/http-proxy.ts';
import { openWindow, type WindowClient } from '../faults/window-client.ts';
import { describeOnWeaviate, rest } from './servers.ts';
import { StagedRows } from './staged-rows.ts';

/** `npm run proofs` saves 10,000 rows with 50 interruptions. */
const rowCount = Number(process.env.TRESTLE_SAVE_ROWS ?? 400);
const interruptions = Number(process.env.TRESTLE_SAVE_CANCELS ?? 6);
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 1);

describeOnWeaviate('saves through the window of the app', ({ port }) => {
  let app: TestApp;
  let proxy: HttpProxy;
  let window: WindowClient;
  let connectionId: string;

  beforeAll(async () => {
    proxy = await startHttpProxy(port);
    app = await startApp();
    const file = join(app.folder, 'cluster.json');
    const fields = { host: '127.0.0.1', port: proxy.port, authMethod: 'none', sslMode: 'disabled' };
    writeFileSync(file, JSON.stringify({ connections: [{ name: 'Cluster', driver: 'weaviate', fields }] }));
    const { code, stderr } = await app.run('connections', 'import', file);
    if (code !== 0) throw new Error(stderr);
    const saved = (await app.json('connections', 'list')) as { id: string; name: string }[];
    connectionId = saved.find(({ name }) => name === 'Cluster')!.id;
    window = await openWindow(app);
  });
  afterAll(async () => {
    await app?.close();
    await proxy?.close();
  });

  async function freshTable(): Promise<string> {
    const table = `Saves${randomUUID().slice(0, 8)}`;
    await rest(port, 'POST', '/schema', {
      class: table,
      vectorizer: 'none',
      properties: [{ name: 'ordinal', dataType: ['int'] }],
    });
    return table;
  }

  async function stored(table: string): Promise<number[]> {
    const found: number[] = [];
    for (let after = ''; ; ) {
      const page = (await rest(port, 'GET', `/objects?class=${table}&limit=1000&after=${after}`)) as {
        objects: { id: string; properties: { ordinal: number } }[];
      };
      found.push(...page.objects.map(({ properties }) => properties.ordinal));
      if (page.objects.length < 1000) return found.sort((a, b) => a - b);
      after = page.objects.at(-1)!.id;
    }
  }

  const ascending = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

  test('no new row is stored twice, although the save is interrupted at random moments and repeated', async () => {
    const random = randomOf(seed);
    const table = await freshTable();
    const rows = new StagedRows({ connectionId, table }, rowCount);
    proxy.delayMs = 20;
    for (let round = 0; round < interruptions && rows.waiting > 0; round++) {
      const moment = Math.floor(random() * 400);
      const how = ways[round % ways.length]!;
      const unsure = rows.unknown.size;
      await interrupted(rows, how, moment);
      if (how !== 'killed') expect(rows.unknown.size).toBe(unsure);
    }
    expect(await rows.save(window)).toBeUndefined();
    expect(rows.waiting).toBe(0);
    const found = await stored(table);
    expect(found.filter((ordinal) => !rows.unknown.has(ordinal))).toEqual(ascending(rows.applied));
    // A row that was in flight when the app was killed may exist, but only once.
    expect(new Set(found).size).toBe(found.length);
    const kills = Math.floor(interruptions / ways.length);
    expect(rows.unknown.size).toBeLessThanOrEqual(8 * kills);
    proxy.delayMs = 0;
  }, 3_600_000);

  type Way = 'cancelled' | 'reloaded' | 'killed';
  /** Most saves are interrupted by the Cancel button, some by a reload of the window or a kill of the app. */
  const ways: Way[] = ['cancelled', 'cancelled', 'reloaded', 'cancelled', 'killed'];

  async function interrupted(rows: StagedRows, how: Way, moment: number): Promise<void> {
    const id = randomUUID();
    const gone = new AbortController();
    const saving = rows.save(window, { id, signal: gone.signal }).catch(() => 'lost' as const);
    await delay(moment);
    if (how === 'cancelled') {
      await window.data('applyChanges/cancel', { id });
      // If the save had already finished, it does not end as cancelled.
      expect(['cancelled', undefined]).toContain(await saving);
      return;
    }
    if (how === 'reloaded') gone.abort();
    else await app.kill();
    await saving;
    if (how === 'killed') {
      await app.start();
      window = await openWindow(app);
    }
    await rows.takeOver(window);
  }

  test('if answers are lost, some rows are reported as unknown, and no row is stored twice', async () => {
    const random = randomOf(seed + 1);
    const table = await freshTable();
    const rows = new StagedRows({ connectionId, table }, Math.min(rowCount, 2_000));
    proxy.decide = ({ method }) => {
      if (method !== 'POST' || random() > 0.05) return 'pass';
      return random() > 0.5 ? 'resetAfter' : 'reset';
    };
    while (rows.waiting > 0) await rows.save(window);
    proxy.decide = () => 'pass';
    const found = await stored(table);
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((ordinal) => !rows.unknown.has(ordinal))).toEqual(ascending(rows.applied));
    expect(rows.unknown.size).toBeGreaterThan(0);
  }, 600_000);

  test('a second save of the same table is refused while one runs, and the first continues', async () => {
    const table = await freshTable();
    const rows = new StagedRows({ connectionId, table }, 100);
    proxy.delayMs = 20;
    const first = rows.save(window);
    await expect
      .poll(() => proxy.requests.some(({ method, path }) => method === 'POST' && path === '/v1/objects'))
      .toBe(true);
    const other = new StagedRows({ connectionId, table }, 1);
    await expect(other.save(window)).rejects.toMatchObject({
      code: 'conflict',
      message: `Another save of ${table} is running`,
    });
    expect(await first).toBeUndefined();
    proxy.delayMs = 0;
    expect(await stored(table)).toEqual(Array.from({ length: 100 }, (_, ordinal) => ordinal));
  });

  test('if the server goes away during a save, few more rows are sent, and each row has an outcome', async () => {
    const table = await freshTable();
    let stored100 = 0;
    proxy.requests.length = 0;
    proxy.decide = ({ method, path }) => {
      if (method !== 'POST' || path !== '/v1/objects') return 'pass';
      return ++stored100 > 100 ? 'reset' : 'pass';
    };
    const changes = Array.from({ length: 5_000 }, (_, ordinal) => ({
      kind: 'insert' as const,
      id: `${ordinal}`,
      values: { ordinal },
    }));
    const counts: Record<string, number> = {};
    let last: unknown;
    for await (const frame of window.save(randomUUID(), connectionId, { table, changes })) {
      if ('outcomes' in frame) {
        for (const { status } of frame.outcomes) counts[status] = (counts[status] ?? 0) + 1;
      } else last = frame;
    }
    proxy.decide = () => 'pass';
    expect(last).toEqual({ done: true });
    expect(counts.applied).toBe(100);
    // The driver counts unanswered rows in sequence, and stops at a limit. An answer in flight restarts the count.
    expect(counts.unknown).toBeLessThanOrEqual(64);
    expect(counts.applied! + counts.unknown! + counts.failed!).toBe(5_000);
    expect(stored100).toBe(100 + counts.unknown!);
    expect(await stored(table)).toHaveLength(100);
  });
});

/** The random generator Mulberry32. */
function randomOf(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
