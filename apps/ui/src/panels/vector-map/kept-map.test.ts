import { expect, test } from 'vitest';
import { spread } from './kept-map.ts';

test('the rows of a fingerprint are spread over all rows of the map', () => {
  const points = (count: number) => Array.from({ length: count }, (_, point) => point);
  for (const count of [1, 48, 49, 95, 96, 143, 50_000]) {
    const some = spread(points(count), 48);
    expect(some.length, String(count)).toBeLessThanOrEqual(48);
    expect(count - 1 - some.at(-1)!, String(count)).toBeLessThan(count / some.length);
  }
});
