/**
 * Counts the results before the n-th jump, where n is `jumps`. With fewer jumps, all results count. Weaviate's rule:
 * scale the values to 0…1 and subtract a straight line. Each local peak of that difference is a jump
 * (entities/autocut in Weaviate's source).
 */
export function autocut(values: number[], jumps: number): number {
  if (values.length <= 1) return values.length;
  const [first = 0, last = 0] = [values[0], values.at(-1)];
  const step = 1 / (values.length - 1);
  const above = values.map((value, index) => (value - first) / (last - first) - index * step);
  const at = (index: number) => above[index] ?? 0;
  let peaks = 0;
  for (let index = 1; index < above.length; index++) {
    const isPeak =
      index === above.length - 1
        ? at(index) > at(index - 1) && above.length > 2 && at(index) > at(index - 2)
        : at(index) > at(index - 1) && at(index) > at(index + 1);
    if (isPeak && ++peaks >= jumps) return index;
  }
  return values.length;
}
