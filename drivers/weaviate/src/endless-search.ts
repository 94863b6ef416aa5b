import { DriverError, type Json } from '@trestle/driver-kit';
import { type DocumentNode, type FieldNode, Kind, type ValueNode } from 'graphql';
import { isRecord } from './answer-shape.ts';
import { collectionName } from './loss.ts';
import { QueryFields } from './query-fields.ts';
import type { Collection } from './schema.ts';

/**
 * Refuses an Aggregate that searches a flat index up to a distance and has no `objectLimit`. With more than 100 matches
 * the server never answers, and uses a core until it is restarted, even if the request is cancelled. Seen on 1.27.27 and
 * 1.39.0.
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
    const flat = (found.length > 0 ? found : all).find(hasFlatIndex);
    if (flat) throw neverEnds(flat.name);
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

/** A dynamic index begins as a flat one. */
function hasFlatIndex({ definition }: Collection): boolean {
  if (!isRecord(definition)) return false;
  const named = isRecord(definition.vectorConfig) ? Object.values(definition.vectorConfig) : [];
  return [definition, ...named].some(
    (one) => isRecord(one) && /^(flat|dynamic)$/i.test(String(one.vectorIndexType ?? '')),
  );
}

function neverEnds(collection: string): DriverError {
  return new DriverError({
    code: 'refused',
    message: `This Aggregate would never end: the vector index of ${collection} is flat, and the search has no objectLimit`,
    hint: 'Add objectLimit, for example objectLimit: 1000. Without it, Weaviate uses a processor core until it is restarted.',
  });
}
