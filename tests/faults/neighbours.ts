import { randomUUID } from 'node:crypto';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Core, createCore, newConnectionDraft, type SessionStatus } from '@trestle/core';
import { type Change, rowAt } from '@trestle/driver-kit';
import { expect, onTestFinished } from 'vitest';
import { type Fate, type HttpProxy, startHttpProxy } from './http-proxy.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const signal = new AbortController().signal;

/** More than one page of an export with vectors. */
const objectCount = 450;
const savedAtOnce = 100;

/**
 * Breaks one of eight parallel vector reads, again and again, while saves and exports run on the same connection.
 * In every other round the retry breaks too, so that the read fails. No other call may fail.
 */
export async function proveNeighbours(port: number, rounds: number): Promise<void> {
  const suffix = randomUUID().slice(0, 8);
  const [read, saved] = [`Read${suffix}`, `Saved${suffix}`];
  const objects = await createObjects(port, read, saved);
  onTestFinished(async () => {
    for (const name of [read, saved]) await rest(port, 'DELETE', `/schema/${name}`);
  });
  const proxy = await startHttpProxy(port);
  onTestFinished(() => proxy.close());
  const { core, connectionId, seen } = await openCore(proxy);
  const at = { caller: { kind: 'person' as const }, connectionId, signal };
  const { pid } = await core.sessions.open(at);

  let isOver = false;
  const whileReading = async (work: () => Promise<void>) => {
    let times = 0;
    do {
      await work();
      times++;
    } while (!isOver);
    return times;
  };
  const savedIds: string[] = [];
  const saving = whileReading(async () => {
    const ids = Array.from({ length: savedAtOnce }, () => randomUUID());
    const changes = ids.map((uuid): Change => ({ kind: 'insert', id: uuid, values: { uuid, ordinal: 1 } }));
    const reports = await Array.fromAsync(core.data.applyChanges(at, { table: saved, changes }));
    const outcomes = reports.flatMap((report) => report.outcomes);
    expect(outcomes.map(({ id, status }) => `${status} ${id}`).sort()).toEqual(
      ids.map((id) => `applied ${id}`).sort(),
    );
    savedIds.push(...ids);
  });
  const exporting = whileReading(async () => {
    const request = {
      table: read,
      columns: ['ordinal', 'vector'],
      filters: [],
      match: 'all' as const,
      sort: [],
    };
    const ordinals: number[] = [];
    for await (const rows of core.data.exportRows(at, request)) {
      for (let row = 0; row < rows.rowCount; row++) ordinals.push(Number(rowAt(rows, row).ordinal));
    }
    expect(ordinals.sort((a, b) => a - b)).toEqual(objects.map((_, ordinal) => ordinal));
  });
  const reading = readInRounds(rounds, { core, at, proxy, table: read, objects }).finally(() => {
    isOver = true;
  });
  const [times] = await Promise.all([reading, saving, exporting]);
  expect(times).toEqual({ succeeded: rounds * 8 - Math.ceil(rounds / 2), failed: Math.ceil(rounds / 2) });

  expect([...new Set(seen.map(({ state }) => state))]).toEqual(['connecting', 'connected']);
  expect(core.sessions.status(connectionId)).toMatchObject({ state: 'connected', pid });
  const stored = (await rest(port, 'GET', `/objects?class=${saved}&limit=10000`)) as { objects: object[] };
  expect(stored.objects.length).toBe(savedIds.length);
}

async function readInRounds(
  rounds: number,
  {
    core,
    at,
    proxy,
    table,
    objects,
  }: {
    core: Core;
    at: Parameters<Core['data']['readCells']>[0];
    proxy: HttpProxy;
    table: string;
    objects: StoredObject[];
  },
): Promise<{ succeeded: number; failed: number }> {
  const fates: Fate[] = ['reset', 'resetAfter', 'cut'];
  const times = { succeeded: 0, failed: 0 };
  for (let round = 0; round < rounds; round++) {
    const eight = Array.from({ length: 8 }, (_, index) => objects[(round * 8 + index) % objects.length]!);
    const victim = eight[round % 8]!;
    let breaks = round % 2 === 0 ? 2 : 1;
    proxy.decide = ({ method, path }) => {
      const isVictim = method === 'GET' && path.startsWith(`/v1/objects/${table}/${victim.id}`);
      return isVictim && breaks-- > 0 ? fates[round % fates.length]! : 'pass';
    };
    const request = (one: StoredObject) => ({
      table,
      keys: [{ uuid: one.id }],
      columns: ['ordinal', 'vector'],
    });
    const outcomes = await Promise.allSettled(eight.map((one) => core.data.readCells(at, request(one))));
    for (const [index, outcome] of outcomes.entries()) {
      const one = eight[index]!;
      if (outcome.status === 'fulfilled') {
        times.succeeded++;
        expect(rowAt(outcome.value, 0)).toMatchObject({ uuid: one.id, ordinal: one.properties.ordinal });
      } else {
        times.failed++;
        expect([one.id, outcome.reason.code]).toEqual([victim.id, 'connection_failed']);
      }
    }
  }
  return times;
}

/** A core with the Weaviate driver and a connection through the proxy. */
export async function openCore(
  proxy: HttpProxy,
): Promise<{ core: Core; connectionId: string; seen: SessionStatus[] }> {
  const home = mkdtempSync(join(tmpdir(), 'trestle-neighbours-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const core = await createCore({
    home,
    hostEntry: join(dist, 'driver-host.js'),
    bundledDrivers: [],
    secretStore: 'file',
  });
  onTestFinished(() => core.close());
  const [plugin = ''] = globSync(join(dist, 'plugins', 'weaviate-*.tgz'));
  await core.drivers.installFromFile(plugin, { signal });
  const seen: SessionStatus[] = [];
  core.events.on((event) => {
    if (event.type === 'sessionChanged') seen.push(event.status);
  });
  const draft = newConnectionDraft(core.drivers.get('weaviate')!);
  const fields = { ...draft.fields, host: '127.0.0.1', port: proxy.port };
  const { id } = await core.connections.create({ ...draft, name: 'Neighbours', fields });
  return { core, connectionId: id, seen };
}

interface StoredObject {
  id: string;
  properties: { ordinal: number };
}

async function createObjects(port: number, ...collections: [string, string]): Promise<StoredObject[]> {
  for (const name of collections) {
    const properties = [{ name: 'ordinal', dataType: ['int'] }];
    await rest(port, 'POST', '/schema', { class: name, vectorizer: 'none', properties });
  }
  const objects = Array.from({ length: objectCount }, (_, ordinal) => ({
    class: collections[0],
    id: randomUUID(),
    properties: { ordinal },
    vector: Array.from({ length: 8 }, (_, index) => ordinal + index / 8),
  }));
  await rest(port, 'POST', '/batch/objects', { objects });
  return objects;
}

export async function rest(port: number, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}
