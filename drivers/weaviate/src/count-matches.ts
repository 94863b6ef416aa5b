import { DriverError, type Json } from '@trestle/driver-kit';
import type { WeaviateClient } from './client.ts';
import { checkName, EnumLiteral, type Literal, printArguments } from './literal.ts';
import { foldCase } from './strict-json.ts';

/**
 * Counts the objects that the filter of a REST body matches, or all objects if `where` is null. Returns null if they
 * cannot be counted. The count is a read. The server's own `dryRun` is not used: it is the delete request with one more
 * key, and a server that ignored the key would delete.
 */
export async function countMatches(
  client: WeaviateClient,
  { table, where, tenant }: { table: string; where: Json; tenant?: string | undefined },
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const given = printArguments({ where: where === null ? undefined : filterLiteral(where), tenant });
    const query = `{ Aggregate { ${checkName(table)}${given && `(${given})`} { meta { count } } } }`;
    const data = (await client.graphqlData(query, signal)) as {
      Aggregate?: { [name: string]: { meta?: { count?: number } }[] };
    };
    return data.Aggregate?.[table]?.[0]?.meta?.count ?? null;
  } catch (error) {
    if (error instanceof DriverError && error.code === 'cancelled') throw error;
    return null;
  }
}

/** The filter of a REST body as GraphQL writes it. */
function filterLiteral(filter: Json): Literal {
  if (Array.isArray(filter)) return filter.map(filterLiteral);
  if (filter === null) throw new RangeError('A filter has no null');
  if (typeof filter !== 'object') return filter;
  return Object.fromEntries(
    Object.entries(filter).map(([key, value]) => {
      const name = filterKeys.find((known) => foldCase(known) === foldCase(key).replace(/array$/, '')) ?? key;
      return [name, name === 'operator' ? new EnumLiteral(checkName(String(value))) : filterLiteral(value)];
    }),
  );
}

const filterKeys = [
  'operator',
  'operands',
  'path',
  'valueText',
  'valueString',
  'valueInt',
  'valueNumber',
  'valueBoolean',
  'valueDate',
  'valueGeoRange',
  'geoCoordinates',
  'latitude',
  'longitude',
  'distance',
  'max',
];
