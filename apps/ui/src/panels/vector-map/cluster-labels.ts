import { type Cell, cellToText } from '@trestle/driver-kit';
import { type Cluster, findClusters } from './clusters.ts';

export interface ClusterLabel {
  x: number;
  y: number;
  text: string;
  rows: number;
}

/** Common words that do not describe a row. */
const common = new Set(
  'a an and are as at be by for from has have in into is it its of on or that the their to was were which with'.split(
    ' ',
  ),
);

/**
 * Names each cluster by the most typical word or value of its rows that no other label uses. A cluster gets no label
 * if no word or value is typical enough, or if it is the only cluster.
 */
export function clusterLabels(positions: Float32Array, texts: Cell[][]): ClusterLabel[] {
  const clusters = findClusters(positions);
  if (clusters.length < 2) return [];
  const words = termsOf(texts, positions.length / 2);
  const overall = countTerms(words, words.keys());
  const used = new Set<string>();
  return clusters.flatMap((cluster) => {
    const text = distinguishing(cluster, words, overall, used);
    if (!text) return [];
    used.add(text);
    return [{ x: cluster.x, y: cluster.y, text, rows: cluster.points.length }];
  });
}

/**
 * The terms of each row. A word of a text is a term if it has three letters or more and is not common. A short value is
 * also a term as a whole. A term counts once per row.
 */
function termsOf(columns: Cell[][], rows: number): Map<number, Set<string>> {
  const terms = new Map<number, Set<string>>();
  for (let row = 0; row < rows; row++) {
    const found = new Set<string>();
    for (const column of columns) {
      const cell = column[row] ?? null;
      if (cell === null) continue;
      const text = cellToText(Array.isArray(cell) ? ((cell[0] ?? '') as Cell) : cell).toLowerCase();
      if (text.trim() !== '' && text.length <= 24) found.add(text);
      for (const word of text.slice(0, 600).match(/\p{L}[\p{L}-]{2,}/gu) ?? [])
        if (!common.has(word)) found.add(word);
    }
    terms.set(row, found);
  }
  return terms;
}

function countTerms(terms: Map<number, Set<string>>, rows: Iterable<number>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows)
    for (const term of terms.get(row) ?? []) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function distinguishing(
  { points }: Cluster,
  terms: Map<number, Set<string>>,
  overall: Map<string, number>,
  used: Set<string>,
): string | undefined {
  const total = terms.size;
  let best: string | undefined;
  let most = 0;
  for (const [term, count] of countTerms(terms, points)) {
    const share = count / points.length;
    if (used.has(term) || count < 3 || share < 0.2) continue;
    const lift = share / (overall.get(term)! / total);
    const score = share * Math.log2(lift);
    if (lift > 1.5 && score > most) {
      most = score;
      best = term;
    }
  }
  return best;
}
