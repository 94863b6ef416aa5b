import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodeWordTable, type WordTable } from './word-table.ts';
import { knownWords, stem } from './words.ts';

export type Embed = (text: string) => Float32Array;

/**
 * A text as a unit vector with two parts. The first part is the meaning: the sum of the word vectors. It relates
 * "desert" to "dry", but represents only the topic of a long sentence. The second part is the words themselves: it
 * helps to find the one sentence that contains "comet". Rare words weigh more in both parts. A text without known words
 * gives zeros. The file of word vectors is read at the first call.
 */
export const embed: Embed = createEmbedder(new URL('../data/word-vectors.bin', import.meta.url));

/** `file`: the file of word vectors. In a bundle it is not in `../data`. */
export function createEmbedder(file: URL | string): Embed {
  let table: WordTable | undefined;
  return (text) => {
    table ??= decodeWordTable(readFileSync(file));
    const [meaning, wording] = sums(table, text);
    const whole = new Float32Array(meaning.length + wording.length);
    whole.set(normalised(meaning));
    whole.set(
      normalised(wording).map((component) => component * WORDING),
      meaning.length,
    );
    return normalised(whole);
  };
}

function sums(table: WordTable, text: string): [meaning: Float32Array, wording: Float32Array] {
  const meaning = new Float32Array(table.dimensions);
  const wording = new Float32Array(256);
  for (const word of knownWords(text, (candidate) => table.rank(candidate) !== undefined)) {
    const rank = table.rank(word) ?? 0;
    table.addTo(meaning, rank, rarity(rank));
    const direction = directionOf(word);
    const weight = rarity(rank) ** 2;
    for (let i = 0; i < wording.length; i++) wording[i]! += direction[i]! * weight;
  }
  return [meaning, wording];
}

/** One direction per stem: the bits of its digest as signs. Two such directions are in general almost orthogonal. */
function directionOf(word: string): Int8Array {
  const known = directions.get(word);
  if (known) return known;
  const bits = hash('sha256', stem(word), 'buffer');
  const direction = new Int8Array(256);
  for (let i = 0; i < 256; i++) direction[i] = bits[i >> 3]! & (1 << (i & 7)) ? 1 : -1;
  directions.set(word, direction);
  return direction;
}

const directions = new Map<string, Int8Array>();

/**
 * Smooth inverse frequency (Arora et al. 2017), with the frequency estimated from the rank by Zipf's law.
 */
function rarity(rank: number): number {
  const frequency = 1 / (12 * (rank + 1));
  return SMOOTHING / (SMOOTHING + frequency);
}

const SMOOTHING = 3e-4;

/** The weight of the words relative to the meaning. */
const WORDING = 0.7;

function normalised(vector: Float32Array): Float32Array {
  let square = 0;
  for (const component of vector) square += component * component;
  return square === 0 ? vector : vector.map((component) => component / Math.sqrt(square));
}
