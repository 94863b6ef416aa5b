import { once } from 'node:events';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { JoinedWrites } from './joined-writes.ts';

/** A socket that accepts a write only when `release` is called. */
function stalledSocket() {
  const taken: Buffer[] = [];
  let release = () => {};
  const socket = new Writable({
    write(chunk: Buffer, _encoding, done) {
      taken.push(chunk);
      release = done;
    },
  });
  return { socket, taken, release: () => release() };
}

const turn = () => new Promise((done) => setImmediate(done));

test('many waiting pieces become one write', async () => {
  const { socket, taken, release } = stalledSocket();
  const written: number[] = [];
  const writes = new JoinedWrites(socket, (bytes) => written.push(bytes));
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
  for (let place = 0; place < bytes.length; place++) writes.write(bytes.subarray(place, place + 1));
  expect([taken.length, socket.writableLength, writes.waiting]).toEqual([1, 1, 200_000]);
  release();
  await turn();
  expect([taken.length, writes.waiting, written]).toEqual([2, 199_999, [1]]);
  release();
  await turn();
  expect([writes.waiting, written]).toEqual([0, [1, 199_999]]);
  expect(Buffer.concat(taken).equals(bytes)).toBe(true);
});

test('pieces of different sizes keep their order, and the end comes last', async () => {
  const { socket, taken, release } = stalledSocket();
  const writes = new JoinedWrites(socket, () => {});
  const sizes = [1, 65_535, 65_536, 65_537, 3, 200_000, 1];
  const pieces = sizes.map((size, index) => Buffer.alloc(size, index + 1));
  for (const piece of pieces) writes.write(piece);
  writes.end();
  expect(socket.writableEnded).toBe(false);
  release();
  await turn();
  expect(socket.writableEnded).toBe(false);
  const finished = once(socket, 'finish');
  release();
  await finished;
  expect(Buffer.concat(taken).equals(Buffer.concat(pieces))).toBe(true);
});
