import { readFileSync } from 'node:fs';
import { handshakePath, type RunningHandshake, writeHandshake } from '@trestle/handshake';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeHandshake, installBridge, temporaryHome } from './bridge-fixtures.ts';
import { type BridgeProcess, spawnBridge } from './bridge-process.ts';
import { type RunningServer, runServer } from './running-server.ts';

/*
 * Causes refusals that a user can meet, and reads them where the user does: in the answer and on stderr.
 */

let running: RunningServer;
beforeEach(async () => {
  running = await runServer();
});
afterEach(() => running.close());

const run = (bridge: BridgeProcess, connection_id: string, query: string) =>
  bridge.ask('tools/call', { name: 'execute_query', arguments: { connection_id, query } });

/** The words of the answer. The bridge must also write them to stderr. */
async function words(bridge: BridgeProcess, answer: ReturnType<BridgeProcess['ask']>): Promise<string> {
  const { error, result } = await answer;
  const content = result?.content as { text: string }[] | undefined;
  const message = error?.message ?? content?.[0]?.text ?? '';
  await expect.poll(() => bridge.stderr()).toContain(`trestle-mcp: ${message}`);
  return error ? `${error.code} ${message}` : message;
}

describe('the app refuses', () => {
  test('a write to a connection that is read only for external clients', async () => {
    const bridge = spawnBridge(running.home);
    for (const text of ['DELETE FROM planets WHERE moons = 9', 'DELETE FROM planets', 'DROP TABLE planets']) {
      const refusal = await words(bridge, run(bridge, 'Read only', text));
      expect(refusal).toMatch(/^denied: Connection is read only for external clients/);
      expect(refusal).toMatch(/External Clients.*Advanced|Advanced.*External Clients/s);
      expect(refusal).toMatch(/editor/);
    }
  });

  test.each(['blocked', 'never'] as const)('a connection that clients may not use: %s', async (which) => {
    const bridge = spawnBridge(running.home);
    const refusal = await words(bridge, run(bridge, running.connections[which].id, 'SELECT 1'));
    expect(refusal).toMatch(/^-33007 Forbidden/);
    expect(refusal).toMatch(/External Clients|AI Policy/);
  });

  test('a destructive operation with the bridge token', async () => {
    const bridge = spawnBridge(running.home);
    const params = {
      name: 'confirm_destructive_operation',
      arguments: { connection_id: 'Open', query: 'DROP TABLE planets' },
    };
    expect(await words(bridge, bridge.ask('tools/call', params))).toMatch(/^-33007 /);
  });

  test('a stale bridge token, if the handshake has no newer one', async () => {
    const path = handshakePath(running.home);
    const handshake = JSON.parse(readFileSync(path, 'utf8')) as RunningHandshake;
    writeHandshake(running.home, { ...handshake, token: 'trs_bridge_stale' });
    const bridge = spawnBridge(running.home);
    const answer = bridge.ask('tools/list');
    expect((await answer).error?.data).toEqual({ layer: 'app' });
    expect(await words(bridge, answer)).toMatch(
      /^-33009 Unauthenticated: .* is stale\. Perhaps Trestle cannot write its next token there: .* quit Trestle and open it again/,
    );
  });

  test('more requests than its limits allow', async () => {
    running.core.settings.update({ mcpRequestsPerMinute: 60 });
    const bridge = spawnBridge(running.home);
    const answers = await Promise.all(Array.from({ length: 120 }, () => bridge.ask('tools/list')));
    const limited = answers.filter(({ error }) => error);
    expect(limited.length).toBeGreaterThan(0);
    for (const { error } of limited) expect(error).toMatchObject({ code: -33010 });
    expect(limited[0]?.error?.message).toMatch(/^Rate limited/);
    await expect.poll(() => bridge.stderr()).toContain('trestle-mcp: Rate limited');
  });

  test('a client with a valid but unused token after five failed authentications, but not the bridge', async () => {
    const url = `http://127.0.0.1:${running.server.port}/mcp`;
    const attempt = (token: string) =>
      fetch(url, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: '{}' });
    for (let count = 0; count < 5; count++) expect((await attempt('trs_wrong')).status).toBe(401);
    const locked = await attempt(running.token);
    expect(locked.status).toBe(429);
    expect(await locked.json()).toMatchObject({
      error: { code: -33010, message: expect.stringMatching(/Wait .*or restart Trestle/) },
    });
    expect((await spawnBridge(running.home).ask('tools/list')).error).toBeUndefined();
  });
});

describe('the bridge', () => {
  test('reports an app that is not running and cannot be started, and names the remedy', async () => {
    const home = temporaryHome();
    const bridge = spawnBridge(home, installBridge(home, 'exit 7'));
    const answer = bridge.ask('tools/list');
    expect((await answer).error?.data).toEqual({ layer: 'bridge' });
    expect(await words(bridge, answer)).toMatch(
      /^-33000 Trestle is not running: it could not be started .*ended with 7.*Open Trestle and check that the MCP server shows as running in Settings → Integrations; .*turn Enable MCP Server off and on.*start this client again/,
    );
  });

  test('reports an app that gives no trusted handshake within ten seconds', async () => {
    const home = temporaryHome();
    const bridge = spawnBridge(home, installBridge(home, 'exit 0'));
    expect(await words(bridge, bridge.ask('tools/list'))).toMatch(
      /^-33000 Trestle is not running: no trusted handshake within 10 seconds/,
    );
  });

  test('reports an app that does not speak protocol 2026-07-28', async () => {
    const home = temporaryHome();
    writeHandshake(home, { ...fakeHandshake, protocolVersions: ['2025-11-25'] });
    const bridge = spawnBridge(home, installBridge(home, 'exit 0'));
    expect(await words(bridge, bridge.ask('tools/list'))).toMatch(
      /^-32022 This build of Trestle does not speak protocol 2026-07-28.*Update Trestle\.$/,
    );
  });

  test('reports an MCP server that is turned off', async () => {
    const home = temporaryHome();
    const { version, pid, instanceId, appVersion, startedAt } = fakeHandshake;
    writeHandshake(home, { version, state: 'disabled', pid, instanceId, appVersion, startedAt });
    const bridge = spawnBridge(home, installBridge(home, 'exit 0'));
    expect(await words(bridge, bridge.ask('tools/list'))).toMatch(/^-33006 .*turned off.*Enable MCP Server/);
  });

  test('refuses an endpoint that does not prove that it is Trestle’s, and names the file to delete', async () => {
    const home = temporaryHome();
    writeHandshake(home, { ...fakeHandshake, port: running.server.port });
    const bridge = spawnBridge(home, installBridge(home, 'exit 0'));
    const answer = bridge.ask('tools/list');
    expect((await answer).error?.data).toEqual({ layer: 'endpoint' });
    expect(await words(bridge, answer)).toMatch(
      /^-33000 The endpoint on 127\.0\.0\.1:\d+ did not prove it belongs to Trestle: .*Quit Trestle, delete .*mcp-handshake\.json, and open Trestle again\.$/,
    );
  });

  test('starts the app if the handshake has expired and the endpoint gives no valid proof', async () => {
    const home = temporaryHome();
    const tokenExpiresAt = new Date(Date.now() - 60_000).toISOString();
    writeHandshake(home, { ...fakeHandshake, port: running.server.port, tokenExpiresAt });
    const path = handshakePath(home);
    const bridge = spawnBridge(home, installBridge(home, `cp ${handshakePath(running.home)} ${path}`));
    expect((await bridge.ask('tools/list')).error).toBeUndefined();
  });
});
