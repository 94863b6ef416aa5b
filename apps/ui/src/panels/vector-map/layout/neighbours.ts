import type { Matrix } from './pca.ts';
import { createRandom, type Random } from './random.ts';

/** The `k` nearest rows of each row, nearest first. If fewer were found, the other indexes are -1. */
export interface Neighbours {
  k: number;
  indexes: Int32Array;
  /** Squared Euclidean distances. */
  distances: Float32Array;
}

const trees = 4;
const leafSize = 30;
const rounds = 4;
const candidates = 15;

/**
 * NN-descent (Dong, Charikar and Li, 2011): first compares the rows that share a leaf of a random tree. Then compares
 * neighbours of neighbours, for a few rounds or until little improves. The result is approximate: a true neighbour may
 * be missing.
 */
export function findNeighbours(matrix: Matrix, wanted = 15, seed = 3): Neighbours {
  const k = Math.max(1, Math.min(wanted, matrix.rows - 1));
  const random = createRandom(seed);
  const lists = emptyLists(matrix.rows, k);
  for (let tree = 0; tree < trees; tree++) {
    for (const leaf of leavesOf(matrix, random)) compareAll(matrix, lists, leaf);
  }
  fillRandomly(matrix, lists, random);
  for (let round = 0; round < rounds; round++) {
    const changes = improve(matrix, lists, random);
    if (changes < 0.001 * matrix.rows * k) break;
  }
  return { k, indexes: lists.indexes, distances: lists.distances };
}

interface Lists extends Neighbours {
  /** 1 if the neighbour is new: no round has started since it was added. */
  fresh: Uint8Array;
}

function emptyLists(rows: number, k: number): Lists {
  return {
    k,
    indexes: new Int32Array(rows * k).fill(-1),
    distances: new Float32Array(rows * k).fill(Number.POSITIVE_INFINITY),
    fresh: new Uint8Array(rows * k),
  };
}

/** Inserts a neighbour into the sorted list and returns 1. Returns 0 if it is too far or already in the list. */
function insert(lists: Lists, row: number, neighbour: number, distance: number): number {
  const { k, indexes, distances, fresh } = lists;
  const start = row * k;
  const last = start + k - 1;
  if (distance >= distances[last]!) return 0;
  for (let at = start; at <= last; at++) if (indexes[at] === neighbour) return 0;
  let at = last;
  while (at > start && distances[at - 1]! > distance) {
    distances[at] = distances[at - 1]!;
    indexes[at] = indexes[at - 1]!;
    fresh[at] = fresh[at - 1]!;
    at--;
  }
  distances[at] = distance;
  indexes[at] = neighbour;
  fresh[at] = 1;
  return 1;
}

/**
 * The squared distance of two rows. If the sum reaches `limit`, stops and returns the sum so far. That saves time,
 * since most candidates are far away. With two sums, the processor need not wait for one addition before it starts the
 * next.
 */
function distanceBelow({ floats, width }: Matrix, one: number, other: number, limit: number): number {
  let even = 0;
  let odd = 0;
  let a = one * width;
  let b = other * width;
  const end = a + width;
  for (const stop = end - (width % 8); a < stop; a += 8, b += 8) {
    const d0 = floats[a]! - floats[b]!;
    const d1 = floats[a + 1]! - floats[b + 1]!;
    const d2 = floats[a + 2]! - floats[b + 2]!;
    const d3 = floats[a + 3]! - floats[b + 3]!;
    const d4 = floats[a + 4]! - floats[b + 4]!;
    const d5 = floats[a + 5]! - floats[b + 5]!;
    const d6 = floats[a + 6]! - floats[b + 6]!;
    const d7 = floats[a + 7]! - floats[b + 7]!;
    even += d0 * d0 + d2 * d2 + d4 * d4 + d6 * d6;
    odd += d1 * d1 + d3 * d3 + d5 * d5 + d7 * d7;
    if (even + odd >= limit) return even + odd;
  }
  for (; a < end; a++, b++) even += (floats[a]! - floats[b]!) ** 2;
  return even + odd;
}

function compare(matrix: Matrix, lists: Lists, one: number, other: number): number {
  if (one === other) return 0;
  const { k, distances } = lists;
  const limit = Math.max(distances[one * k + k - 1]!, distances[other * k + k - 1]!);
  const distance = distanceBelow(matrix, one, other, limit);
  if (distance >= limit) return 0;
  return insert(lists, one, other, distance) + insert(lists, other, one, distance);
}

