import { fuzzyGraph } from './fuzzy-graph.ts';
import { findNeighbours } from './neighbours.ts';
import { type Matrix, principalComponents } from './pca.ts';
import { layOut } from './umap.ts';

export interface Frame {
  /** x, y, x, y … in the order in which the rows came. */
  positions: Float32Array;
  /** `first` is a rough picture of the rows so far. */
  stage: 'first' | 'refining' | 'done';
  /** From 0 to 1, once all rows have been read. */
  progress: number;
}

/** A rough picture is drawn when the number of rows reaches one of these numbers. */
const pictures = [200, 2000];
const components = 64;

/** Collects rows as they arrive, and returns rough pictures meanwhile. Lays out the map when all rows are read. */
export class MapBuilder {
  readonly #dimensions: number;
  #floats: Float32Array;
  #rows = 0;
  #drawn = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#floats = new Float32Array(4096 * dimensions);
  }

  /** `vectors` contains whole rows. Returns a rough picture when the rows reach a number in `pictures`. */
  add(vectors: Float32Array): Frame | undefined {
    const width = this.#dimensions;
    const added = Math.floor(vectors.length / width);
    while ((this.#rows + added) * width > this.#floats.length) this.#grow();
    this.#floats.set(vectors.subarray(0, added * width), this.#rows * width);
    this.#rows += added;
    const due = pictures.filter((rows) => this.#rows >= rows).length;
    if (due === this.#drawn) return undefined;
    this.#drawn = due;
    return { positions: flat(this.#matrix()), stage: 'first', progress: 0 };
  }

  /** Draws the map of all rows. */
  finish(onFrame: (frame: Frame) => void): void {
    const matrix = this.#matrix();
    const { rows } = matrix;
    if (rows === 0) {
      onFrame({ positions: new Float32Array(0), stage: 'done', progress: 1 });
      return;
    }
    const reduced = principalComponents(matrix, components);
    this.#floats = new Float32Array(0);
    const positions = flat(reduced);
    onFrame({ positions: positions.slice(), stage: 'refining', progress: 0.1 });
    if (rows > 2) {
      const graph = fuzzyGraph(findNeighbours(reduced), rows);
      // With few rows an epoch is fast, and more epochs improve the map.
      const epochs = rows > 10_000 ? 100 : rows > 2000 ? 200 : 400;
      layOut(positions, graph, {
        epochs,
        onFrame: (epoch) =>
          onFrame({
            positions: positions.slice(),
            stage: 'refining',
            progress: 0.4 + (0.6 * epoch) / epochs,
          }),
      });
    }
    onFrame({ positions, stage: 'done', progress: 1 });
  }

  #matrix(): Matrix {
    const width = this.#dimensions;
    return { floats: this.#floats.subarray(0, this.#rows * width), rows: this.#rows, width };
  }

  #grow(): void {
    const larger = new Float32Array(this.#floats.length * 2);
    larger.set(this.#floats);
    this.#floats = larger;
  }
}

/** The two strongest components, scaled to at most ±10: a rough picture, and the start of the layout. */
function flat(matrix: Matrix): Float32Array {
  const { floats, rows, width } = principalComponents(matrix, 2, 2000);
  const positions = new Float32Array(rows * 2);
  let largest = 0;
  for (let index = 0; index < floats.length; index++) largest = Math.max(largest, Math.abs(floats[index]!));
  const scale = largest > 0 ? 10 / largest : 0;
  for (let row = 0; row < rows; row++) {
    positions[row * 2] = floats[row * width]! * scale;
    positions[row * 2 + 1] = width > 1 ? floats[row * width + 1]! * scale : 0;
  }
  return positions;
}
