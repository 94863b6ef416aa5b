import type { Json } from '@trestle/driver-kit';
import { isRecord, type JsonRecord, wrongAnswer } from '../../answer-shape.ts';
import type { Property } from '../../schema.ts';
import { type AggregateQuery, type FoundAggregate, topOccurrences } from '../model/aggregate.ts';
import { checkName, printArguments } from './literal.ts';
import { whereLiteral } from './where-literal.ts';

export function aggregateQuery(
  { where, by, groups, measured }: AggregateQuery,
  { collection, tenant }: { collection: string; tenant: string | undefined },
): string {
  const given = printArguments({
    where: where ? whereLiteral(where) : undefined,
    ...(by && { groupBy: [by.name], limit: groups }),
    tenant,
  });
  const fields = measured.map(({ property, members }) => {
    const selected = members.map((member) =>
      member === 'topOccurrences' ? `topOccurrences(limit: ${topOccurrences}) { value occurs }` : member,
    );
    return `${checkName(property.name)} { ${selected.join(' ')} }`;
  });
  const selection = ['meta { count }', ...(by ? ['groupedBy { value }'] : []), ...fields].join(' ');
  return `{ Aggregate { ${checkName(collection)}${given && `(${given})`} { ${selection} } } }`;
}

export function readAggregate(group: JsonRecord, { by, measured }: AggregateQuery): FoundAggregate {
  const { meta, groupedBy } = group;
  const count = isRecord(meta) ? meta.count : undefined;
  // A missing count must not be shown as 0.
  if (typeof count !== 'number') throw wrongAnswer('/v1/graphql');
  const value = isRecord(groupedBy) ? (groupedBy.value ?? null) : null;
  return {
    value: by ? typedValue(value, by) : null,
    objects: count,
    values: new Map(
      measured.map(({ property }) => {
        const found = group[property.name];
        const known = Object.entries(isRecord(found) ? found : {}).filter(([, member]) => member !== null);
        return [property.name, Object.fromEntries(known)];
      }),
    ),
  };
}

/** GraphQL sends the value of a group as text. */
function typedValue(value: Json, { elementType }: Property): Json {
  if (typeof value !== 'string') return value;
  if (elementType === 'int' || elementType === 'number') return Number(value);
  return elementType === 'boolean' ? value === 'true' : value;
}
