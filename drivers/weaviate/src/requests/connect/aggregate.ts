import {
  type AggregateReply,
  type AggregateRequest,
  AggregateRequestSchema,
  type AggregateReply_Aggregations_Aggregation as AggregationReply,
  type AggregateRequest_AggregationSchema as AggregationSchema,
  connectPath,
  create,
  type AggregateReply_Group as GroupReply,
  type MessageInitShape,
} from '@trestle/weaviate-connect';
import { wrongAnswer } from '../../answer-shape.ts';
import { type AggregateQuery, type FoundAggregate, topOccurrences } from '../model/aggregate.ts';
import { filtersMessage } from './write-filters.ts';

type Values = FoundAggregate['values'] extends Map<string, infer One> ? One : never;

export function aggregateMessage(
  { where, by, groups, measured }: AggregateQuery,
  { collection, tenant }: { collection: string; tenant: string | undefined },
): AggregateRequest {
  return create(AggregateRequestSchema, {
    collection,
    tenant: tenant ?? '',
    objectsCount: true,
    ...(where && { filters: filtersMessage(where) }),
    ...(by && { groupBy: { collection, property: by.name }, limit: groups }),
    aggregations: measured.map(aggregationMessage),
  });
}

function aggregationMessage({
  property,
  members,
}: AggregateQuery['measured'][number]): MessageInitShape<typeof AggregationSchema> {
  const { elementType } = property;
  const value = Object.fromEntries(
    members.map((member) => [member === 'topOccurrences' ? 'topOccurences' : member, true]),
  );
  if (members.includes('topOccurrences')) Object.assign(value, { topOccurencesLimit: topOccurrences });
  return { property: property.name, aggregation: { case: elementType as 'int', value } };
}

export function readAggregate(result: AggregateReply['result'], { by }: AggregateQuery): FoundAggregate[] {
  if (result.case === 'groupedResults') return result.value.groups.map(foundGroup);
  // Without a match, a grouped answer has no result.
  if (result.case === undefined && by) return [];
  if (result.case === undefined) throw wrongAnswer(connectPath('Aggregate'));
  return [foundGroup({ ...result.value, groupedBy: undefined })];
}

function foundGroup({
  objectsCount,
  aggregations,
  groupedBy,
}: Pick<GroupReply, 'objectsCount' | 'aggregations' | 'groupedBy'>): FoundAggregate {
  if (objectsCount === undefined) throw wrongAnswer(connectPath('Aggregate'));
  const value = groupedBy?.value.value;
  return {
    value: typeof value === 'bigint' ? Number(value) : ((value ?? null) as FoundAggregate['value']),
    objects: Number(objectsCount),
    values: new Map((aggregations?.aggregations ?? []).map((one) => [one.property, valuesOf(one)])),
  };
}

function valuesOf({ aggregation }: AggregationReply): Values {
  if (aggregation.case === undefined || aggregation.case === 'reference') return {};
  const { $typeName: _, $unknown: __, ...members } = aggregation.value;
  if (!('topOccurences' in members)) return members;
  const { topOccurences, ...others } = members;
  const items = topOccurences?.items ?? [];
  return {
    ...others,
    topOccurrences: items.map((one) => ({ value: one.value, occurs: Number(one.occurs) })),
  };
}
