import { DriverError, type Json } from '@trestle/driver-kit';
import { type DocumentNode, type FieldNode, Kind, type ValueNode } from 'graphql';
import { isRecord } from './answer-shape.ts';
import { collectionName } from './loss.ts';
import { QueryFields } from './query-fields.ts';
import type { Collection } from './schema.ts';

/**
 * Refuses an Aggregate that searches an index other than HNSW up to a distance and has no `objectLimit`. With more than
 * 100 matches the server never answers, and uses a core until it is restarted, even if the request is cancelled. Seen
 * for `flat` on 1.27.27 and 1.39.0, and for `hfresh` on 1.39.0. A `dynamic` index begins as a flat one.
 */
export async function assertSearchEnds(
  { document, variables }: { document: DocumentNode; variables?: Json },
  collections: () => Promise<Collection[]>,
): Promise<void> {
  const fields = new QueryFields(document);
  const endless = fields
    .roots()
    .filter((root) => root.name.value === 'Aggregate')
    .flatMap((root) => fields.of(root.selectionSet).map(({ field }) => field))
    .filter((field) => isEndless(field, variables));
  if (endless.length === 0) return;
  const all = await collections();
  for (const { name } of endless) {
    const found = all.filter((one) => one.name === collectionName(name.value));
    // A name that is no collection may be an alias of any of them.
    for (const { name: collection, definition } of found.length > 0 ? found : all) {
      const type = endlessIndex(definition);
      if (type !== undefined) throw neverEnds(collection, type);
    }
  }
}

function isEndless(field: FieldNode, variables: Json | undefined): boolean {
  const given = field.arguments ?? [];
  const limits = given.filter(({ name }) => name.value === 'objectLimit');
  if (limits.length > 0 && limits.every(({ value }) => isLimit(value, variables))) return false;
  return given.some(
    ({ name, value }) => name.value.startsWith('near') || (name.value === 'hybrid' && hasNear(value)),
  );
}

/** A hybrid search may contain a search up to a distance. */
function hasNear(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(hasNear);
  if (value.kind !== Kind.OBJECT) return value.kind === Kind.VARIABLE;
  return value.fields.some((field) => field.name.value.startsWith('near') || hasNear(field.value));
}

function isLimit(value: ValueNode, variables: Json | undefined): boolean {
  if (value.kind === Kind.INT) return Number(value.value) > 0;
  if (value.kind !== Kind.VARIABLE || !isRecord(variables)) return false;
  const given = variables[value.name.value];
  return typeof given === 'number' && given > 0;
}

/** The type of the first index whose search may not end. An index type of a future server counts as one. */
function endlessIndex(definition: Json): string | undefined {
  if (!isRecord(definition)) return undefined;
  const named = isRecord(definition.vectorConfig) ? Object.values(definition.vectorConfig) : [];
  return [definition, ...named]
    .flatMap((one) => (isRecord(one) ? [String(one.vectorIndexType ?? '')] : []))
    .find((type) => type !== '' && type.toLowerCase() !== 'hnsw');
}

function neverEnds(collection: string, type: string): DriverError {
  return new DriverError({
    code: 'refused',
    message: `This Aggregate would never end: a vector index of ${collection} has the type ${type}, and the search has no objectLimit`,
    hint: 'Add objectLimit, for example objectLimit: 1000. Without it, Weaviate uses a processor core until it is restarted.',
  });
}
