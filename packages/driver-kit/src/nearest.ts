/** The exact neighbours of some rows. They are found without an index: each vector is compared with all others. */
export interface ExactBlock {
  /** The first row of the block. */
  from: number;
  rows: number;
  /** `kept` entries for each row, nearest first. -1 fills the rest if fewer rows could be compared. */
  places: Int32Array;
  distances: Float32Array;
}

/** Scales vectors to length one, so that the dot product of two vectors is their cosine. A zero vector stays zero. */
function unitVectors(vectors: Float32Array, dimensions: number): Float32Array {
  const unit = new Float32Array(vectors.length);
  for (let start = 0; start < vectors.length; start += dimensions) {
    let square = 0;
    for (let at = start; at < start + dimensions; at++) square += vectors[at]! * vectors[at]!;
    const scale = square === 0 ? 0 : 1 / Math.sqrt(square);
    for (let at = start; at < start + dimensions; at++) unit[at] = vectors[at]! * scale;
  }
  return unit;
}

export type Distance = 'cosine' | 'euclidean';

/** The vectors in the form that `exactBlock` and `distanceBetween` need. */
export function prepared(vectors: Float32Array, dimensions: number, distance: Distance): Float32Array {
  return distance === 'cosine' ? unitVectors(vectors, dimensions) : vectors;
}

/** The nearest rows of each row in a block of `rows` rows, which starts at `from`. */
export function exactBlock(
  vectors: Float32Array,
  dimensions: number,
  { from, rows, kept, distance: by }: { from: number; rows: number; kept: number; distance: Distance },
): ExactBlock {
  const total = vectors.length / dimensions;
  const between = distanceBetween(by);
  const count = Math.min(rows, total - from);
  const places = new Int32Array(count * kept).fill(-1);
  const distances = new Float32Array(count * kept).fill(Number.POSITIVE_INFINITY);
  for (let row = 0; row < count; row++) {
    const own = (from + row) * dimensions;
    const start = row * kept;
    const last = start + kept - 1;
    for (let other = 0; other < total; other++) {
      if (other === from + row) continue;
      const distance = between(vectors, own, vectors, other * dimensions, dimensions);
      // This comparison also leaves out NaN, the distance to a vector that contains NaN.
      if (!(distance < distances[last]!)) continue;
      let place = last;
      while (place > start && distances[place - 1]! > distance) {
        distances[place] = distances[place - 1]!;
        places[place] = places[place - 1]!;
        place -= 1;
      }
      distances[place] = distance;
      places[place] = other;
    }
  }
  return { from, rows: count, places, distances };
}

type Between = (
  one: Float32Array,
  oneAt: number,
  other: Float32Array,
  otherAt: number,
  dimensions: number,
) => number;

/** The distance of two vectors that are `prepared`. */
export function distanceBetween(by: Distance): Between {
  return by === 'cosine' ? cosineBetween : euclideanBetween;
}

/** 1 minus the cosine of two vectors of length one. A zero vector counts as perpendicular to every other. */
const cosineBetween: Between = (one, oneAt, other, otherAt, dimensions) => {
  let product = 0;
  for (let at = 0; at < dimensions; at++) product += one[oneAt + at]! * other[otherAt + at]!;
  return 1 - product;
};

const euclideanBetween: Between = (one, oneAt, other, otherAt, dimensions) => {
  let sum = 0;
  for (let at = 0; at < dimensions; at++) {
    const apart = one[oneAt + at]! - other[otherAt + at]!;
    sum += apart * apart;
  }
  return Math.sqrt(sum);
};
