import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Connection, Core, CoreEvent } from '@trestle/core';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSamples } from './samples.ts';

/** A core that knows the Weaviate driver only after `registryChanged`, as at a first start without a registry index. */
function firstStart() {
  const listeners = new Set<(event: CoreEvent) => void>();
  const saved: Connection[] = [];
  const state = new Map<string, unknown>();
  let isKnown = false;
  const core = {
    events: {
      on(listener: (event: CoreEvent) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    connections: {
      list: () => saved,
      get: (id: string) => saved.find((one) => one.id === id),
      async create(draft: object) {
        const made = { ...draft, id: `id-${saved.length}`, sample: true } as Connection;
        saved.push(made);
        return made;
      },
      reorder() {},
    },
    uiState: {
      get: (key: string) => state.get(key),
      set: (key: string, value: unknown) => void state.set(key, value),
    },
    drivers: { get: () => (isKnown ? {} : undefined) },
  } as unknown as Core;
  return {
    core,
    saved,
    registryChanged() {
      isKnown = true;
      for (const listener of listeners) listener({ type: 'registryChanged' } as CoreEvent);
    },
  };
}

function options() {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-samples-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { dist: join(folder, 'dist'), dataDirectory: folder, log: pino({ enabled: false }) };
}

const reach = ({ fields }: Connection) => fetch(`http://127.0.0.1:${fields.port}/v1/meta`);

test('two changes of the registry in a row create one sample node, and the node stops with the app', async () => {
  const { core, saved, registryChanged } = firstStart();
  const samples = await openSamples(core, options());
  expect(saved).toEqual([]);
  registryChanged();
  registryChanged();
  await expect.poll(() => saved.length).toBeGreaterThan(0);
  expect((await reach(saved[0]!)).status).toBe(401);
  await samples.close();
  expect(saved.map(({ name }) => name)).toEqual(['Sample: Weaviate']);
  await expect(reach(saved[0]!)).rejects.toThrow('fetch failed');
});

test('a sample node that is still opening when the app stops is closed too', async () => {
  const { core, saved, registryChanged } = firstStart();
  const samples = await openSamples(core, options());
  registryChanged();
  await samples.close();
  expect(saved).toHaveLength(1);
  await expect(reach(saved[0]!)).rejects.toThrow('fetch failed');
});

test('the reset of a Weaviate sample whose node is not running says so', async () => {
  const { core, saved } = firstStart();
  const samples = await openSamples(core, options());
  onTestFinished(() => samples.close());
  const draft = { name: 'Sample: Weaviate', driver: 'weaviate' };
  await core.connections.create({ ...draft, fields: { host: '127.0.0.1', port: 1 } } as never);
  await core.connections.create({ ...draft, fields: { host: 'db.example', port: 1 } } as never);
  await expect(samples.reset(saved[0]!.id)).rejects.toMatchObject({
    code: 'not_connected',
    message: 'The sample node of "Sample: Weaviate" is not running',
    hint: 'Start Trestle again. If this error stays, see the log.',
  });
  await expect(samples.reset(saved[1]!.id)).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('is no longer connected to the sample'),
  });
});

test('the reset of a Weaviate sample whose host was changed is refused', async () => {
  const { core, saved, registryChanged } = firstStart();
  const samples = await openSamples(core, options());
  onTestFinished(() => samples.close());
  registryChanged();
  await expect.poll(() => saved.length).toBe(1);
  saved[0]!.fields.host = 'db.example';
  await expect(samples.reset(saved[0]!.id)).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('is no longer connected to the sample'),
  });
});

test('if the SQLite sample cannot be copied, the old file keeps its journal and the session reopens', async () => {
  const { core, saved } = firstStart();
  const places = options();
  const samples = await openSamples(core, places);
  onTestFinished(() => samples.close());
  const file = join(places.dataDirectory, 'samples', 'trestle-sample.db');
  mkdirSync(join(places.dataDirectory, 'samples'), { recursive: true });
  for (const suffix of ['', '-wal']) writeFileSync(file + suffix, 'old');
  await core.connections.create({ name: 'Sample: SQLite', driver: 'sqlite', fields: { file } } as never);
  const sessions = { status: () => ({ state: 'connected' }), close: vi.fn(), open: vi.fn(async () => {}) };
  Object.assign(core, { sessions });
  await expect(samples.reset(saved[0]!.id)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(readdirSync(dirname(file)).sort()).toEqual(['trestle-sample.db', 'trestle-sample.db-wal']);
  expect(sessions.open).toHaveBeenCalledOnce();
});
