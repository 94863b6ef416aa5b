/** The rectangle around all points. Without points, `right` is less than `left`. */
export function boundsOf(positions: Float32Array) {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < positions.length; at += 2) {
    left = Math.min(left, positions[at]!);
    right = Math.max(right, positions[at]!);
    top = Math.min(top, positions[at + 1]!);
    bottom = Math.max(bottom, positions[at + 1]!);
  }
  return { left, top, right, bottom };
}
