import { once } from 'node:events';
import { chmodSync, chownSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  challengeHeader,
  handshakePath,
  proofHeader,
  prove,
  type RunningHandshake,
  writeHandshake,
} from '@trestle/handshake';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fakeHandshake, initialize, installBridge, temporaryHome } from './bridge-fixtures.ts';
import { spawnBridge } from './bridge-process.ts';
import { runServer } from './running-server.ts';

/** Another process on a port, and the headers of all requests that it received. */
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

describe('trust', () => {
  test.each([
    ['answers nothing useful', () => [200, {}]],
    ['makes up a proof', () => [204, { [proofHeader]: 'A'.repeat(43) }]],
    [
      'sends the proof for another port',
      (headers) => [
        204,
        { [proofHeader]: prove({ ...fakeHandshake, port: 2 }, String(headers[challengeHeader])) },
      ],
    ],
  ] satisfies [string, Parameters<typeof impostor>[0]][])(
    'an impostor that %s never receives the token',
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

  test('a process that takes the port between two calls does not receive the token', async () => {
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
    // After kill -9 the handshake file stays, and another process may get the pid that it names.
    writeFileSync(path, kept, { mode: 0o600 });
    expect((await bridge.ask('tools/list')).error?.message).toMatch(/did not prove/);
    expect(heard.join().toLowerCase()).not.toContain('authorization');
    thief.closeAllConnections();
    thief.close();
  });

  test('if the handshake is unsafe, damaged or missing, the error names the cause and no request is sent', async () => {
    const spoilers: [string, (path: string) => void][] = [
      ['open to other users', (path) => chmodSync(path, 0o644)],
      ['not a regular file', makeLink],
      ['damaged', (path) => writeFileSync(path, '{')],
      ['there is no handshake', (path) => rmSync(path)],
    ];
    // Only root can change the owner of a file.
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
  test('the bridge starts the app, and the requests wait for it', async () => {
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

  test('a handshake whose process is gone makes the bridge start the app', async () => {
    const running = await runServer();
    onTestFinished(() => running.close());
    const path = handshakePath(running.home);
    const current = JSON.parse(readFileSync(path, 'utf8')) as RunningHandshake;
    renameSync(path, `${path}.later`);
    writeHandshake(running.home, { ...current, pid: 2 ** 30, token: 'trs_bridge_stale' });
    const bridge = spawnBridge(running.home, installBridge(running.home, `mv ${path}.later ${path}`));
    expect((await bridge.ask('tools/list')).error).toBeUndefined();
  });

  test('the error names a missing launcher', async () => {
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

  test('the bridge does not start the app if the MCP server is turned off', async () => {
    const home = temporaryHome();
    const { version, pid, instanceId, appVersion, startedAt } = fakeHandshake;
    writeHandshake(home, { version, state: 'disabled', pid, instanceId, appVersion, startedAt });
    const bridge = spawnBridge(home, installBridge(home, `touch ${home}/launched`));
    const { error } = await bridge.ask('initialize', initialize());
    expect(error).toMatchObject({ code: -33006, message: expect.stringContaining('turned off') });
    expect(() => readFileSync(join(home, 'launched'))).toThrow();
  });

  test('the error says to update an app that is too old for the bridge', async () => {
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
