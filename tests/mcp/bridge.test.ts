import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  challengeHeader,
  handshakePath,
  proofHeader,
  prove,
  type RunningHandshake,
  readHandshake,
  writeHandshake,
} from '@trestle/handshake';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { spawnBridge } from './bridge-process.ts';
import { bridgeFile, endless, type RunningServer, runServer } from './running-server.ts';

const initialize = (protocolVersion = '2025-06-18') => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
});
const select = { name: 'execute_query', arguments: { connection_id: 'Open', query: 'SELECT 1' } };

function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'trestle-bridge-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** A copy of the bridge beside a launcher that does what the test says, in place of the app. */
function installBridge(home: string, launcher: string): string {
  const folder = mkdtempSync(join(home, 'install-'));
  mkdirSync(join(folder, 'dist'));
  mkdirSync(join(folder, 'bin'));
  copyFileSync(bridgeFile, join(folder, 'dist', 'trestle-mcp.js'));
  writeFileSync(join(folder, 'dist', 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'bin', 'trestle'), `#!/bin/sh\n${launcher}\n`, { mode: 0o755 });
  return join(folder, 'dist', 'trestle-mcp.js');
}

const fakeHandshake: RunningHandshake = {
  version: 1,
  state: 'running',
  port: 1,
  token: 'trs_bridge_secret-token',
  tokenExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  pid: process.pid,
  instanceId: 'instance',
  secret: 'secret',
  appVersion: '0.0.1',
  protocolVersions: ['2026-07-28'],
  startedAt: new Date().toISOString(),
};

/** Something that is not the app on a port, and all it was ever sent. */
async function impostor(answer: (headers: IncomingHttpHeaders) => [number, Record<string, string>]) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(JSON.stringify(request.headers));
    const [status, headers] = answer(request.headers);
    response.writeHead(status, headers).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, heard: () => heard.join('\n') };
}

describe('with the app running', () => {
  let running: RunningServer;
  beforeEach(async () => {
    running = await runServer();
  });
  afterEach(() => running.close());

  test.each(['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'a client of %s is answered in its own version, without what it cannot know',
    async (version) => {
      const bridge = spawnBridge(running.home);
      const { result } = await bridge.ask('initialize', initialize(version));
      expect(result).toEqual({
        protocolVersion: version,
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: 'trestle', title: 'Trestle', version: '0.1.0' },
        instructions: expect.stringContaining('list_connections'),
      });
      bridge.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      expect((await bridge.ask('ping')).result).toEqual({});
      const listed = await bridge.ask('tools/list');
      expect(Object.keys(listed.result ?? {})).toEqual(['tools']);
      const called = await bridge.ask('tools/call', select);
      expect(Object.keys(called.result ?? {}).sort()).toEqual(['content', 'structuredContent']);
      expect(await bridge.end()).toBe(0);
      expect(bridge.stderr()).toBe('');
    },
  );

  test('broken lines are answered and do not end it', async () => {
    const bridge = spawnBridge(running.home);
    bridge.send('{"not json');
    bridge.send('42');
    expect((await bridge.ask('ping')).result).toEqual({});
    expect(bridge.messages.slice(0, 2).map((message) => [message.id, message.error?.code])).toEqual([
      [null, -32700],
      [null, -32600],
    ]);
  });

  test('a cancelled call gets no answer', async () => {
    const bridge = spawnBridge(running.home);
    await bridge.ask('tools/call', select);
    const params = { name: 'execute_query', arguments: { connection_id: 'Open', query: endless } };
    bridge.send({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params });
    bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } });
    expect((await bridge.ask('tools/call', select)).result?.isError).toBeFalsy();
    expect(bridge.messages.map((message) => message.id)).toEqual([1, 2]);
  });

  test('it follows the app through restarts on other ports and on the same one', async () => {
    const bridge = spawnBridge(running.home);
    await bridge.ask('initialize', initialize());
    const { port } = running.server;
    for (const next of [0, port, port, 0]) {
      expect((await bridge.ask('tools/call', select)).result?.isError).toBeFalsy();
      await running.restart({ port: next });
    }
    expect((await bridge.ask('tools/call', select)).result?.isError).toBeFalsy();
  });

  test('it follows the token through its rotations', async () => {
    await running.restart({ tokenLifetimeMs: 200, tokenRotateBeforeMs: 100 });
    const bridge = spawnBridge(running.home);
    const tokens = new Set<string>();
    await vi.waitUntil(
      async () => {
        expect((await bridge.ask('tools/call', select)).error).toBeUndefined();
        const reading = readHandshake(handshakePath(running.home));
        if (reading.trusted && reading.handshake.state === 'running') tokens.add(reading.handshake.token);
        return tokens.size > 8;
      },
      { timeout: 20_000 },
    );
  });

  test('an unauthenticated answer that stands is passed on, with the id of its request', async () => {
    const path = handshakePath(running.home);
    const handshake = JSON.parse(readFileSync(path, 'utf8')) as RunningHandshake;
    writeHandshake(running.home, { ...handshake, token: 'trs_bridge_wrong' });
    const bridge = spawnBridge(running.home);
    expect(await bridge.ask('tools/list')).toMatchObject({ id: 1, error: { code: -33009 } });
    writeHandshake(running.home, handshake);
    expect((await bridge.ask('tools/list')).error).toBeUndefined();
  });

  test('a client of 2026-07-28 with a version of tomorrow hears what there is', async () => {
    const bridge = spawnBridge(running.home);
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2027-01-01',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { error } = await bridge.ask('server/discover', { _meta });
    expect(error).toMatchObject({ code: -32022, data: { requested: '2027-01-01' } });
  });
});

