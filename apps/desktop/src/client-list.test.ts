import { expect, test } from 'vitest';
import { listClients } from './client-list.ts';

const last = { at: '2026-07-01T10:00:00.000Z', action: 'browse', outcome: 'ok', connectionId: 'c1' } as const;
const seen = { clientName: 'editor', tokenName: 'bridge', calls: 3, refused: 1, last };
const connected = {
  clientName: 'editor',
  tokenName: 'bridge',
  process: 'p1',
  protocolVersion: '2026-07-28',
  lastSeenAt: '2026-07-01T10:05:00.000Z',
  active: 1,
};

test('each client has one line with its processes and its calls', () => {
  const other = { ...connected, process: 'p2', active: 0, lastSeenAt: '2026-07-01T10:01:00.000Z' };
  const silent = { ...connected, clientName: 'chat', lastSeenAt: '2026-07-01T10:09:00.000Z' };
  const gone = { ...seen, clientName: 'gone' };
  expect(listClients([connected, other, silent], [gone, seen])).toEqual([
    {
      clientName: 'chat',
      tokenName: 'bridge',
      connected: 1,
      active: 1,
      protocolVersion: '2026-07-28',
      lastSeenAt: '2026-07-01T10:09:00.000Z',
      calls: 0,
      refused: 0,
      last: null,
    },
    {
      clientName: 'editor',
      tokenName: 'bridge',
      connected: 2,
      active: 1,
      protocolVersion: '2026-07-28',
      lastSeenAt: '2026-07-01T10:05:00.000Z',
      calls: 3,
      refused: 1,
      last,
    },
    {
      clientName: 'gone',
      tokenName: 'bridge',
      connected: 0,
      active: 0,
      protocolVersion: null,
      lastSeenAt: last.at,
      calls: 3,
      refused: 1,
      last,
    },
  ]);
});
