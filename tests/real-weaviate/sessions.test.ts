import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ConnectionDraft,
  type Core,
  createCore,
  newConnectionDraft,
  type SessionStatus,
} from '@trestle/core';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';
import { newestWeaviate } from '../../scripts/weaviate/versions.ts';
import { startHttpProxy } from '../faults/http-proxy.ts';
import { describeOnWeaviate } from './servers.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const person = { kind: 'person' as const };

describeOnWeaviate('a connection', ({ version, binary, port: openPort }) => {
  let home: string;
  let core: Core;
  let server: WeaviateServer;
  /** The key that the server accepts now. */
  let key = 'first-key';
  const seen: SessionStatus[] = [];
  const isNewest = version === newestWeaviate;

  beforeAll(async () => {
    server = await startWeaviate({ binary, apiKey: key, environment: { DISABLE_GRAPHQL: String(isNewest) } });
    home = mkdtempSync(join(tmpdir(), 'trestle-sessions-'));
    core = await createCore({
      home,
      hostEntry: join(dist, 'driver-host.js'),
      bundledDrivers: [],
      secretStore: 'file',
      timing: { healthMs: 200, backoffMs: () => 200 },
    });
    const [plugin = ''] = globSync(join(dist, 'plugins', 'weaviate-*.tgz'));
    await core.drivers.installFromFile(plugin, { signal: new AbortController().signal });
    core.events.on((event) => {
      if (event.type === 'sessionChanged') seen.push(event.status);
    });
  });

  afterEach(async () => {
    for (const { id } of core.connections.list()) await core.connections.remove(id);
    seen.length = 0;
  });

  afterAll(async () => {
    await core.close();
    rmSync(home, { recursive: true, force: true });
    await server.stop();
  });

  function draftOf(fields: Record<string, string | number>): ConnectionDraft {
    const manifest = core.drivers.get('weaviate');
    if (!manifest) throw new Error('The driver is not installed');
    const draft = newConnectionDraft(manifest);
    const own = { host: '127.0.0.1', port: server.port, ...fields };
    return { ...draft, name: 'W', fields: { ...draft.fields, ...own } };
  }

  const save = async (fields: Record<string, string | number>) =>
    (await core.connections.create(draftOf(fields))).id;

  const open = (connectionId: string) =>
    core.sessions.open({ caller: person, connectionId, signal: new AbortController().signal });

  async function until(state: SessionStatus['state']): Promise<SessionStatus> {
    for (;;) {
      const [status] = core.sessions.statuses();
      if (status?.state === state) return status;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  test('fails when its key is revoked, and does not retry', async () => {
    const id = await save({ authMethod: 'apiKey', apiKey: key });
    expect(await open(id)).toMatchObject({ state: 'connected', server: { product: 'Weaviate' } });
    key = key === 'first-key' ? 'second-key' : 'first-key';
    await server.restart({ apiKey: key });
    const status = await until('failed');
    expect(status.error).toMatchObject({
      code: 'authentication_failed',
      message: expect.stringMatching(/^Authentication failed: /),
      hint: expect.stringContaining('API key'),
    });
    const after = seen.length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(seen.slice(after)).toEqual([]);
    // With the new key, the connection opens again.
    const saved = core.connections.get(id);
    if (!saved) throw new Error('gone');
    await core.connections.update(id, { ...saved, fields: { ...saved.fields, apiKey: key } });
    expect(await open(id)).toMatchObject({ state: 'connected' });
  });

  // Connect answers a refused key with HTTP 500. Here only Connect meets it: the check of the connection still works.
  test.runIf(isNewest)('fails when Connect refuses its key, as at a 401', async () => {
    const proxy = await startHttpProxy(server.port);
    onTestFinished(() => proxy.close());
    const create = { class: 'Guarded', vectorizer: 'none', properties: [{ name: 'n', dataType: ['int'] }] };
    const created = await fetch(`${server.url}/v1/schema`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(create),
    });
    expect(created.status).toBe(200);
    const id = await save({ authMethod: 'apiKey', apiKey: key, port: proxy.port });
    await open(id);
    const at = { caller: person, connectionId: id, signal: new AbortController().signal };
    const page = {
      table: 'Guarded',
      filters: [{ column: 'n', operator: 'equals' as const, value: 1 }],
      match: 'all' as const,
      sort: [],
      limit: 1,
      offset: 0,
    };
    expect((await core.data.browse(at, page)).rows.rowCount).toBe(0);
    proxy.headersFor = (path, headers) =>
      path.endsWith('/Search') ? { ...headers, authorization: 'Bearer replaced' } : headers;
    const refused = {
      code: 'authentication_failed',
      message: expect.stringMatching(/^Authentication failed: .*invalid api key/),
    };
    await expect(core.data.browse(at, page)).rejects.toMatchObject(refused);
    expect((await until('failed')).error).toMatchObject(refused);
    expect(proxy.requests.map(({ path }) => path).filter((path) => path.includes('graphql'))).toEqual([]);
  });

  test('reconnects by itself after a restart of the server', async () => {
    const id = await save({ authMethod: 'apiKey', apiKey: key });
    await open(id);
    const restarting = server.restart();
    const status = await until('reconnecting');
    expect(status.error).toMatchObject({
      code: 'connection_failed',
      message: expect.stringMatching(/^Connection failed: /),
    });
    await restarting;
    await until('connected');
  });

  test.each([
    [
      'no key for a server with authentication',
      { authMethod: 'none' },
      /^Authentication failed: anonymous access not enabled/,
      /API Key/,
      'authenticate',
    ],
    [
      'a wrong key',
      { authMethod: 'apiKey', apiKey: 'wrong' },
      /^Authentication failed: /,
      /API key/,
      'authenticate',
    ],
    [
      'no server at the port',
      { port: 1 },
      /^Connection failed: no server at 127.0.0.1:1/,
      /host and port/,
      'connect',
    ],
    [
      'an unknown host',
      { host: 'nowhere.invalid' },
      /^Connection failed: the host of/,
      /Host|network/,
      'resolve',
    ],
    [
      'a key for a server without authentication',
      { authMethod: 'apiKey', apiKey: 'useless', port: openPort },
      /^Authentication failed: /,
      /set Auth Method to None/,
      'authenticate',
    ],
    ['plain HTTP where TLS is asked for', { sslMode: 'required' }, /does not speak TLS/, /Disabled/, 'tls'],
  ])('Test Connection reports: %s', async (_case, fields, message, hint, stage) => {
    const { signal } = new AbortController();
    const result = await core.connections.test(draftOf(fields), { signal });
    expect(result).toEqual({
      ok: false,
      error: expect.objectContaining({
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      }),
      stages: expect.any(Array),
    });
    expect(result.stages?.at(-1)).toBe(stage);
  });

  test('does not open with a key if the server has no authentication, and the hint names the right Auth Method', async () => {
    const id = await save({ authMethod: 'apiKey', apiKey: 'useless', port: openPort });
    await expect(open(id)).rejects.toMatchObject({
      code: 'authentication_failed',
      hint: expect.stringContaining('set Auth Method to None'),
    });
  });

  test('the key is nowhere in the data directory in plain text', async () => {
    const id = await save({ authMethod: 'apiKey', apiKey: key });
    await open(id);
    const files = globSync(join(home, '**', '*')).filter((file) => statSync(file).isFile());
    expect(files.filter((file) => readFileSync(file, 'latin1').includes(key))).toEqual([]);
  });
});
