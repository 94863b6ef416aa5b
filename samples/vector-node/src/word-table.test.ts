import { expect, it } from 'vitest';
import { decodeWordTable, encodeWordTable } from './word-table.ts';

const file = encodeWordTable(
  ['sea', 'x-ray', 'naïve'],
  [
    [1, -0.5],
    [0.02, 0.01],
    [0, 0],
  ],
);

it('returns the rank of each word, and its components with a small rounding error', () => {
  const table = decodeWordTable(file);
  expect(['sea', 'x-ray', 'naïve', 'absent'].map(table.rank)).toEqual([0, 1, 2, undefined]);
  const vectors = [0, 1, 2].map((rank) => {
    const sum = new Float32Array(table.dimensions);
    table.addTo(sum, rank, 1);
    return [...sum];
  });
  const expected = [
    [1, -0.5],
    [0.02, 0.01],
    [0, 0],
  ];
  for (const [rank, vector] of expected.entries()) {
    const step = Math.max(...vector.map(Math.abs)) / 127;
    vector.forEach((component, i) => {
      expect(Math.abs(component - vectors[rank]![i]!)).toBeLessThanOrEqual(step / 2 + 1e-6);
    });
  }
});

it('refuses a file that is cut short', () => {
  expect(() => decodeWordTable(file.subarray(0, file.length - 1))).toThrow(
    'The file of word vectors is damaged or cut short.',
  );
});
