/**
 * The shortest decimal of a single-precision number, as Weaviate prints vectors and distances. Below 1.2e-38 it may
 * have more digits than needed. A row has hundreds of these numbers, and printing each to count its digits took most of
 * the time of an import. So numbers of the most common sizes are rounded without printing them.
 */
export function float32(value: number): number {
  const single = Math.fround(value);
  const size = Math.abs(single);
  if (size >= 1e-6 && size < 10) {
    let places = 5;
    while (size * powers[places]! < 100_000) places++;
    for (const most = places + 2; places <= most; places++) {
      // Dividend and divisor are whole numbers below 2^53, so the quotient is the double nearest to the decimal.
      const short = Math.round(size * powers[places]!) / powers[places]!;
      if (Math.fround(short) === size) return single < 0 ? -short : short;
    }
  } else {
    for (const digits of [6, 7, 8]) {
      const short = Number(single.toPrecision(digits));
      if (Math.fround(short) === single) return short;
    }
  }
  return Number(single.toPrecision(9));
}

const powers = Array.from({ length: 15 }, (_, exponent) => 10 ** exponent);

export function float32Vector(vector: Iterable<number>): number[] {
  return Array.from(vector, float32);
}
