import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type DialEvent, dial, dialTarget } from './dial.ts';

const target = (host: string, port = 80) => dialTarget({ host: 'host', port: 'port' }, { host, port });

async function listen(): Promise<{ port: number; accepted: () => number }> {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted++;
    socket.end();
  }).listen(0, 'localhost');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, accepted: () => accepted };
}

test.each(['127.0.0.1', 'localhost'])(
  'a dial that is cancelled before it begins connects nowhere: %s',
  async (host) => {
    const { port, accepted } = await listen();
    const events: DialEvent[] = [];
    const signal = AbortSignal.abort();
    await expect(
      dial({ host, port }, { signal, timeoutMs: 5_000, onEvent: (event) => events.push(event) }),
    ).rejects.toMatchObject({ code: 'cancelled' });
    expect([events, accepted()]).toEqual([[], 0]);
  },
);

test('a dial that is cancelled between its stages connects nowhere', async () => {
  const { port, accepted } = await listen();
  const cancel = new AbortController();
  const onEvent = ({ stage, state }: DialEvent) => {
    if (stage === 'connect' && state === 'begun') cancel.abort();
  };
  await expect(
    dial({ host: '127.0.0.1', port }, { signal: cancel.signal, timeoutMs: 5_000, onEvent }),
  ).rejects.toMatchObject({ code: 'cancelled' });
  expect(accepted()).toBe(0);
});

test.each(['bücher.example', '例え.テスト', 'a-b.example_c', '::1', '[fe80::1%eth0]', '10.0.0.1'])(
  '%s is a host',
  (host) => {
    expect(target(host)).toEqual({ host: host.replace(/^\[|\]$/g, ''), port: 80 });
  },
);

test.each(['', 'a b', 'a/b', 'ü/b', 'ü b', 'ü@b', 'ü%41', 'ü:80', 'a\u0000'])('%j is not a host', (host) => {
  expect(() => target(host)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});

test('a host name with other letters than ASCII is looked up in its ASCII form', async () => {
  const { port } = await listen();
  const { signal } = new AbortController();
  // By the rules for domain names, these letters are equal to those of localhost.
  const socket = await dial(target('ｌｏｃａｌｈｏｓｔ', port), { signal, timeoutMs: 5_000 });
  socket.destroy();
});
