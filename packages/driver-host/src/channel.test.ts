import { duplexPair } from 'node:stream';
import { serialize } from 'node:v8';
import { expect, test } from 'vitest';
import { Channel } from './channel.ts';

test.each([1, 7, 4_096, 100_000])(
  'messages arrive whole and in order, in chunks of %i bytes',
  async (size) => {
    const [near, far] = duplexPair();
    const received: unknown[] = [];
    new Channel(near, { onMessage: (message) => received.push(message), onEnd: () => {} });
    const messages = [{ a: 1 }, new Float32Array([1, 2]), 'x'.repeat(5_000), null];
    const bytes = Buffer.concat(messages.map(frame));
    for (let start = 0; start < bytes.length; start += size) far.write(bytes.subarray(start, start + size));
    await expect.poll(() => received).toEqual(messages);
  },
);

test('invalid bytes end the channel once, with the reason', async () => {
  const [near, far] = duplexPair();
  const ends: (string | undefined)[] = [];
  const received: unknown[] = [];
  const channel = new Channel(near, {
    onMessage: (message) => received.push(message),
    onEnd: (offence) => ends.push(offence),
  });
  far.write(Buffer.concat([frame('first'), Buffer.from([2, 0, 0, 0, 0, 0]), frame('never read')]));
  await expect.poll(() => ends).toEqual(['wrote an invalid message to the link']);
  channel.send('to nobody');
  channel.close();
  expect(received).toEqual(['first']);
  expect(ends).toHaveLength(1);
});

function frame(message: unknown): Buffer {
  const body = serialize(message);
  const header = Buffer.alloc(4);
  header.writeUInt32LE(body.length);
  return Buffer.concat([header, body]);
}
