import { randomUUID } from 'node:crypto';
import type { Change, ChangeOutcome } from '@trestle/driver-kit';
import { expect, onTestFinished } from 'vitest';
import { startApp, type TestApp } from '../e2e/app.ts';
import { importCluster } from '../e2e/save-journey.ts';
import { type HttpProxy, startHttpProxy } from './http-proxy.ts';
import { openWindow, type SavePart } from './window-client.ts';

/**
 * Interrupts two saves: kills the driver's process during the first save, and the app during the second save. At each
 * kill, all seven requests are sent, no request is answered, and four requests have reached the server. Afterwards the
 * app must report the rows of these four requests as applied, and the other rows as unknown.
 */
export async function proveSettled(port: number): Promise<void> {
  const app = await startApp();
  onTestFinished(() => app.close());
  const proxy = await startHttpProxy(port);
  onTestFinished(() => proxy.close());
  const connectionId = await importCluster(app, proxy.port);

  const first = await interruptedSave(app, { port, proxy, connectionId });
  for (const host of app.hosts()) process.kill(host, 'SIGKILL');
  const frames = await first.frames;
  expect(frames.at(-1)).toMatchObject({ error: { code: 'driver_crashed' } });
  await first.expectTrue(frames.flatMap((frame) => ('outcomes' in frame ? frame.outcomes : [])));

  const second = await interruptedSave(app, { port, proxy, connectionId });
  await app.kill();
  await second.frames;
  await app.start();
  const window = await openWindow(app);
  const edits = await window.staged(connectionId, { table: second.table });
  await second.expectTrue(await edits.settled());
}

interface Place {
  port: number;
  proxy: HttpProxy;
  connectionId: string;
}

/** Starts a save, and returns when all its requests are sent and none is answered. */
async function interruptedSave(app: TestApp, { port, proxy, connectionId }: Place) {
  const table = `Lost${randomUUID().slice(0, 8)}`;
  const properties = [{ name: 'title', dataType: ['text'] }];
  await rest(port, 'POST', '/schema', { class: table, vectorizer: 'none', properties });
  onTestFinished(async () => void (await rest(port, 'DELETE', `/schema/${table}`)));
  const uuids = Array.from({ length: 6 }, () => randomUUID());
  for (const id of uuids.slice(0, 4)) {
    await rest(port, 'POST', '/objects', { class: table, id, properties: { title: 'old' } });
  }
  const key = (at: number) => ({ uuid: uuids[at]! });
  const values = { title: 'new' };
  const changes: Change[] = [
    { kind: 'update', id: 'update 0', key: key(0), values },
    { kind: 'update', id: 'update 1', key: key(1), values },
    { kind: 'delete', id: 'delete 2', key: key(2) },
    { kind: 'delete', id: 'delete 3', key: key(3) },
    { kind: 'insert', id: 'typed 4', values: { ...key(4), ...values } },
    { kind: 'insert', id: 'typed 5', values: { ...key(5), ...values } },
    { kind: 'insert', id: 'untyped', values },
  ];
  let sent = 0;
  let stored = 0;
  const perMethod: Record<string, number> = {};
  proxy.decide = ({ method, path }) => {
    if (!/^(POST|PATCH|DELETE)$/.test(method) || !path.startsWith('/v1/objects')) return 'pass';
    sent++;
    perMethod[method] = (perMethod[method] ?? 0) + 1;
    const reaches = perMethod[method] % 2 === 1;
    if (reaches) stored++;
    return reaches ? 'hangAfter' : 'hang';
  };
  const window = await openWindow(app);
  const reading = window.save(randomUUID(), connectionId, { table, changes });
  const frames: Promise<SavePart[]> = (async () => {
    const seen: SavePart[] = [];
    try {
      for await (const frame of reading) seen.push(frame);
    } catch {
      // The app was killed.
    }
    return seen;
  })();
  await expect.poll(() => sent, { timeout: 30_000 }).toBe(changes.length);
  // Waits until the server has made the changes that reach it: two inserts, an update and a delete.
  await expect
    .poll(async () => differences(await objectsOf(port, table), uuids), { timeout: 30_000 })
    .toBe(stored);
  return {
    table,
    frames,
    async expectTrue(outcomes: ChangeOutcome[]) {
      const objects = await objectsOf(port, table);
      const isStored = (change: Change, uuid: string) =>
        change.kind === 'delete' ? !objects.has(uuid) : objects.get(uuid) === 'new';
      // The last insert has no key. The driver chose a key, and the app stored the key before the row was sent.
      const untyped = outcomes.find(({ id }) => id === 'untyped')?.key?.uuid;
      expect(untyped).toEqual(expect.any(String));
      const ids = [...uuids, String(untyped)];
      // A request that did not arrive may still be on its way, so its row does not count as failed.
      const expected = changes.map(
        (change, at) => `${change.id} ${isStored(change, ids[at]!) ? 'applied' : 'unknown'}`,
      );
      expect(outcomes.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(expected.sort());
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['applied', 'unknown']));
    },
  };
}

/** How many of the changes the server has made. */
function differences(objects: Map<string, string>, uuids: string[]): number {
  const updated = uuids.slice(0, 2).filter((uuid) => objects.get(uuid) === 'new').length;
  const deleted = uuids.slice(2, 4).filter((uuid) => !objects.has(uuid)).length;
  const inserted = [...objects].filter(([uuid]) => !uuids.slice(0, 4).includes(uuid)).length;
  return updated + deleted + inserted;
}

async function objectsOf(port: number, table: string): Promise<Map<string, string>> {
  const { objects } = (await rest(port, 'GET', `/objects?class=${table}&limit=100`)) as {
    objects: { id: string; properties: { title: string } }[];
  };
  return new Map(objects.map(({ id, properties }) => [id, properties.title]));
}

async function rest(port: number, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}
