import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { directDial } from './dial.ts';

async function listen() {
  const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, dial: directDial({ host: '127.0.0.1', port }) };
}

test('an abort after the dial leaves the socket open', async () => {
  const { server, dial } = await listen();
  const cancel = new AbortController();
  const socket = await dial({ signal: cancel.signal });
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  cancel.abort();
  socket.write('hello');
  const [echo] = await once(socket, 'data');
  expect(String(echo)).toBe('hello');
});

test('a cancelled dial rejects with cancelled, and a failed dial with connection_failed', async () => {
  const { server, dial } = await listen();
  await expect(dial({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  const cancel = new AbortController();
  const dialling = dial({ signal: cancel.signal });
  cancel.abort();
  await expect(dialling).rejects.toMatchObject({ code: 'cancelled' });
  server.close();
  await once(server, 'close');
  await expect(dial({ signal: new AbortController().signal })).rejects.toMatchObject({
    code: 'connection_failed',
  });
});
