import { type Classification, DriverError, type Json } from '@trestle/driver-kit';
import type { WeaviateClient } from './client.ts';
import { checkName, EnumLiteral, type Literal, printArguments } from './literal.ts';
import type { RestLine } from './rest-line.ts';
import { foldCase, member } from './strict-json.ts';

/** What a request that destroys takes away, as far as it can be told without doing it. */
export async function lossOf(
  client: WeaviateClient,
  { method, segments, query, body }: RestLine,
  signal: AbortSignal,
): Promise<Classification['loses']> {
  if (method !== 'DELETE') return undefined;
  const [root, name, ...deeper] = segments;
  if (root === 'schema' && name !== undefined && deeper.length === 0) return { table: collectionName(name) };
  if (segments.join('/') !== 'batch/objects') return undefined;
  const match = member(body?.value, 'match');
  const given = member(match, 'class');
  if (typeof given !== 'string') return undefined;
  const table = collectionName(given);
  const rows = await countMatches(client, table, member(match, 'where') ?? null, query.tenant, signal);
  return { table, ...(rows !== null && { rows }) };
}

/** The server takes `article` for `Article`. */
function collectionName(given: string): string {
  return given.slice(0, 1).toUpperCase() + given.slice(1);
}

/** A read, unlike the server's own `dryRun`, which is the deleting request with one word more. */
async function countMatches(
  client: WeaviateClient,
  collection: string,
  where: Json,
  tenant: string | undefined,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const given = printArguments({ where: filterLiteral(where), tenant });
    const query = `{ Aggregate { ${checkName(collection)}(${given}) { meta { count } } } }`;
    const data = (await client.graphqlData(query, signal)) as {
      Aggregate?: { [name: string]: { meta?: { count?: number } }[] };
    };
    return data.Aggregate?.[collection]?.[0]?.meta?.count ?? null;
  } catch (error) {
    if (error instanceof DriverError && error.code === 'cancelled') throw error;
    // What cannot be counted is shown without a number.
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
