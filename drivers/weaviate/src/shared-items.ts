/**
 * Items for several workers, each of which takes the next one in a `for of`. If one worker fails, the others stop. With
 * the iterator of an array they would go on.
 */
export function* sharedItems<Item>(items: Iterable<Item>): Generator<Item, void, undefined> {
  yield* items;
}