function compareAll(matrix: Matrix, lists: Lists, rows: Int32Array): void {
  for (let one = 0; one < rows.length; one++) {
    for (let other = one + 1; other < rows.length; other++) compare(matrix, lists, rows[one]!, rows[other]!);
  }
}

/** Splits the rows by the plane between two random rows, and each part again, until the parts are small. */
function leavesOf(matrix: Matrix, random: Random): Int32Array[] {
  const leaves: Int32Array[] = [];
  const open: Int32Array[] = [Int32Array.from({ length: matrix.rows }, (_, row) => row)];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.length <= leafSize) leaves.push(part);
    else open.push(...split(matrix, part, random));
  }
  return leaves;
}

function split({ floats, width }: Matrix, rows: Int32Array, random: Random): [Int32Array, Int32Array] {
  const one = rows[random.below(rows.length)]! * width;
  const other = rows[random.below(rows.length)]! * width;
  const normal = new Float32Array(width);
  let offset = 0;
  for (let column = 0; column < width; column++) {
    const a = floats[one + column]!;
    const b = floats[other + column]!;
    normal[column] = a - b;
    offset += ((a - b) * (a + b)) / 2;
  }
  const left: number[] = [];
  const right: number[] = [];
  for (const row of rows) {
    let side = -offset;
    for (let column = 0; column < width; column++) side += floats[row * width + column]! * normal[column]!;
    (side > 0 ? left : right).push(row);
  }
  // There is no plane between the two random rows if they are equal. The part is then cut in half.
  if (left.length === 0 || right.length === 0) {
    const middle = rows.length >> 1;
    return [rows.slice(0, middle), rows.slice(middle)];
  }
  return [Int32Array.from(left), Int32Array.from(right)];
}

function fillRandomly(matrix: Matrix, lists: Lists, random: Random): void {
  const { k, indexes } = lists;
  for (let row = 0; row < matrix.rows; row++) {
    for (let tries = 0; indexes[row * k + k - 1] === -1 && tries < 10 * k; tries++) {
      compare(matrix, lists, row, random.below(matrix.rows));
    }
  }
}

/**
 * One round: for each row, compares a sample of its neighbours with each other, if at least one of the pair is new.
 * Rows that have the row as a neighbour count as its neighbours too. Returns how many neighbours were added.
 */
function improve(matrix: Matrix, lists: Lists, random: Random): number {
  const fresh = new Candidates(matrix.rows);
  const known = new Candidates(matrix.rows);
  const { k, indexes } = lists;
  for (let row = 0; row < matrix.rows; row++) {
    for (let at = row * k; at < (row + 1) * k; at++) {
      const neighbour = indexes[at]!;
      if (neighbour < 0) continue;
      const into = lists.fresh[at] ? fresh : known;
      into.add(row, neighbour, random);
      into.add(neighbour, row, random);
    }
  }
  lists.fresh.fill(0);
  let changes = 0;
  for (let row = 0; row < matrix.rows; row++) {
    const news = fresh.of(row);
    const olds = known.of(row);
    for (let one = 0; one < news.length; one++) {
      for (let other = one + 1; other < news.length; other++) {
        changes += compare(matrix, lists, news[one]!, news[other]!);
      }
      for (const old of olds) changes += compare(matrix, lists, news[one]!, old);
    }
  }
  return changes;
}

/** Keeps, for each row, up to `candidates` of the added rows, chosen with equal probability. */
class Candidates {
  readonly #rows: Int32Array;
  readonly #offered: Int32Array;

  constructor(rows: number) {
    this.#rows = new Int32Array(rows * candidates);
    this.#offered = new Int32Array(rows);
  }

  add(row: number, candidate: number, random: Random): void {
    const offered = this.#offered[row]!++;
    const at = offered < candidates ? offered : random.below(offered + 1);
    if (at < candidates) this.#rows[row * candidates + at] = candidate;
  }

  of(row: number): Int32Array {
    const count = Math.min(candidates, this.#offered[row]!);
    return this.#rows.subarray(row * candidates, row * candidates + count);
  }
}
