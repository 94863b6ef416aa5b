/** A vector as bars around a middle line: the `d` of one SVG path, so that a cell needs only two elements. */
export function sparklinePath(
  vector: ArrayLike<number>,
  box: { width: number; height: number; bars: number },
): string {
  const heights = binned(vector, box.bars);
  const most = heights.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
  if (most === 0) return '';
  const middle = box.height / 2;
  const step = box.width / heights.length;
  let path = '';
  for (const [index, value] of heights.entries()) {
    const x = (index + 0.5) * step;
    path += `M${round(x)} ${middle}V${round(middle - (value / most) * (middle - 0.5))}`;
  }
  return path;
}

/** The value farthest from zero in each section of the vector: the average of many values is often near zero. */
function binned(vector: ArrayLike<number>, bars: number): number[] {
  const count = Math.min(bars, vector.length);
  const out: number[] = [];
  for (let bar = 0; bar < count; bar++) {
    const end = Math.floor(((bar + 1) * vector.length) / count);
    let peak = 0;
    for (let at = Math.floor((bar * vector.length) / count); at < end; at++) {
      const value = vector[at] as number;
      if (Math.abs(value) > Math.abs(peak)) peak = value;
    }
    // A section that contains Infinity gets no bar. NaN never becomes the peak: each comparison with it is false.
    out.push(Number.isFinite(peak) ? peak : 0);
  }
  return out;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
