import { expect, test } from 'vitest';
import { packFrame, readFrames } from './wire-frames.ts';

const values = [
  { text: 'å 😀', floats: new Float32Array([0.5, -2.25, 3]) },
  null,
  { bytes: new Uint8Array([1, 2, 3]), large: 9007199254740993n },
];

function bytesOf(given: unknown[]): Uint8Array {
  return Buffer.concat(given.map(packFrame));
}

function inPieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

test('values arrive whole, however the bytes are cut', async () => {
  const bytes = bytesOf(values);
  for (let size = 1; size <= bytes.length; size++) {
    expect(await Array.fromAsync(readFrames(inPieces(bytes, size)))).toEqual(values);
  }
});

test('an incomplete last frame is left out', async () => {
  const bytes = bytesOf(values);
  const cut = bytes.subarray(0, bytes.length - 1);
  expect(await Array.fromAsync(readFrames(inPieces(cut, 7)))).toEqual(values.slice(0, 2));
});

test('if the reader stops early, the stream is cancelled', async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(packFrame(1)),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const value of readFrames(stream)) {
    expect(value).toBe(1);
    break;
  }
  expect(cancelled).toBe(true);
});
