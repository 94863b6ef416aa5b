import { packWire, unpackWire } from './wire.ts';

/** Structured values in a byte stream, each with its length in front (uint32, little-endian). */
export function packFrame(value: unknown): Uint8Array<ArrayBuffer> {
  const body = packWire(value);
  const frame = new Uint8Array(headLength + body.length);
  new DataView(frame.buffer).setUint32(0, body.length, true);
  frame.set(body, headLength);
  return frame;
}

/** Ends with the stream. Ignores an incomplete last frame. */
export async function* readFrames(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = stream.getReader();
  let held = new Uint8Array(0);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      held = joined(held, value);
      for (let length = frameLength(held); length !== null; length = frameLength(held)) {
        const body = held.slice(headLength, length);
        held = held.subarray(length);
        yield unpackWire(body);
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

const headLength = 4;

/** The frame with its head, or null while it is incomplete. */
function frameLength(bytes: Uint8Array): number | null {
  if (bytes.length < headLength) return null;
  const length = headLength + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return bytes.length < length ? null : length;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
