import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handshakePath, type RunningHandshake, readHandshake } from '@trestle/handshake';
import { afterEach, beforeEach } from 'vitest';
import { type McpServerOptions, type RunningMcpServer, startMcpServer } from '../server.ts';
import { createFakeCore, type FakeCore } from './fake-core.ts';
import { type Answer, postModern, sendModern } from './post.ts';

export interface TestServer {
  home: string;
  fake: FakeCore;
  server: RunningMcpServer;
  logged: string[];
  start(options?: Partial<McpServerOptions>): Promise<RunningMcpServer>;
  handshake(): RunningHandshake;
  call(name: string, args: object, headers?: Record<string, string>, signal?: AbortSignal): Promise<Answer>;
  /** `execute_query` on the connection `c-open`, unless `args` names another. */
  run(args: object, headers?: Record<string, string>, signal?: AbortSignal): Promise<Answer>;
  /** Starts a call that does not end until it is aborted. The promise resolves when the response headers arrive. */
  startWaitingCall(signal: AbortSignal): Promise<Response>;
}

/** Starts a server on a fake core for each test of the file. The returned object has the server of the running test. */
export function useTestServer(): TestServer {
  const test = {} as TestServer;
  beforeEach(async () => {
    test.home = mkdtempSync(join(tmpdir(), 'mcp-server-'));
    test.fake = createFakeCore();
    test.logged = [];
    test.server = await test.start();
  });
  afterEach(async () => {
    await test.server.close();
    rmSync(test.home, { recursive: true, force: true });
  });
  test.start = (options = {}) => {
    const log = (line: string) => test.logged.push(line);
    return startMcpServer({ core: test.fake.core, home: test.home, appVersion: '1.2.3', log, ...options });
  };
  test.handshake = () => {
    const reading = readHandshake(handshakePath(test.home));
    if (!reading.trusted || reading.handshake.state !== 'running') throw new Error('No running handshake');
    return reading.handshake;
  };
  test.call = (name, args, headers, signal) =>
    postModern(test.server.port, 'tools/call', { name, arguments: args }, headers, signal);
  test.run = (args, headers, signal) =>
    test.call('execute_query', { connection_id: 'c-open', ...args }, headers, signal);
  test.startWaitingCall = (signal) => {
    const call = { name: 'execute_query', arguments: { connection_id: 'c-open', query: 'wait' } };
    return sendModern(test.server.port, 'tools/call', call, {}, signal);
  };
  return test;
}
