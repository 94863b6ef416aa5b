import { createRandom } from './random.ts';

/** Rows of equal length, one after the other. */
export interface Matrix {
  floats: Float32Array;
  rows: number;
  width: number;
}

/** Each row's coordinates on the first `components` principal axes. At most `sampleSize` rows determine the axes. */
export function principalComponents(matrix: Matrix, components: number, sampleSize = 5000): Matrix {
  const { width } = matrix;
  const kept = Math.min(components, width);
  const sample = sampleRows(matrix, sampleSize);
  const mean = meanOf(sample);
  const axes = leadingAxes(covarianceOf(sample, mean), width, kept);
  return projectRows(matrix, mean, axes, kept);
}

function sampleRows(matrix: Matrix, size: number): Matrix {
  const { floats, rows, width } = matrix;
  if (rows <= size) return matrix;
  const sample = new Float32Array(size * width);
  for (let row = 0; row < size; row++) {
    const from = Math.floor((row * rows) / size);
    sample.set(floats.subarray(from * width, (from + 1) * width), row * width);
  }
  return { floats: sample, rows: size, width };
}

function meanOf({ floats, rows, width }: Matrix): Float64Array {
  const mean = new Float64Array(width);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < width; column++) mean[column]! += floats[row * width + column]!;
  }
  for (let column = 0; column < width; column++) mean[column]! /= Math.max(1, rows);
  return mean;
}

function covarianceOf({ floats, rows, width }: Matrix, mean: Float64Array): Float64Array {
  const covariance = new Float64Array(width * width);
  const centred = new Float64Array(width);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < width; column++)
      centred[column] = floats[row * width + column]! - mean[column]!;
    for (let one = 0; one < width; one++) {
      const value = centred[one]!;
      if (value === 0) continue;
      const at = one * width;
      for (let other = one; other < width; other++) covariance[at + other]! += value * centred[other]!;
    }
  }
  for (let one = 0; one < width; one++) {
    for (let other = 0; other < one; other++)
      covariance[one * width + other] = covariance[other * width + one]!;
  }
  return covariance;
}

/** Orthogonal iteration: each round multiplies the axes by the matrix and makes them perpendicular again. */
function leadingAxes(matrix: Float64Array, width: number, count: number, rounds = 24): Float64Array {
  const random = createRandom(11);
  let axes = Float64Array.from({ length: count * width }, () => random.unit() - 0.5);
  orthonormalise(axes, width, count);
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(count * width);
    for (let axis = 0; axis < count; axis++) {
      for (let row = 0; row < width; row++) {
        let sum = 0;
        const at = row * width;
        for (let column = 0; column < width; column++)
          sum += matrix[at + column]! * axes[axis * width + column]!;
        next[axis * width + row] = sum;
      }
    }
    orthonormalise(next, width, count);
    axes = next;
  }
  return axes;
}

function orthonormalise(axes: Float64Array, width: number, count: number): void {
  let longest = 0;
  for (let axis = 0; axis < count; axis++) {
    const at = axis * width;
    for (let earlier = 0; earlier < axis; earlier++) {
      let dot = 0;
      for (let column = 0; column < width; column++)
        dot += axes[at + column]! * axes[earlier * width + column]!;
      for (let column = 0; column < width; column++)
        axes[at + column]! -= dot * axes[earlier * width + column]!;
    }
    let length = 0;
    for (let column = 0; column < width; column++) length += axes[at + column]! ** 2;
    longest = Math.max(longest, length);
    // The rows may differ in fewer directions than `count`. The other axes are then 0 or rounding noise, and become 0.
    const scale = length > longest * 1e-24 ? 1 / Math.sqrt(length) : 0;
    for (let column = 0; column < width; column++) axes[at + column]! *= scale;
  }
}

function projectRows(
  { floats, rows, width }: Matrix,
  mean: Float64Array,
  axes: Float64Array,
  count: number,
): Matrix {
  const out = new Float32Array(rows * count);
  const offsets = new Float64Array(count);
  for (let axis = 0; axis < count; axis++) {
    let sum = 0;
    for (let column = 0; column < width; column++) sum += mean[column]! * axes[axis * width + column]!;
    offsets[axis] = sum;
  }
  const narrow = Float32Array.from(axes);
  for (let row = 0; row < rows; row++) {
    for (let axis = 0; axis < count; axis++) {
      out[row * count + axis] = dot(floats, row * width, narrow, axis * width, width) - offsets[axis]!;
    }
  }
  return { floats: out, rows, width: count };
}

/** The dot product, in four sums: an addition need not wait for the previous one. */
function dot(one: Float32Array, from: number, other: Float32Array, at: number, width: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const rest = width % 4;
  for (let column = 0; column < width - rest; column += 4) {
    s0 += one[from + column]! * other[at + column]!;
    s1 += one[from + column + 1]! * other[at + column + 1]!;
    s2 += one[from + column + 2]! * other[at + column + 2]!;
    s3 += one[from + column + 3]! * other[at + column + 3]!;
  }
  for (let column = width - rest; column < width; column++) s0 += one[from + column]! * other[at + column]!;
  return s0 + s1 + s2 + s3;
}