describe('trust', () => {
  test.each([
    ['answers nothing useful', () => [200, {}]],
    ['makes up a proof', () => [204, { [proofHeader]: 'A'.repeat(43) }]],
    [
      'proves it for another port',
      (headers) => [
        204,
        { [proofHeader]: prove({ ...fakeHandshake, port: 2 }, String(headers[challengeHeader])) },
      ],
    ],
  ] satisfies [string, Parameters<typeof impostor>[0]][])(
    'an impostor that %s never hears the token',
    async (_, answer) => {
      const home = temporaryHome();
      const { port, heard } = await impostor(answer);
      writeHandshake(home, { ...fakeHandshake, port });
      const bridge = spawnBridge(home, installBridge(home, 'exit 0'));
      const answers = await Promise.all([1, 2, 3].map(() => bridge.ask('initialize', initialize())));
      for (const { error } of answers) {
        expect(error?.message).toMatch(
          /did not prove it belongs to Trestle.*Quit Trestle, delete .*mcp-handshake/,
        );
      }
      expect(bridge.stderr()).toContain('did not prove it belongs to Trestle');
      expect(heard()).toContain(challengeHeader);
      expect(heard().toLowerCase()).not.toContain('secret-token');
      expect(heard().toLowerCase()).not.toContain('authorization');
    },
  );

  test('a process that takes the port between two calls hears nothing', async () => {
    const running = await runServer();
    onTestFinished(() => running.close());
    const bridge = spawnBridge(running.home, installBridge(running.home, 'exit 0'));
    expect((await bridge.ask('tools/list')).error).toBeUndefined();
    const path = handshakePath(running.home);
    const kept = readFileSync(path);
    const { port } = running.server;
    await running.server.close();
    const heard: string[] = [];
    const thief = createServer((request, response) => {
      heard.push(JSON.stringify(request.headers));
      response.writeHead(204).end();
    });
    thief.listen(port, '127.0.0.1');
    await once(thief, 'listening');
    // As after kill -9: the file is still there, and names a living process.
    writeFileSync(path, kept, { mode: 0o600 });
    expect((await bridge.ask('tools/list')).error?.message).toMatch(/did not prove/);
    expect(heard.join().toLowerCase()).not.toContain('authorization');
    thief.closeAllConnections();
    thief.close();
  });

  test('a handshake that this user’s own app cannot have written is not used', {
    timeout: 60_000,
  }, async () => {
    const spoilers: [string, (path: string) => void][] = [
      ['open to other users', (path) => chmodSync(path, 0o644)],
      ['not a regular file', makeLink],
      ['damaged', (path) => writeFileSync(path, '{')],
      ['there is no handshake', (path) => rmSync(path)],
    ];
    // Only root can give a file away.
    if (process.getuid?.() === 0) spoilers.push(['belongs to another user', (path) => chownSync(path, 1, 1)]);
    const { port, heard } = await impostor(() => [200, {}]);
    const answers = await Promise.all(
      spoilers.map(([, spoil]) => {
        const home = temporaryHome();
        writeHandshake(home, { ...fakeHandshake, port });
        spoil(handshakePath(home));
        return spawnBridge(home, installBridge(home, 'exit 0')).ask('initialize', initialize());
      }),
    );
    expect(answers.map(({ error }) => error?.message)).toEqual(
      spoilers.map(([reason]) =>
        expect.stringMatching(`^Trestle is not running: no trusted .* 10 sec.*${reason}`),
      ),
    );
    expect(heard()).toBe('');
  });

  function makeLink(path: string): void {
    renameSync(path, `${path}.real`);
    symlinkSync(`${path}.real`, path);
  }
});

