import type { Json } from '@trestle/driver-kit';
import {
  type AggregateReply,
  type AggregateRequest,
  AggregateRequestSchema,
  type AggregateReply_Aggregations_Aggregation as AggregationReply,
  type AggregateRequest_AggregationSchema as AggregationSchema,
  create,
  type AggregateReply_Group as GroupReply,
  type MessageInitShape,
} from '@trestle/weaviate-connect';
import type { Collection, ElementType } from '../schema.ts';
import { filtersOf } from './filters.ts';
import { argumentsOf, assertNoArguments, type Selected } from './read-fields.ts';
import { mistake, noCounterpart, noProperty } from './refusal.ts';
import { hybridOf, media, mediaOf, nearObjectOf, nearTextOf, nearVectorOf } from './searches.ts';
import type { Given, Value } from './values.ts';

type AggregateInit = Exclude<MessageInitShape<typeof AggregateRequestSchema>, AggregateRequest>;
type AggregationInit = MessageInitShape<typeof AggregationSchema>;

export interface AggregatePlan {
  method: 'Aggregate';
  request: AggregateRequest;
  data(reply: AggregateReply): Json;
}

/** One field below `Aggregate`. */
export function planAggregate(field: Selected, collection: Collection, all: Collection[]): AggregatePlan {
  const given = argumentsOf(field);
  const grouping = groupingOf(given, collection);
  const tenant = given.text('tenant');
  const limit = given.whole('limit');
  const objectLimit = given.whole('objectLimit');
  const init: AggregateInit = {
    collection: collection.name,
    ...(tenant !== undefined && { tenant }),
    ...(limit !== undefined && { limit }),
    ...(objectLimit !== undefined && { objectLimit }),
    ...(given.has('where') && { filters: filtersOf(given.value('where')!, collection, all) }),
    ...(grouping !== undefined && { groupBy: { collection: collection.name, property: grouping } }),
    ...searchOf(given, collection),
    ...selectionOf(field, collection),
  };
  given.end();
  return {
    method: 'Aggregate',
    request: create(AggregateRequestSchema, init),
    data: ({ result }) => {
      if (result.case === 'groupedResults') return result.value.groups.map((group) => rowOf(field, group));
      if (result.case === undefined) return [];
      return [rowOf(field, { ...result.value, groupedBy: undefined })];
    },
  };
}

function groupingOf(given: Given, collection: Collection): string | undefined {
  const path = given.texts('groupBy');
  if (!path) return undefined;
  const [name = '', ...deeper] = path;
  if (deeper.length > 0 || path.length === 0)
    throw noCounterpart('groupBy of Aggregate by another path than one property');
  // For an unknown name, Connect answers as if no object matched.
  if (!collection.properties.some((one) => one.name === name))
    throw noProperty(collection.name, name, collection.properties);
  return name;
}

function searchOf(given: Given, collection: Collection): Pick<AggregateInit, 'search'> {
  const found: AggregateInit['search'][] = [];
  const add = (name: string, read: (value: Value) => AggregateInit['search']) => {
    const value = given.value(name);
    if (value !== undefined) found.push(read(value));
  };
  add('nearVector', (value) => ({ case: 'nearVector', value: nearVectorOf(value, collection) }));
  add('nearObject', (value) => ({ case: 'nearObject', value: nearObjectOf(value, collection) }));
  add('nearText', (value) => ({ case: 'nearText', value: nearTextOf(value, collection) }));
  add('hybrid', (value) => ({ case: 'hybrid', value: hybridOf(value, collection) }));
  for (const name of media) {
    const key = name === 'imu' ? 'IMU' : `${name[0]!.toUpperCase()}${name.slice(1)}`;
    const field = name === 'imu' ? 'nearImu' : `near${key}`;
    add(`near${key}`, (value) => ({ case: field, value: mediaOf(name, value) }) as AggregateInit['search']);
  }
  if (found.length > 1) throw mistake('A query takes one search');
  return found[0] ? { search: found[0] } : {};
}

const numeric = ['count', 'type', 'sum', 'mean', 'mode', 'median', 'maximum', 'minimum'];

type Kind = 'int' | 'number' | 'text' | 'boolean' | 'date' | 'reference';

/** The members that GraphQL has for each type of property. */
const membersOf: { [kind in Kind]: string[] } = {
  int: numeric,
  number: numeric,
  text: ['count', 'type', 'topOccurrences'],
  boolean: ['count', 'type', 'totalTrue', 'totalFalse', 'percentageTrue', 'percentageFalse'],
  date: ['count', 'median', 'mode', 'maximum', 'minimum'],
  reference: ['type', 'pointingTo'],
};

