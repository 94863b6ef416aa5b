import { packWire, unpackWire } from './wire.ts';

/** One value as bytes, with its length in bytes in front (uint32, little-endian). */
export function packFrame(value: unknown): Uint8Array<ArrayBuffer> {
  const frame = packWire(value, headLength);
  new DataView(frame.buffer).setUint32(0, frame.length - headLength, true);
  return frame;
}

/** The values of a stream of frames, until the stream ends. Ignores an incomplete last frame. */
export async function* readFrames(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = stream.getReader();
  // The chunks are joined only when the length or the whole frame has arrived. Joining each chunk to the ones before
  // would copy a long frame many times.
  let chunks: Uint8Array[] = [];
  let held = 0;
  let needed = headLength;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      chunks.push(value);
      held += value.length;
      while (held >= needed) {
        const bytes = joined(chunks, held);
        const end = headLength + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
        needed = end;
        chunks = [bytes];
        if (held < end) continue;
        held -= end;
        needed = headLength;
        chunks = held > 0 ? [bytes.subarray(end)] : [];
        yield unpackWire(bytes.subarray(headLength, end));
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

const headLength = 4;

function joined(chunks: Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}
