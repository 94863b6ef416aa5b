import { readFileSync } from 'node:fs';
import { decodeWordTable, type WordTable } from './word-table.ts';
import { knownWords } from './words.ts';

export type Embed = (text: string) => Float32Array;

/**
 * The meaning of a text as a vector of length 1: the mean of its words, rare ones weighing more.
 * A text without any known word gives zeros. The table is read at the first call.
 */
export const embed: Embed = createEmbedder(new URL('../data/word-vectors.bin', import.meta.url));

/** For a bundle, where the table does not lie beside this file. */
export function createEmbedder(file: URL | string): Embed {
  let table: WordTable | undefined;
  return (text) => {
    table ??= decodeWordTable(readFileSync(file));
    return normalised(weightedSum(table, text));
  };
}

function weightedSum(table: WordTable, text: string): Float32Array {
  const sum = new Float32Array(table.dimensions);
  for (const word of knownWords(text, (candidate) => table.rank(candidate) !== undefined)) {
    const rank = table.rank(word) ?? 0;
    table.addTo(sum, rank, rarity(rank));
  }
  return sum;
}

/**
 * Smooth inverse frequency (Arora et al. 2017), with the frequency estimated from the rank by Zipf's law.
 */
function rarity(rank: number): number {
  const frequency = 1 / (12 * (rank + 1));
  return SMOOTHING / (SMOOTHING + frequency);
}

const SMOOTHING = 3e-4;

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((component) => component / length);
}