function isKind(type: ElementType): type is Kind {
  return Object.hasOwn(membersOf, type);
}

function selectionOf({ fields }: Selected, collection: Collection): AggregateInit {
  const init = { objectsCount: false, aggregations: [] as AggregationInit[] };
  if (fields.length === 0) throw mistake(`Select what to aggregate of ${collection.name}`);
  for (const field of fields) {
    assertNoArguments(field);
    if (field.name === 'meta') {
      assertMembers(field, ['count']);
      init.objectsCount = true;
    } else if (field.name === 'groupedBy') assertMembers(field, ['path', 'value']);
    else init.aggregations.push(aggregationOf(field, collection));
  }
  const names = init.aggregations.map(({ property }) => property);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw noCounterpart(`Aggregate of "${twice}" twice in one collection`);
  return init;
}

function assertMembers({ name, fields }: Selected, known: string[]): void {
  for (const member of fields) {
    if (member.name !== 'topOccurrences') assertNoArguments(member);
    if (!known.includes(member.name)) throw mistake(`"${name}" of Aggregate has no member "${member.name}"`);
  }
}

function aggregationOf(field: Selected, collection: Collection): AggregationInit {
  const property = collection.properties.find(({ name }) => name === field.name);
  if (!property) throw noProperty(collection.name, field.name, collection.properties);
  const kind = property.elementType;
  if (!isKind(kind))
    throw mistake(`Aggregate does not take "${field.name}": its type is ${property.nativeType}`);
  assertMembers(field, membersOf[kind]);
  const flags = Object.fromEntries(
    field.fields.map(({ name }) => [name === 'topOccurrences' ? 'topOccurences' : name, true]),
  );
  const limit = occurrencesLimit(field);
  const value = { ...flags, ...(limit !== undefined && { topOccurencesLimit: limit }) };
  return { property: property.name, aggregation: { case: kind, value } as AggregationInit['aggregation'] };
}

function occurrencesLimit({ fields }: Selected): number | undefined {
  const asked = fields.filter(({ name }) => name === 'topOccurrences');
  if (asked.length > 1) throw noCounterpart('topOccurrences twice for one property');
  const [first] = asked;
  if (!first) return undefined;
  const given = argumentsOf(first);
  const limit = given.whole('limit');
  given.end();
  assertMembers(first, ['value', 'occurs']);
  return limit;
}

type Row = Pick<GroupReply, 'objectsCount' | 'aggregations' | 'groupedBy'>;

function rowOf({ fields }: Selected, row: Row): Json {
  return Object.fromEntries(
    fields.map((field): [string, Json] => {
      if (field.name === 'meta') return [field.key, pick(field, { count: Number(row.objectsCount ?? 0n) })];
      if (field.name === 'groupedBy') return [field.key, groupOf(field, row.groupedBy)];
      const found = row.aggregations?.aggregations.find(({ property }) => property === field.name);
      return [field.key, pick(field, valuesOf(found))];
    }),
  );
}

function groupOf(field: Selected, groupedBy: Row['groupedBy']): Json {
  if (!groupedBy) return null;
  const { value, path } = groupedBy;
  // GraphQL sends the value of a group as text.
  return pick(field, { path, value: value.case === undefined ? null : String(value.value) });
}

function pick({ fields }: Selected, values: { [name: string]: Json }): Json {
  return Object.fromEntries(
    fields.map((member): [string, Json] => {
      const value = Object.hasOwn(values, member.name) ? values[member.name]! : null;
      if (member.name !== 'topOccurrences') return [member.key, value];
      return [member.key, ((value ?? []) as { [name: string]: Json }[]).map((one) => pick(member, one))];
    }),
  );
}

function valuesOf(found: AggregationReply | undefined): { [name: string]: Json } {
  const { aggregation } = found ?? {};
  if (!aggregation || aggregation.case === undefined) return {};
  const { $typeName: _, $unknown: __, ...members } = aggregation.value;
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]): [string, Json][] => {
      if (value === undefined) return [];
      if (name !== 'topOccurences') return [[name, jsonOf(value)]];
      const { items } = value as { items: { value: string; occurs: bigint }[] };
      return [['topOccurrences', items.map((one) => ({ value: one.value, occurs: Number(one.occurs) }))]];
    }),
  );
}

/** Connect sends NaN where there is nothing to divide by, and GraphQL sends null. */
function jsonOf(value: unknown): Json {
  const json = typeof value === 'bigint' ? Number(value) : (value as Json);
  return typeof json === 'number' && !Number.isFinite(json) ? null : json;
}
