/**
 * Word vectors in one file. It begins with a header of three little-endian uint32: words, dimensions, bytes of the word
 * list. Then come the words in descending order of frequency, one per line. Then come a float32 scale per word and the
 * int8 components.
 */
export interface WordTable {
  dimensions: number;
  /** The rank by frequency: 0 is the most common word. */
  rank(word: string): number | undefined;
  /** Adds the vector of the word with this rank, times `weight`, to `sum`. */
  addTo(sum: Float32Array, rank: number, weight: number): void;
}

export function encodeWordTable(words: string[], vectors: ArrayLike<number>[]): Uint8Array {
  const list = Buffer.from(words.join('\n'), 'utf8');
  const dimensions = vectors[0]?.length ?? 0;
  const file = Buffer.alloc(HEADER + list.length + words.length * (4 + dimensions));
  file.writeUInt32LE(words.length, 0);
  file.writeUInt32LE(dimensions, 4);
  file.writeUInt32LE(list.length, 8);
  list.copy(file, HEADER);
  const scales = HEADER + list.length;
  const components = scales + words.length * 4;
  vectors.forEach((vector, rank) => {
    const scale = Math.max(...Array.from(vector, Math.abs)) / 127 || 1;
    file.writeFloatLE(scale, scales + rank * 4);
    for (let i = 0; i < dimensions; i++) {
      file.writeInt8(Math.round((vector[i] ?? 0) / scale), components + rank * dimensions + i);
    }
  });
  return file;
}

export function decodeWordTable(file: Uint8Array): WordTable {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const count = view.getUint32(0, true);
  const dimensions = view.getUint32(4, true);
  const scales = HEADER + view.getUint32(8, true);
  const components = scales + count * 4;
  if (file.byteLength !== components + count * dimensions)
    throw new Error('The file of word vectors is damaged or cut short.');
  const words = new TextDecoder().decode(file.subarray(HEADER, scales)).split('\n');
  const ranks = new Map(words.map((word, rank) => [word, rank]));
  return {
    dimensions,
    rank: (word) => ranks.get(word),
    addTo(sum, rank, weight) {
      const factor = view.getFloat32(scales + rank * 4, true) * weight;
      const start = components + rank * dimensions;
      for (let i = 0; i < dimensions; i++) sum[i]! += view.getInt8(start + i) * factor;
    },
  };
}

const HEADER = 12;
