import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { TestApp } from './app.ts';

const folder = join(import.meta.dirname, '..', '..', 'dist', 'registry');

/** This checkout's registry behind a web server that can be slow or down, for the tests of one file. */
export function useServedRegistry() {
  /** `isHeld`: a download stops in the middle until `release`. */
  const state = { isDown: false, isHeld: false };
  let held: (() => void)[] = [];
  const server = createServer((request, response) => {
    const file = join(folder, request.url!.slice(1));
    if (state.isDown) request.socket.destroy();
    else if (!existsSync(file)) response.writeHead(404).end();
    else send(response, readFileSync(file), file.endsWith('.tgz') && state.isHeld);
  });
  const send = (response: ServerResponse, body: Buffer, isHeld: boolean) => {
    response.writeHead(200, { 'content-length': body.length });
    if (!isHeld) return void response.end(body);
    const half = Math.floor(body.length / 2);
    response.write(body.subarray(0, half));
    held.push(() => response.end(body.subarray(half)));
  };
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  beforeEach(() => {
    held = [];
    Object.assign(state, { isDown: false, isHeld: false });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    state,
    release(): void {
      state.isHeld = false;
      for (const finish of held.splice(0)) finish();
    },
    env: () => ({ TRESTLE_REGISTRY: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
    /** Confirms the registry's key. An address from the environment needs this confirmation once. */
    async trust(app: TestApp): Promise<void> {
      const { registry } = JSON.parse((await app.run('plugins', 'search', '--json')).stdout);
      await app.run('plugins', 'trust', registry.unconfirmed);
      await app.json('plugins', 'search');
    },
  };
}
