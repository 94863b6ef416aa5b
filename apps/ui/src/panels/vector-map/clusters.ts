import { boundsOf } from './bounds.ts';

/** A dense area of the map and the points around it. */
export interface Cluster {
  x: number;
  y: number;
  points: number[];
}

const mostClusters = 14;

/**
 * Divides the map into cells and finds the peaks of the density. From the cell of a point, `climb` moves to the densest
 * neighbouring cell until it reaches a peak. The point belongs to that peak. Peaks with few points are left out.
 */
export function findClusters(positions: Float32Array): Cluster[] {
  const count = positions.length / 2;
  if (count < 12) return [];
  // With few points the cells must be larger, or single points would be peaks.
  const cells = Math.min(48, Math.max(8, Math.round(Math.sqrt(count))));
  const { cellOf, density } = densityOf(positions, cells);
  const peakOf = climb(smooth(smooth(density, cells), cells), cells);
  const members = new Map<number, number[]>();
  for (let point = 0; point < count; point++) {
    const peak = peakOf[cellOf(point)]!;
    const list = members.get(peak);
    if (list) list.push(point);
    else members.set(peak, [point]);
  }
  return [...members.values()]
    .filter((points) => points.length >= Math.max(4, count / 200))
    .sort((a, b) => b.length - a.length)
    .slice(0, mostClusters)
    .map((points) => ({ ...middleOf(points, positions), points }));
}

function densityOf(positions: Float32Array, cells: number) {
  const { left, top, right, bottom } = boundsOf(positions);
  const step = (value: number, from: number, to: number) =>
    Math.min(cells - 1, Math.floor(((value - from) / Math.max(1e-6, to - from)) * cells));
  const cellOf = (point: number) =>
    step(positions[point * 2 + 1]!, top, bottom) * cells + step(positions[point * 2]!, left, right);
  const density = new Float32Array(cells * cells);
  for (let point = 0; point * 2 < positions.length; point++) density[cellOf(point)]!++;
  return { cellOf, density };
}

function smooth(density: Float32Array, cells: number): Float32Array {
  return density.map((_, cell) => {
    let sum = 0;
    for (const [other, weight] of around(cell, cells)) sum += density[other]! * weight;
    return sum;
  });
}

function climb(density: Float32Array, cells: number): Int32Array {
  const next = Int32Array.from(density, (_, cell) => {
    let best = cell;
    for (const [other] of around(cell, cells)) if (density[other]! > density[best]!) best = other;
    return best;
  });
  return next.map((_, cell) => {
    let at = cell;
    while (next[at] !== at) at = next[at]!;
    return at;
  });
}

function around(cell: number, cells: number): [number, number][] {
  const x = cell % cells;
  const y = Math.floor(cell / cells);
  const found: [number, number][] = [];
  for (let down = -1; down <= 1; down++) {
    for (let along = -1; along <= 1; along++) {
      if (x + along < 0 || x + along >= cells || y + down < 0 || y + down >= cells) continue;
      found.push([
        cell + down * cells + along,
        down === 0 && along === 0 ? 4 : down === 0 || along === 0 ? 2 : 1,
      ]);
    }
  }
  return found;
}

function middleOf(points: number[], positions: Float32Array): { x: number; y: number } {
  const middle = (offset: number) => {
    const values = points.map((point) => positions[point * 2 + offset]!).sort((a, b) => a - b);
    return values[values.length >> 1]!;
  };
  return { x: middle(0), y: middle(1) };
}
