import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { FrameChannel, type FrameType, frameType } from './frames.ts';
import { RelayedSocket } from './relayed-socket.ts';
import { SocketRelay } from './socket-relay.ts';

test('an answer stays whole if nobody reads it until both sides have closed', async () => {
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

test('a driver that sends single bytes does not get one credit frame per byte', async () => {
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

test('single bytes for a stalled server all arrive, in order, when it starts to read', async () => {
  const bytes = 1_000_000;
  const stalled = Promise.withResolvers<Socket>();
  const server = createServer({ pauseOnConnect: true }, stalled.resolve).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [app, driver] = duplexPair();
  const offences: string[] = [];
  const relay = new SocketRelay(app, {
    target: () => ({ host: '127.0.0.1', port }),
    onOffence: (offence) => offences.push(offence),
  });
  onTestFinished(() => relay.close());
  const { channel, until } = frames(driver);
  channel.send(frameType.open, 1);
  await until(frameType.opened);
  const socket = await stalled.promise;
  onTestFinished(() => void socket.destroy());
  for (let sent = 0; sent < bytes; sent += 1_000) {
    // One write to the pipe with a thousand frames of one byte.
    driver.write(Buffer.concat(Array.from({ length: 1_000 }, (_, index) => oneByteFrame(sent + index))));
    await new Promise((done) => setImmediate(done));
  }
  channel.send(frameType.end, 1);
  socket.resume();
  const received = await buffer(socket);
  expect(received.equals(Buffer.from(Array.from({ length: bytes }, (_, index) => index % 251)))).toBe(true);
  expect(offences).toEqual([]);
});

test('far more bytes than the credit allows are an offence', async () => {
  const server = createServer({ pauseOnConnect: true }, () => {}).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [app, driver] = duplexPair();
  const offended = Promise.withResolvers<string>();
  const target = () => ({ host: '127.0.0.1', port });
  const relay = new SocketRelay(app, { target, onOffence: offended.resolve });
  onTestFinished(() => relay.close());
  const { channel, until } = frames(driver);
  channel.send(frameType.open, 1);
  await until(frameType.opened);
  // The kernel buffers some megabytes for a server that does not read, so the test sends 64 megabytes.
  for (let sent = 0; sent < 64; sent++) channel.send(frameType.data, 1, Buffer.alloc(1024 * 1024));
  expect(await offended.promise).toBe('sent more than its socket takes');
});

test('a driver that reads nothing and opens socket after socket does not fill the memory of the app', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(Buffer.alloc(1024 * 1024));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [app, driver] = duplexPair();
  const relay = new SocketRelay(app, { target: () => ({ host: '127.0.0.1', port }), onOffence: () => {} });
  onTestFinished(() => relay.close());
  for (let id = 1; id <= 200; id++) {
    const accepted = once(server, 'connection');
    driver.write(frameOf(frameType.open, id));
    const [socket] = (await accepted) as [Socket];
    // Gives the relay time to attach the socket and to read the server's bytes.
    for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done));
    driver.write(frameOf(frameType.close, id));
    socket.destroy();
  }
  expect(app.writableLength).toBeLessThan(2 * 1024 * 1024);
});

function frameOf(type: FrameType, id: number): Buffer {
  const frame = Buffer.alloc(9);
  frame.writeUInt8(type);
  frame.writeUInt32LE(id, 1);
  return frame;
}

/** Each byte encodes its position. */
function oneByteFrame(place: number): Buffer {
  const frame = Buffer.alloc(10);
  frame.writeUInt8(frameType.data);
  frame.writeUInt32LE(1, 1);
  frame.writeUInt32LE(1, 5);
  frame.writeUInt8(place % 251, 9);
  return frame;
}

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

/** `until` waits for the first frame of a type. It returns the types of all frames received so far. */
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
