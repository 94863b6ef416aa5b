import { type Classification, DriverError, type Json } from '@trestle/driver-kit';
import type { WeaviateClient } from './client.ts';
import { checkName, EnumLiteral, type Literal, printArguments } from './literal.ts';
import type { RestLine } from './rest-line.ts';

/** What a request that destroys takes away, as far as it can be told without doing it. */
export async function lossOf(
  client: WeaviateClient,
  { method, path, body }: RestLine,
  signal: AbortSignal,
): Promise<Classification['loses']> {
  const [route = '', query] = path.split('?');
  if (method !== 'DELETE') return undefined;
  const collection = /^\/v1\/schema\/([^/]+)$/.exec(route)?.[1];
  if (collection !== undefined) return { table: decodeURIComponent(collection) };
  if (route !== '/v1/batch/objects' || body === undefined) return undefined;
  const { match } = JSON.parse(body) as { match?: { class?: Json; where?: Json } };
  if (typeof match?.class !== 'string') return undefined;
  const tenant = new URLSearchParams(query).get('tenant') ?? undefined;
  const rows = await countMatches(client, match.class, match.where ?? null, tenant, signal);
  return { table: match.class, ...(rows !== null && { rows }) };
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

function filterLiteral(filter: Json): Literal {
  if (Array.isArray(filter)) return filter.map(filterLiteral);
  if (filter === null) throw new RangeError('A filter has no null');
  if (typeof filter !== 'object') return filter;
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [
      name,
      name === 'operator' ? new EnumLiteral(checkName(String(value))) : filterLiteral(value),
    ]),
  );
}
