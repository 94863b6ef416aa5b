import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Change, type ChangeOutcome, type ChangeSet, packWire, unpackWire } from '@trestle/driver-kit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { enterWindow } from '../enter-window.ts';
import { windowClient } from '../faults/window-client.ts';
import { createHome, type Home, shareApp } from './trestle.ts';

interface Saved {
  id: string;
  name: string;
  fields: Record<string, unknown>;
}

/** Makes calls like the window, with the key that the link gives. */
async function enter({ link }: { link: string }) {
  const { origin, headers } = await enterWindow(link);
  const window = windowClient({ origin, headers });
  return {
    async data(route: string, connectionId: string, request: unknown) {
      const body = packWire({ connectionId, request });
      const answer = await fetch(`${origin}/data/${route}`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(await answer.text());
      // biome-ignore lint/suspicious/noExplicitAny: the test checks the parts that it uses
      return unpackWire(new Uint8Array(await answer.arrayBuffer())) as any;
    },
    async save(connectionId: string, request: ChangeSet): Promise<ChangeOutcome[]> {
      const parts = await Array.fromAsync(window.save(randomUUID(), connectionId, request));
      return parts.flatMap((part) => ('outcomes' in part ? part.outcomes : []));
    },
    async mutate(path: string, input: unknown) {
      const type = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers: { ...headers, ...type }, body: JSON.stringify(input) };
      const answer = await (await fetch(`${origin}/api/${path}`, init)).json();
      return answer.error ? { refused: answer.error.data.app } : { ok: true };
    },
    /** Follows the event stream. `heard` returns its text so far. */
    async events() {
      const ending = new AbortController();
      onTestFinished(() => ending.abort());
      const answer = await fetch(`${origin}/events`, { headers, signal: ending.signal });
      let heard = '';
      const reading = (async () => {
        for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) heard += chunk;
      })();
      reading.catch(() => {});
      return { heard: () => heard };
    },
    async query(path: string, input: unknown) {
      const text = encodeURIComponent(JSON.stringify(input));
      const answer = await fetch(`${origin}/api/${path}?input=${text}`, { headers });
      return (await answer.json()).result.data;
    },
  };
}

const missions = { table: 'Mission', filters: [], match: 'all', sort: [], limit: 1, offset: 0 };

async function sampleOf(home: Home): Promise<Saved> {
  const all = (await home.ask('connections.list')) as Saved[];
  return all.find(({ name }) => name === 'Sample: Weaviate')!;
}

/** A shared app, for tests that leave the samples with their original data. */
const open = shareApp();

test('a first start has both samples, and the Weaviate driver is installed when its sample is opened', async () => {
  const home = createHome();
  const app = await home.start();
  const common = { sample: true, externalClients: 'readWrite', aiPolicy: 'alwaysAllow' };
  const saved: Saved[] = await home.json('connections', 'list');
  expect(saved).toMatchObject([
    {
      ...common,
      name: 'Sample: Weaviate',
      driver: 'weaviate',
      fields: { host: '127.0.0.1', port: expect.any(Number), authMethod: 'apiKey' },
      storedSecrets: ['apiKey'],
    },
    { ...common, name: 'Sample: SQLite', driver: 'sqlite' },
  ]);
  expect(await home.json('plugins', 'list')).toMatchObject([
    { id: 'sqlite', bundled: true, integrity: null },
  ]);

  const page = await enter(app);
  const connectionId = saved[0]!.id;
  const tables: { name: string }[] = await page.query('tables.list', { connectionId });
  expect(tables.map(({ name }) => name)).toContain('Mission');
  expect(await home.json('plugins', 'list')).toMatchObject([
    { id: 'sqlite' },
    { id: 'weaviate', bundled: false, version: '0.1.0', integrity: expect.stringMatching(/^sha512-/) },
  ]);
  const tested = await home.run(['connections', 'test', 'Sample: Weaviate']);
  expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/works: Weaviate \d/) });
});

