import { expect, test } from 'vitest';
import { principalComponents } from './pca.ts';
import { createRandom } from './random.ts';

test.each([1, 100, 1e6])('rows in one plane need only two components, for values around %d', (size) => {
  const random = createRandom(3);
  const width = 64;
  const components = 50;
  const axes = [0, 1].map(() => Float64Array.from({ length: width }, () => random.unit() - 0.5));
  const rows = 10;
  const floats = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const [one, other] = [random.unit() * size, random.unit() * size];
    for (let at = 0; at < width; at++)
      floats[row * width + at] = size + one * axes[0]![at]! + other * axes[1]![at]!;
  }
  const found = principalComponents({ floats, rows, width }, components).floats;
  const largest = (axis: number) =>
    Math.max(...Array.from({ length: rows }, (_, row) => Math.abs(found[row * components + axis]!)));
  expect(largest(0)).toBeGreaterThan(size / 100);
  for (let axis = 2; axis < components; axis++) expect(largest(axis)).toBeLessThan(size / 10_000);
});
