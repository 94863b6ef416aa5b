/** The shortest decimal of a single-precision number, as the server prints vectors and distances. */
export function float32(value: number): number {
  const single = Math.fround(value);
  for (const digits of [6, 7, 8]) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return short;
  }
  return Number(single.toPrecision(9));
}

export function float32Vector(vector: Iterable<number>): number[] {
  return Array.from(vector, float32);
}
