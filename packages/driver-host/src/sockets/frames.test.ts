import { duplexPair } from 'node:stream';
import { expect, test } from 'vitest';
import { FrameChannel, frameType } from './frames.ts';

const turn = () => new Promise((done) => setImmediate(done));

function channel(mostUnread: number) {
  const [near, far] = duplexPair();
  const ends: (string | undefined)[] = [];
  const own = new FrameChannel(near, {
    onFrame: () => {},
    onEnd: (offence) => ends.push(offence),
    mostUnread,
  });
  return { own, far, near, ends };
}

test('the channel ends if the other end never reads', () => {
  const { own, near, ends } = channel(1_000);
  for (let sent = 0; sent < 100_000; sent++) own.send(frameType.opened, 1);
  expect(ends).toEqual(['does not read its socket pipe']);
  expect(near.destroyed).toBe(true);
});

test('an end that reads from time to time gets all frames', async () => {
  const { own, far, ends } = channel(20_000);
  let read = 0;
  far.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  for (let round = 0; round < 10; round++) {
    for (let sent = 0; sent < 15_000; sent++) own.send(frameType.opened, 1);
    while (read < (round + 1) * 15_000 * 9) await turn();
  }
  expect(ends).toEqual([]);
});
