import {
  type Change,
  type Guarded,
  holdsPattern,
  isGuarded,
  maskedUse,
  mayHoldKinds,
  ownValue,
  rowAt,
  type SaveRequest,
} from '@trestle/driver-kit';
import type { WeaviateObject } from './cells.ts';
import { type GridColumn, gridColumns } from './columns.ts';
import { GuardedColumns, movesObject } from './guarded-columns.ts';
import { rowSetOf } from './row-set.ts';
import type { Collection } from './schema.ts';

/** The cells that the caller of a save may not see. The outcome of a row must not tell whether the caller guessed one. */
export class SecretCells {
  readonly #collection: Collection;
  readonly #columns: GridColumn[];
  readonly #guarded: Guarded;
  readonly #kinds: SaveRequest['maskedKinds'];

  constructor(collection: Collection, { guarded = [], maskedKinds }: Masked) {
    this.#collection = collection;
    this.#columns = gridColumns(collection);
    this.#guarded = guarded;
    this.#kinds = maskedKinds;
  }

  /**
   * The first of these columns whose cell in this object is secret. A masked kind of value counts even if another program
   * has just written it. The caller compares this same object, so no later change can make the answer wrong.
   */
  find(object: WeaviateObject, names: Iterable<string>): string | undefined {
    const secret = new GuardedColumns([...this.#guarded, ...this.#kindsIn(object)], [this.#collection]);
    return Array.from(names).find((name) => {
      const column = this.#columns.find((one) => one.name === name);
      return column !== undefined && secret.isColumn(this.#collection, column);
    });
  }

  /**
   * Refuses an update that would show whether a given value equals the guarded one that is stored. A module that makes
   * a vector is called only if the value changes, so its failure would show it. The order of the objects shows whether
   * a vector or a place has changed.
   */
  assertNoGuess(changes: readonly Change[]): void {
    const columns = new GuardedColumns(this.#guarded, [this.#collection]);
    for (const change of changes) {
      if (change.kind !== 'update') continue;
      for (const given of Object.keys(change.values)) {
        const column = this.#columns.find(({ name }) => name === given);
        if (!column || !columns.isColumn(this.#collection, column)) continue;
        const { source } = column;
        const why =
          source.kind === 'property'
            ? columns.whyGuessShows(this.#collection, source.property.name)
            : movesObject;
        if (why !== undefined) throw guessRefused(`${this.#collection.name}.${given}`, why);
      }
    }
  }

  #kindsIn(object: WeaviateObject): Guarded {
    const kinds = this.#kinds;
    if (!kinds) return [];
    const { name: table } = this.#collection;
    const row = rowAt(rowSetOf([object], this.#columns), 0);
    const found = this.#columns.filter(
      ({ name, type }) =>
        mayHoldKinds(type) &&
        !isGuarded(kinds.open, table, name) &&
        holdsPattern(ownValue(row, name) ?? null, kinds.patterns),
    );
    // A centroid is made from objects that are not read here.
    const others = this.#collection.vectors.flatMap(({ centroidOf }) => centroidOf?.() ?? []);
    return [
      ...found.map(({ name }) => ({ table, column: name })),
      ...others.map(({ name }) => ({ table: name, column: '*' })),
    ];
  }
}

type Masked = Pick<SaveRequest, 'guarded' | 'maskedKinds'>;

export function guessRefused(what: string, why: string) {
  return maskedUse(`${what} of a stored object cannot be set, because ${why}`);
}
