import {
  type AggregateReply,
  type AggregateReply_Aggregations_AggregationSchema,
  type AggregateReply_Group_GroupedBySchema,
  AggregateReplySchema,
  type AggregateRequest,
  type AggregateRequest_Aggregation,
  create,
  type Filters,
  type MessageInitShape,
} from '@trestle/weaviate-connect';
import { type ClassDefinition, findProperty, kindOf, type PropertyDefinition } from '../definition.ts';
import { noSuchProperty, unprocessable } from '../errors.ts';
import type { WhereInput } from '../filter/where.ts';
import {
  booleanSummary,
  dateSummary,
  type Group,
  numericSummary,
  topOccurrences,
  valuesOf,
} from '../search/aggregate.ts';
import { prefixed } from '../search/filtered.ts';
import { type AggregateInput, runAggregate } from '../search/run-aggregate.ts';
import type { Database } from '../store/database.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { whereOf } from './filters.ts';
import { type GivenSearches, searchOf } from './searches.ts';
import { int64 } from './values.ts';

type AggregationInit = MessageInitShape<typeof AggregateReply_Aggregations_AggregationSchema>;

export function aggregateReply(
  request: AggregateRequest,
  definition: ClassDefinition,
  database: Database,
): AggregateReply {
  const input = inputOf(request, definition, database);
  const wanted = request.aggregations.map((asked) => aggregationOf(asked, definition));
  const groups = prefixed('aggregate: ', () => runAggregate(database, definition, input));
  const messageOf = ({ objects, groupedBy }: Group) => {
    const aggregations = wanted.flatMap((read) => read(objects, groupedBy !== null) ?? []);
    return {
      ...(aggregations.length > 0 && { aggregations: { aggregations } }),
      objectsCount: BigInt(objects.length),
    };
  };
  if (!request.groupBy) {
    const [all = { groupedBy: null, objects: [] }] = groups;
    // Without `objectsCount`, Weaviate answers 0.
    const count = request.objectsCount ? {} : { objectsCount: 0n };
    return create(AggregateReplySchema, {
      result: { case: 'singleResult', value: { ...messageOf(all), ...count } },
    });
  }
  if (groups.length === 0) return create(AggregateReplySchema);
  const messages = groups.map((group) => ({ ...messageOf(group), groupedBy: groupedByOf(group) }));
  return create(AggregateReplySchema, { result: { case: 'groupedResults', value: { groups: messages } } });
}

/** Weaviate's default for the number of groups. */
const defaultGroups = 100;

function inputOf(request: AggregateRequest, definition: ClassDefinition, database: Database): AggregateInput {
  const { tenant, filters, groupBy, limit, objectLimit, search } = request;
  const given = search.case === undefined ? {} : ({ [search.case]: search.value } as GivenSearches);
  const where = filters && parsedFilters(filters, definition, database);
  return {
    ...searchOf(given, definition),
    ...(tenant !== '' && { tenant }),
    ...(where && { where }),
    ...(groupBy && { groupBy: [groupBy.property], limit: limit ?? defaultGroups }),
    ...(objectLimit !== undefined && { objectLimit }),
  };
}

function parsedFilters(filters: Filters, definition: ClassDefinition, database: Database): WhereInput {
  return prefixed('parse params: extract filters: ', () =>
    whereOf(filters, definition, (name) => database.schema.find(name)),
  );
}

function groupedByOf({
  groupedBy,
}: Group): MessageInitShape<typeof AggregateReply_Group_GroupedBySchema> | undefined {
  if (!groupedBy) return undefined;
  const { path, value, key } = groupedBy;
  if (typeof key === 'number') return { path, value: { case: 'number', value: key } };
  if (typeof key === 'boolean') return { path, value: { case: 'boolean', value: key } };
  if (typeof key === 'object' && key !== null && !('beacon' in key)) {
    throw unprocessable(
      'prepare reply: groupedBy: unrecognized grouped by value type: map[string]interface {}',
    );
  }
  return { path, value: { case: 'text', value } };
}

