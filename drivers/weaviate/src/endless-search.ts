import { DriverError, type Json } from '@trestle/driver-kit';
import { connectPath } from '@trestle/weaviate-connect';
import { type DocumentNode, type FieldNode, Kind, type ValueNode } from 'graphql';
import { isRecord } from './answer-shape.ts';
import { collectionName } from './loss.ts';
import { QueryFields } from './query-fields.ts';
import type { RestLine } from './rest-line.ts';
import type { Collection } from './schema.ts';

/** An Aggregate of one collection. */
interface Aggregate {
  name: string;
  /** Undefined if there is no limit. NaN if only the server knows what it reads. */
  objectLimit: number | undefined;
  /** Whether the objects are those near a vector, an object, a text or a medium. */
  isNear: boolean;
}

interface Query {
  document: DocumentNode;
  variables?: Json;
}

/**
 * Refuses an Aggregate that would occupy or end the server.
 *
 * The server reserves memory for `objectLimit` objects before it searches. With 2^31 - 1, it ends at once. Seen on
 * 1.27.27 and 1.39.0, for `flat` and for a hybrid search.
 *
 * A search of an index other than HNSW up to a distance, without `objectLimit` and with more than 100 matches, never
 * answers. It uses a core until the server is restarted, even if the request is cancelled. Seen for `flat` on 1.27.27
 * and 1.39.0, and for `hfresh` on 1.39.0. A `dynamic` index begins as a flat one.
 */
export async function assertSearchEnds(
  query: Query,
  collections: () => Promise<Collection[]>,
): Promise<void> {
  const fields = new QueryFields(query.document);
  const aggregates = fields
    .roots()
    .filter((root) => root.name.value === 'Aggregate')
    .flatMap((root) => fields.of(root.selectionSet).map(({ field }) => aggregateOf(field, query)));
  await assertAggregatesEnd(aggregates, collections);
}

/** The same for a request line that calls Connect. `readRestLine` has written its body with the names of the message. */
export async function assertLineEnds(
  { path, body }: RestLine,
  collections: () => Promise<Collection[]>,
): Promise<void> {
  const message = body?.value;
  if (path !== connectPath('Aggregate') || !isRecord(message)) return;
  const { collection, objectLimit } = message;
  const isNear = (value: Json | undefined): boolean =>
    isRecord(value) && Object.keys(value).some((key) => key.startsWith('near'));
  const one = {
    name: String(collection ?? ''),
    objectLimit: objectLimit === undefined ? undefined : Number(objectLimit),
    isNear: isNear(message) || isNear(message.hybrid),
  };
  await assertAggregatesEnd([one], collections);
}

const mostObjects = 100_000;

async function assertAggregatesEnd(
  aggregates: Aggregate[],
  collections: () => Promise<Collection[]>,
): Promise<void> {
  const isFit = (limit: number) => limit <= mostObjects;
  const large = aggregates.find(({ objectLimit }) => objectLimit !== undefined && !isFit(objectLimit));
  if (large) throw largeLimit();
  const endless = aggregates.filter(({ objectLimit = 0, isNear }) => isNear && objectLimit < 1);
  if (endless.length === 0) return;
  const all = await collections();
  for (const { name } of endless) {
    const found = all.filter((one) => one.name === collectionName(name));
    // A name that is no collection may be an alias of any of them.
    for (const { name: collection, definition } of found.length > 0 ? found : all) {
      const type = endlessIndex(definition);
      if (type !== undefined) throw neverEnds(collection, type);
    }
  }
}

function aggregateOf(field: FieldNode, query: Query): Aggregate {
  const given = field.arguments ?? [];
  const limits = given
    .filter(({ name }) => name.value === 'objectLimit')
    .map(({ value }) => limitOf(value, query));
  return {
    name: field.name.value,
    objectLimit: limits.length < 2 ? limits[0] : Number.NaN,
    isNear: given.some(
      ({ name, value }) => name.value.startsWith('near') || (name.value === 'hybrid' && hasNear(value)),
    ),
  };
}

function limitOf(value: ValueNode, { document, variables }: Query): number | undefined {
  if (value.kind === Kind.NULL) return undefined;
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind !== Kind.VARIABLE) return Number.NaN;
  const name = value.name.value;
  if (isRecord(variables) && Object.hasOwn(variables, name)) {
    const given = variables[name]!;
    if (given === null) return undefined;
    // The server also takes a text for a number.
    return typeof given === 'number' && Number.isInteger(given) ? given : Number.NaN;
  }
  const declared = document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? (one.variableDefinitions ?? []) : [],
  );
  const standard = declared.find(({ variable }) => variable.name.value === name)?.defaultValue;
  return standard && limitOf(standard, { document, variables: {} });
}

/** A hybrid search may contain a search up to a distance. */
function hasNear(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(hasNear);
  if (value.kind !== Kind.OBJECT) return value.kind === Kind.VARIABLE;
  return value.fields.some((field) => field.name.value.startsWith('near') || hasNear(field.value));
}

/** The type of the first index whose search may not end. An index type of a future server counts as one. */
function endlessIndex(definition: Json): string | undefined {
  if (!isRecord(definition)) return undefined;
  const named = isRecord(definition.vectorConfig) ? Object.values(definition.vectorConfig) : [];
  return [definition, ...named]
    .flatMap((one) => (isRecord(one) ? [String(one.vectorIndexType ?? '')] : []))
    .find((type) => type !== '' && type.toLowerCase() !== 'hnsw');
}

function largeLimit(): DriverError {
  return new DriverError({
    code: 'refused',
    message: `An objectLimit must be a whole number of at most ${mostObjects.toLocaleString('en')}: Weaviate reserves the memory for so many objects, and a larger number can end it`,
    hint: 'Write a smaller objectLimit.',
  });
}

function neverEnds(collection: string, type: string): DriverError {
  return new DriverError({
    code: 'refused',
    message: `This Aggregate would never end: a vector index of ${collection} has the type ${type}, and the search has no objectLimit`,
    hint: 'Add objectLimit, for example objectLimit: 1000. Without it, Weaviate uses a processor core until it is restarted.',
  });
}
