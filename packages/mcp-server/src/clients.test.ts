import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Clients } from './clients.ts';
import { token } from './testing/fake-core.ts';

const { kind, id, name, permission, allowlist } = token('token-1', 'My token');
const principal = { token: { kind, id, name, permission, allowlist }, process: null };
const headers = new Headers({ 'MCP-Protocol-Version': '2025-11-25' });

test('a client is listed during a request, and for five minutes after it', () => {
  let now = Date.parse('2026-07-28T09:30:00Z');
  const clients = new Clients(() => now);
  const ended = clients.saw(principal, headers, { params: { clientInfo: { name: 'Some client' } } });
  expect(clients.list()).toEqual([
    {
      tokenName: 'My token',
      clientName: 'Some client',
      process: null,
      protocolVersion: '2025-11-25',
      lastSeenAt: '2026-07-28T09:30:00.000Z',
      active: 1,
    },
  ]);
  now += 3_600_000;
  expect(clients.list()).toHaveLength(1);
  ended();
  now += 299_000;
  // A client of an older protocol version sends its name only in `initialize`.
  clients.saw(principal, headers, { method: 'tools/list' })();
  expect(clients.list()).toMatchObject([{ clientName: 'Some client', active: 0 }]);
  now += 301_000;
  expect(clients.list()).toEqual([]);
});

test('a client behind a bridge is listed with its own protocol version, if that is one', () => {
  const clients = new Clients();
  const versions = () => clients.list().map(({ protocolVersion }) => protocolVersion);
  const modern = new Headers({ 'MCP-Protocol-Version': '2026-07-28' });
  const says = (version: unknown) => ({ params: { _meta: { 'trestle/spokenVersion': version } } });
  clients.saw(principal, modern, says('2025-06-18'));
  expect(versions()).toEqual(['2025-06-18']);
  for (const version of ['<b>new</b>', 7, null, '2025-06-18\n'])
    clients.saw(principal, modern, says(version));
  expect(versions()).toEqual(['2026-07-28']);
});

test('each bridge process is a separate client', () => {
  const clients = new Clients();
  for (const process of ['p-1', 'p-2', 'p-1']) clients.saw({ ...principal, process }, headers, {});
  expect(clients.list().map(({ process, active }) => [process, active])).toEqual(
    expect.arrayContaining([
      ['p-1', 2],
      ['p-2', 1],
    ]),
  );
});

test('a bridge leaves the list when its process has ended and its sockets are closed', () => {
  const clients = new Clients();
  const { pid } = spawnSync(process.execPath, ['--version']);
  const socket = new EventEmitter() as Socket;
  clients.saw({ ...principal, process: `${pid}-a` }, headers, {})();
  clients.saw({ ...principal, process: `${process.pid}-b` }, headers, {})();
  clients.saw({ ...principal, process: `${pid}-c` }, headers, {}, socket)();
  const names = () =>
    clients
      .list()
      .map(({ process }) => process?.slice(-1))
      .sort();
  expect(names()).toEqual(['b', 'c']);
  socket.emit('close');
  expect(names()).toEqual(['b']);
});

test('a socket that several clients share gets only one handler for its end', () => {
  const clients = new Clients();
  const socket = new EventEmitter() as Socket;
  const { pid } = spawnSync(process.execPath, ['--version']);
  for (let count = 0; count < 50; count++) {
    clients.saw({ ...principal, process: `${pid}-${count}` }, headers, {}, socket)();
  }
  expect(socket.listenerCount('close')).toBe(1);
  expect(clients.list()).toHaveLength(50);
  socket.emit('close');
  expect(clients.list()).toEqual([]);
});