test('the API key of the Weaviate sample is not a plain field, and the sample node refuses requests without the key', async () => {
  const home = await open();
  const { fields } = await sampleOf(home);
  const schema = `http://127.0.0.1:${fields.port}/v1/schema`;
  const statuses = [undefined, 'Bearer wrong', 'Basic x'].map(async (authorization) => {
    const answer = await fetch(schema, { headers: authorization ? { authorization } : {} });
    return [answer.status, (await answer.json()).message !== undefined];
  });
  expect(await Promise.all(statuses)).toEqual([
    [401, true],
    [401, true],
    [401, true],
  ]);
  expect(JSON.stringify(fields)).not.toMatch(/apiKey":/);
});

test('edits survive a restart on the same port, and a kill of the app', async () => {
  const home = createHome();
  let app = await home.start();
  const sample = await sampleOf(home);
  const read = async () => {
    const { rows } = await (await enter(app)).data('browse', sample.id, missions);
    const cell = (name: string) => {
      const column = rows.columns.findIndex((one: { name: string }) => one.name === name);
      return rows.values[column].cells[0];
    };
    return { uuid: cell('uuid'), name: cell('name') };
  };
  const { uuid } = await read();
  for (const [name, end] of [
    ['Renamed once', 'SIGTERM'],
    ['Renamed twice', 'SIGKILL'],
  ] as const) {
    const changes: Change[] = [{ kind: 'update', id: 'a', key: { uuid }, values: { name } }];
    const outcome = await (await enterAgain(home)).save(sample.id, {
      table: 'Mission',
      changes,
    });
    expect(outcome).toEqual([expect.objectContaining({ id: 'a', status: 'applied' })]);
    app.process.kill(end);
    await app.exited;
    app = await home.start();
    expect((await sampleOf(home)).fields.port).toBe(sample.fields.port);
    expect(await read()).toEqual({ uuid, name });
  }
});

test('if the port of the Weaviate sample is taken, the sample gets another port, and its connection is updated', async () => {
  const home = createHome();
  const app = await home.start();
  const { fields } = await sampleOf(home);
  app.process.kill('SIGTERM');
  await app.exited;
  const squatter = createServer().listen(Number(fields.port), '127.0.0.1');
  onTestFinished(() => void squatter.close());
  await new Promise((resolve) => squatter.once('listening', resolve));
  await home.start();
  expect((await sampleOf(home)).fields.port).not.toBe(fields.port);
  expect((await home.run(['connections', 'test', 'Sample: Weaviate'])).code).toBe(0);
});

test('deleting the Weaviate sample stops its server, and the sample does not come back at the next start', async () => {
  const home = createHome();
  const app = await home.start();
  const { id, fields } = await sampleOf(home);
  const alive = () =>
    fetch(`http://127.0.0.1:${fields.port}/v1/.well-known/ready`).then(
      () => true,
      () => false,
    );
  expect(await alive()).toBe(true);
  await home.json('connections', 'remove', id);
  await expect.poll(alive).toBe(false);
  app.process.kill('SIGTERM');
  await app.exited;
  await home.start();
  expect(await sampleOf(home)).toBeUndefined();
  expect(await alive()).toBe(false);
  expect(await home.json('connections', 'list')).toMatchObject([{ name: 'Sample: SQLite' }]);
});

describe.each([
  { sample: 'Sample: Weaviate', table: 'Mission', column: 'name', key: 'uuid' },
  { sample: 'Sample: SQLite', table: 'elements', column: 'name', key: 'atomic_number' },
])('$sample is restored', ({ sample, table, column, key }) => {
  const request = { ...missions, table };

  async function spoil(home: Home) {
    const all = (await home.ask('connections.list')) as Saved[];
    const { id } = all.find(({ name }) => name === sample)!;
    const page = await enterAgain(home);
    const read = async () => {
      const { rows } = await (await enterAgain(home)).data('browse', id, request);
      const cell = (name: string) =>
        rows.values[rows.columns.findIndex((one: { name: string }) => one.name === name)].cells[0];
      return { [key]: cell(key), [column]: cell(column) };
    };
    const before = await read();
    const edit: Change = {
      kind: 'update',
      id: 'a',
      key: { [key]: before[key] },
      values: { [column]: 'Spoilt' },
    };
    const outcome = await page.save(id, { table, changes: [edit] });
    expect(outcome).toEqual([expect.objectContaining({ status: 'applied' })]);
    expect(await read()).toEqual({ ...before, [column]: 'Spoilt' });
    return { id, page, read, before };
  }

  test('from the window, which gets an event', async () => {
    const home = await open();
    const { id, page, read, before } = await spoil(home);
    const { heard } = await page.events();
    await expect.poll(heard).toBe('\n');
    expect(await page.mutate('samples.reset', { connectionId: id })).toEqual({ ok: true });
    expect(await read()).toEqual(before);
    await expect.poll(heard).toContain(JSON.stringify({ type: 'schemaChanged', connectionId: id }));
    const statuses: { connectionId: string; state: string }[] = await page.query('sessions.statuses', null);
    expect(statuses.find(({ connectionId }) => connectionId === id)?.state).toBe('connected');
  });

  test('by a command, with or without a running app', async () => {
    const home = createHome();
    let app = await home.start();
    const { id, read, before } = await spoil(home);
    const said = { code: 0, stdout: `"${sample}" has its original data again.\n`, stderr: '' };
    expect(await home.run(['connections', 'reset', sample])).toEqual(said);
    expect(await read()).toEqual(before);
    await spoil(home);
    app.process.kill('SIGTERM');
    await app.exited;
    expect(await home.run(['connections', 'reset', id])).toEqual(said);
    app = await home.start();
    expect(await read()).toEqual(before);
  });
});

test('a connection that is no sample or no longer points to its sample is not restored', async () => {
  const home = createHome();
  const app = await home.start();
  const file = join(home.folder, 'samples', 'trestle-sample.db');
  await home.json('connections', 'add', '--driver', 'sqlite', '--name', 'Mine', '--file', file);
  expect(await home.run(['connections', 'reset', 'Mine'])).toEqual({
    code: 1,
    stdout: '',
    stderr: '"Mine" is not a sample\n',
  });
  const { mutate } = await enter(app);
  expect(await mutate('samples.reset', { connectionId: 'none' })).toEqual({
    refused: { code: 'not_found', message: 'There is no connection none' },
  });
  const { id, ...saved } = (await home.json('connections', 'list'))[1];
  const { name, driver, externalClients, aiPolicy, safeMode, color } = saved;
  const draft = {
    name,
    driver,
    externalClients,
    aiPolicy,
    safeMode,
    color,
    fields: { file: '/elsewhere.db' },
  };
  await mutate('connections.update', { id, draft });
  expect(await mutate('samples.reset', { connectionId: id })).toMatchObject({
    refused: {
      code: 'unsupported',
      message: expect.stringContaining('is no longer connected to the sample'),
    },
  });
});

/** Enters by a new link, since each link works once. */
async function enterAgain(home: Home) {
  return enter((await home.ask('link')) as { link: string });
}
