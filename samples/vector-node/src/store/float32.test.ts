import { expect, test } from 'vitest';
import { float32 } from './float32.ts';

/** Rounds to 6, 7, 8 or 9 digits: the fewest that keep the single-precision number. */
function shortest(value: number): number {
  const single = Math.fround(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return short;
  }
  return Number(single.toPrecision(9));
}

test('float32 gives the shortest decimal that is the same single-precision number', () => {
  expect([0.1, -0.1, 1 / 3, 16777216, 0.30000001192092896].map(float32)).toEqual([
    0.1, -0.1, 0.33333334, 16777216, 0.3,
  ]);
});

test('for numbers of many sizes, float32 gives the same decimal as printing with 6 to 9 digits', () => {
  const bits = new Uint32Array(1);
  const single = new Float32Array(bits.buffer);
  let state = 1;
  const values = [0, -0, 1, 10, 0.001, 1e-5, 999999.9, 9.9999995, 1e38, 1e-45, 1.17549435e-38];
  for (let count = 0; count < 20_000; count++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bits[0] = state;
    if (Number.isFinite(single[0])) values.push(single[0]!);
    values.push(state / 2 ** 31 - 1);
  }
  expect(values.filter((value) => float32(value) !== shortest(value))).toEqual([]);
});
