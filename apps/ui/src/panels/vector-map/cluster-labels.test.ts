import { expect, test } from 'vitest';
import { clusterLabels } from './cluster-labels.ts';
import { findClusters } from './clusters.ts';

/** Three dense groups of 40 points each. */
const heaps = Float32Array.from({ length: 240 }, (_, at) => {
  const point = at >> 1;
  const [x, y] = [
    [0, 0],
    [10, 0],
    [5, 9],
  ][point % 3] as [number, number];
  return (at % 2 === 0 ? x : y) + Math.sin(point * 12.9898 + (at % 2)) * 0.6;
});

test('each dense group of points is a cluster', () => {
  const clusters = findClusters(heaps);
  expect(clusters).toHaveLength(3);
  expect(clusters.map(({ points }) => points.length)).toEqual([40, 40, 40]);
});

test('a cluster is named by a word or short value that is typical of its rows', () => {
  const kinds = [
    'a bird of prey with sharp claws',
    'a fish of the deep sea where no light comes',
    'a beetle with hard wings',
  ];
  const texts = Array.from({ length: 120 }, (_, row) => kinds[row % 3]!);
  const labels = clusterLabels(heaps, [texts]).map(({ text }) => text);
  expect(labels).toHaveLength(3);
  expect(labels.some((label) => ['bird', 'prey', 'sharp', 'claws'].includes(label))).toBe(true);
  expect(labels.some((label) => ['fish', 'deep', 'sea'].includes(label))).toBe(true);
  expect(labels).toContain('a beetle with hard wings');
});

test('a cluster whose rows have an empty value gets a label from another column', () => {
  const column = (kinds: string[]) => Array.from({ length: 120 }, (_, row) => kinds[row % 3]!);
  const texts = [column(['', 'fish', 'beetle']), column(['x bird y', 'fish', 'beetle'])];
  const labels = clusterLabels(heaps, texts).map(({ text }) => text);
  expect(labels.toSorted()).toEqual(['beetle', 'fish', 'x bird y']);
});

test('there are no labels if all rows have the same text, or if there are few rows', () => {
  expect(clusterLabels(heaps, [Array.from({ length: 120 }, () => 'the same')])).toEqual([]);
  expect(clusterLabels(new Float32Array([0, 0, 1, 1]), [['a', 'b']])).toEqual([]);
});
