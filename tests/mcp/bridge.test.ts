import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { handshakePath, type RunningHandshake, readHandshake, writeHandshake } from '@trestle/handshake';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initialize, temporaryHome } from './bridge-fixtures.ts';
import { spawnBridge } from './bridge-process.ts';
import { readAnswer, textOf } from './read-answer.ts';
import { bridgeFile, endless, type RunningServer, runServer } from './running-server.ts';
import { untilRunning } from './until-running.ts';

const long = { name: 'execute_query', arguments: { connection_id: 'Open', query: endless } };
const select = { name: 'execute_query', arguments: { connection_id: 'Open', query: 'SELECT 1' } };

describe('with the app running', () => {
  let running: RunningServer;
  beforeEach(async () => {
    running = await runServer();
  });
  afterEach(() => running.close());

  test.each(['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'a client of protocol %s is answered in its own version, without fields that only 2026-07-28 has',
    async (version) => {
      const bridge = spawnBridge(running.home);
      const { result } = await bridge.ask('initialize', initialize(version));
      expect(result).toEqual({
        protocolVersion: version,
        capabilities: {
          tools: { listChanged: false },
          prompts: { listChanged: false },
          resources: { listChanged: true, subscribe: true },
          completions: {},
        },
        serverInfo: { name: 'trestle', title: 'Trestle', version: '0.1.0' },
        instructions: expect.stringContaining('list_connections'),
      });
      bridge.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      expect((await bridge.ask('ping')).result).toEqual({});
      const listed = await bridge.ask('tools/list');
      expect(Object.keys(listed.result ?? {})).toEqual(['tools']);
      const called = await bridge.ask('tools/call', select);
      expect(Object.keys(called.result ?? {})).toEqual(['content']);
      expect(await bridge.end()).toBe(0);
      expect(bridge.stderr()).toBe('');
    },
  );

  test('invalid lines are answered with errors and do not end the bridge', async () => {
    const bridge = spawnBridge(running.home);
    bridge.send('{"not json');
    bridge.send('42');
    bridge.send(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect((await bridge.ask('ping')).result).toEqual({});
    expect(bridge.messages.slice(0, 3).map((message) => [message.id, message.error?.code])).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
    ]);
  });

  test('each of a thousand concurrent calls is answered or rate limited', async () => {
    const bridge = spawnBridge(running.home);
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () =>
        bridge.ask('tools/call', { name: 'list_connections', arguments: {} }),
      ),
    );
    const refused = answers.flatMap(({ error }) => (error ? [error.code] : []));
    expect(refused.filter((code) => code !== -33010)).toEqual([]);
  });

  test('a cancelled call gets no answer', async () => {
    const bridge = spawnBridge(running.home);
    await bridge.ask('tools/call', select);
    bridge.send({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params: long });
    bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } });
    expect((await bridge.ask('tools/call', select)).result?.isError).toBeFalsy();
    expect(bridge.messages.map((message) => message.id)).toEqual([1, 2]);
  });

  test('an app that goes away during a call is reported once', async () => {
    const bridge = spawnBridge(running.home);
    await bridge.ask('tools/call', select);
    const call = bridge.ask('tools/call', long);
    await untilRunning(running, running.connections.open);
    await running.restart();
    expect(await call).toMatchObject({ id: 2, error: { code: -33000, data: { layer: 'endpoint' } } });
    expect((await bridge.ask('tools/call', select)).result?.isError).toBeFalsy();
    expect(bridge.messages.map((message) => message.id)).toEqual([1, 2, 3]);
  });

  test('the end of stdin ends the bridge and its running calls', async () => {
    const bridge = spawnBridge(running.home);
    await bridge.ask('tools/call', select);
    void bridge.ask('tools/call', long);
    await untilRunning(running, running.connections.open);
    expect(await bridge.end()).toBe(0);
    const connectionIds = [running.connections.open.id];
    const outcome = () => running.core.history.search({ connectionIds, limit: 1 })[0]?.outcome;
    await expect.poll(outcome).toBe('cancelled');
  });

  test('of sixty concurrent calls at least sixteen get their own answer, and the others are refused', async () => {
    const bridge = spawnBridge(running.home);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        bridge.ask('tools/call', {
          name: 'execute_query',
          arguments: { connection_id: 'Open', query: `SELECT ${number}` },
        }),
      ),
    );
    const refused = answers.filter((answer) => answer.error);
    expect(refused.every(({ error }) => error?.code === -33010)).toBe(true);
    expect(refused.length).toBeLessThanOrEqual(44);
    const value = (answer: { result?: Record<string, unknown> }) =>
      answer.result && readAnswer(textOf(answer.result)).rows[0]?.[0];
    expect(answers.map(value)).toEqual(
      answers.map((answer, number) => (answer.error ? undefined : String(number))),
    );
  });

  test('a tool name with characters that a header cannot carry still reaches the app', async () => {
    const bridge = spawnBridge(running.home);
    const { error } = await bridge.ask('tools/call', { name: 'täbles 表\n', arguments: {} });
    expect(error).toMatchObject({ code: -32602, message: 'There is no tool of that name' });
  });

  test('the bridge follows the app through restarts on other ports and on the same one', async () => {
    const bridge = spawnBridge(running.home);
    await bridge.ask('initialize', initialize());
    const { port } = running.server;
    for (const next of [0, port, port, 0]) {
      expect((await bridge.ask('tools/call', select)).result?.isError).toBeFalsy();
      await running.restart({ port: next });
    }
    expect((await bridge.ask('tools/call', select)).result?.isError).toBeFalsy();
  });

  test('the bridge follows the token through its rotations', async () => {
    // Each token is valid for a second. A call should take less, even on a slow machine.
    await running.restart({ tokenLifetimeMs: 1_000, tokenRotateBeforeMs: 500 });
    const bridge = spawnBridge(running.home);
    const tokens = new Set<string>();
    while (tokens.size < 5) {
      expect((await bridge.ask('tools/call', select)).error).toBeUndefined();
      const reading = readHandshake(handshakePath(running.home));
      if (reading.trusted && reading.handshake.state === 'running') tokens.add(reading.handshake.token);
      await delay(50);
    }
  });

  test('a request with a wrong token gets an error with its id, and the next request uses the corrected token', async () => {
    const path = handshakePath(running.home);
    const handshake = JSON.parse(readFileSync(path, 'utf8')) as RunningHandshake;
    writeHandshake(running.home, { ...handshake, token: 'trs_bridge_wrong' });
    const bridge = spawnBridge(running.home);
    expect(await bridge.ask('tools/list')).toMatchObject({ id: 1, error: { code: -33009 } });
    writeHandshake(running.home, handshake);
    expect((await bridge.ask('tools/list')).error).toBeUndefined();
  });

  test('a request of a future version is refused, and the error names that version', async () => {
    const bridge = spawnBridge(running.home);
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2027-01-01',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { error } = await bridge.ask('server/discover', { _meta });
    expect(error).toMatchObject({ code: -32022, data: { requested: '2027-01-01' } });
  });
});

test('--version and --help print a text and exit with 0; an unknown option exits with 2', async () => {
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
