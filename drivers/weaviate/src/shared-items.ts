/**
 * Items for several workers. Each worker takes the next item in a `for of`. If a worker fails, its loop ends the
 * generator, so the other workers stop. The iterator of an array would go on.
 */
export function* sharedItems<Item>(items: Iterable<Item>): Generator<Item, void, undefined> {
  yield* items;
}