describe('without the app', () => {
  test('it starts the app, and the requests wait for it', async () => {
    const running = await runServer();
    onTestFinished(() => running.close());
    const path = handshakePath(running.home);
    renameSync(path, `${path}.later`);
    const launcher = `echo "$@" >> ${running.home}/launched; (sleep 0.7; mv ${path}.later ${path}) &`;
    const bridge = spawnBridge(running.home, installBridge(running.home, launcher));
    const answers = await Promise.all([bridge.ask('initialize', initialize()), bridge.ask('tools/list')]);
    expect(answers.map((answer) => answer.error)).toEqual([undefined, undefined]);
    expect(readFileSync(join(running.home, 'launched'), 'utf8')).toBe('start --no-window\n');
  });

  test('a handshake whose process is gone makes it start the app', async () => {
    const running = await runServer();
    onTestFinished(() => running.close());
    const path = handshakePath(running.home);
    const current = JSON.parse(readFileSync(path, 'utf8')) as RunningHandshake;
    renameSync(path, `${path}.later`);
    writeHandshake(running.home, { ...current, pid: 2 ** 30, token: 'trs_bridge_stale' });
    const bridge = spawnBridge(running.home, installBridge(running.home, `mv ${path}.later ${path}`));
    expect((await bridge.ask('tools/list')).error).toBeUndefined();
  });

  test('a launcher that is missing is named at once', async () => {
    const home = temporaryHome();
    const file = installBridge(home, 'exit 0');
    rmSync(join(file, '..', '..', 'bin'), { recursive: true });
    const bridge = spawnBridge(home, file);
    const { error } = await bridge.ask('initialize', initialize());
    expect(error).toMatchObject({ code: -33000, data: { layer: 'bridge' } });
    expect(error?.message).toMatch(
      /^Trestle is not running: it could not be started .*bin\/trestle is missing.*Open Trestle/,
    );
    expect(bridge.stderr()).toContain('trestle-mcp: Trestle is not running');
  });

  test('a server that is turned off is not started', async () => {
    const home = temporaryHome();
    const { version, pid, instanceId, appVersion, startedAt } = fakeHandshake;
    writeHandshake(home, { version, state: 'disabled', pid, instanceId, appVersion, startedAt });
    const bridge = spawnBridge(home, installBridge(home, `touch ${home}/launched`));
    const { error } = await bridge.ask('initialize', initialize());
    expect(error).toMatchObject({ code: -33006, message: expect.stringContaining('turned off') });
    expect(() => readFileSync(join(home, 'launched'))).toThrow();
  });

  test('an app too old for the bridge is named', async () => {
    const home = temporaryHome();
    writeHandshake(home, { ...fakeHandshake, protocolVersions: ['2025-11-25'] });
    const bridge = spawnBridge(home, installBridge(home, 'exit 0'));
    const { error } = await bridge.ask('initialize', initialize());
    expect(error?.message).toMatch(
      /^This build of Trestle does not speak protocol 2026-07-28.*Update Trestle\.$/,
    );
    expect(error?.code).toBe(-32022);
  });
});

test('--version and --help answer and end; another option is refused', async () => {
  const home = temporaryHome();
  const output = async (option: string) => {
    const { child } = spawnBridge(home, bridgeFile, [option]);
    let text = '';
    child.stdout.removeAllListeners('data').on('data', (chunk) => {
      text += chunk;
    });
    const [code] = await once(child, 'close');
    return [code, text] as const;
  };
  expect(await output('--version')).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  expect(await output('--help')).toEqual([0, expect.stringContaining('without arguments')]);
  expect(await output('--nonsense')).toEqual([2, '']);
});
