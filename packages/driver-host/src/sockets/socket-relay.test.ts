import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { FrameChannel, type FrameType, frameType } from './frames.ts';
import { RelayedSocket } from './relayed-socket.ts';
import { SocketRelay } from './socket-relay.ts';

test('an answer that is read only after both sides have closed is whole', async () => {
  const [pipe] = duplexPair();
  const socket = new RelayedSocket(
    new FrameChannel(pipe, { onFrame: () => {}, onEnd: () => {} }),
    1,
    () => {},
  );
  socket.end('a request');
  await once(socket, 'finish');
  socket.receive(Buffer.from('an answer'));
  socket.receiveEnd();
  socket.receiveClose('');
  expect((await buffer(socket)).toString()).toBe('an answer');
});

test('a driver that sends byte by byte and reads nothing gets no frame for each of them', async () => {
  const bytes = 5_000;
  const port = await answerAfter(bytes);
  const [app, driver] = duplexPair();
  const relay = new SocketRelay(app, { target: () => ({ host: '127.0.0.1', port }), onOffence: () => {} });
  onTestFinished(() => relay.close());
  const { channel, until } = frames(driver);
  channel.send(frameType.open, 1);
  await until(frameType.opened);
  for (let sent = 0; sent < bytes; sent++) channel.send(frameType.data, 1, Buffer.from('x'));
  expect(await until(frameType.data)).toEqual([frameType.opened, frameType.data]);
});

async function answerAfter(bytes: number): Promise<number> {
  const server = createServer((socket: Socket) => {
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (received === bytes) socket.write('done');
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The types of all frames that came. `until` waits for the first of one type. */
function frames(pipe: Duplex) {
  const came: FrameType[] = [];
  const waiting: (() => void)[] = [];
  const channel = new FrameChannel(pipe, {
    onFrame(type) {
      came.push(type);
      for (const look of waiting) look();
    },
    onEnd: () => {},
  });
  const until = (type: FrameType) =>
    new Promise<FrameType[]>((resolve) => {
      const look = () => came.includes(type) && resolve(came);
      waiting.push(look);
      look();
    });
  return { channel, until };
}