/** The property decides the kind of a summary, not the request. */
function aggregationOf(
  asked: AggregateRequest_Aggregation,
  definition: ClassDefinition,
): (objects: StoredObject[], isGroup: boolean) => AggregationInit | null {
  const name = asked.property;
  const property = findProperty(definition, name);
  const refuse = (reason: string) =>
    unprocessable(`aggregate: aggregate properties: property ${name}: ${reason}`);
  if (!property) throw refuse(`property ${name}: ${noSuchProperty(name, definition.class)}`);
  const { element } = kindOf(property);
  const summary = summaries[element];
  if (element === 'uuid' || element === 'blob') throw refuse(`unrecoginzed dataType ${element}`);
  if (!summary) throw refuse(`dataType ${element} can't be aggregated`);
  return (objects, isGroup) => {
    const aggregation = summary(objects, property, asked.aggregation, isGroup);
    return aggregation && { property: name, aggregation };
  };
}

type Asked = AggregateRequest_Aggregation['aggregation'];
type Summary = (
  objects: StoredObject[],
  property: PropertyDefinition,
  asked: Asked,
  isGroup: boolean,
) => NonNullable<AggregationInit['aggregation']> | null;

/** Weaviate sends the summaries of texts and booleans whole, whatever was requested. */
const summaries: Record<string, Summary> = {
  int: (objects, property, asked) => {
    const { count, mean, median, ...integers } = numericSummary(objects, property);
    const whole = Object.entries(integers).map(
      ([field, value]) => [field, value === null || value === undefined ? undefined : int64(value)] as const,
    );
    const all = { count: BigInt(count), mean, median, ...Object.fromEntries(whole) };
    return { case: 'int', value: requested(all, asked, property) };
  },
  number: (objects, property, asked) => {
    const { count, ...numbers } = numericSummary(objects, property);
    return { case: 'number', value: requested({ count: BigInt(count), ...numbers }, asked, property) };
  },
  date: (objects, property, asked) => {
    const { count, ...dates } = dateSummary(objects, property);
    return { case: 'date', value: requested({ count: BigInt(count), ...dates }, asked, property) };
  },
  text: (objects, property, asked) => {
    const limit = asked.case === 'text' ? asked.value.topOccurencesLimit : undefined;
    const items = topOccurrences(objects, property, limit);
    return {
      case: 'text',
      value: {
        count: BigInt(valuesOf(objects, property).length),
        type: typeOf(asked, property),
        ...(items.length > 0 && {
          topOccurences: {
            items: items.map(({ value, occurs }) => ({ value, occurs: BigInt(occurs) })),
          },
        }),
      },
    };
  },
  boolean: (objects, property, asked) => {
    const { count, totalTrue, totalFalse, percentageTrue, percentageFalse } = booleanSummary(
      objects,
      property,
    );
    return {
      case: 'boolean',
      value: {
        count: BigInt(count),
        type: typeOf(asked, property),
        totalTrue: BigInt(totalTrue),
        totalFalse: BigInt(totalFalse),
        percentageTrue: percentageTrue ?? Number.NaN,
        percentageFalse: percentageFalse ?? Number.NaN,
      },
    };
  },
  // Without its type, Weaviate leaves out a reference. In a group, it then names the objects.
  reference: (objects, property, asked, isGroup) => {
    if (asked.case === 'reference' && asked.value.type)
      return { case: 'reference', value: { type: 'cref', pointingTo: property.dataType } };
    if (!isGroup) return null;
    const beacons = valuesOf(objects, property).map((one) => String((one as { beacon: string }).beacon));
    return { case: 'reference', value: { type: '', pointingTo: [...new Set(beacons)] } };
  },
};

/**
 * The requested fields that have a value. With any of them comes a type, which is empty if it was not requested. The type
 * alone brings nothing.
 */
function requested(all: Record<string, unknown>, asked: Asked, property: PropertyDefinition): object {
  const names = Object.entries(asked.value ?? {}).flatMap(([name, isAsked]) =>
    isAsked === true ? name : [],
  );
  const fields = names.flatMap((name) => {
    const value = all[name];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(fields), ...(fields.length > 0 && { type: typeOf(asked, property) }) };
}

function typeOf(asked: Asked, { dataType }: PropertyDefinition): string {
  const isAsked = asked.value !== undefined && 'type' in asked.value && asked.value.type === true;
  return isAsked ? (dataType[0] ?? '') : '';
}
