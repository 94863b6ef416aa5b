import { createHash } from 'node:crypto';
import {
  DriverError,
  type Json,
  type Loss,
  rowsLost,
  type TableLoss,
  type Written,
} from '@trestle/driver-kit';
import type { WeaviateClient } from './client.ts';
import { countMatches } from './count-matches.ts';
import type { ObjectQueries } from './requests/model/objects.ts';
import type { RestLine } from './rest-line.ts';
import type { Collection } from './schema.ts';
import { foldCase, member } from './strict-json.ts';
import { listTenants } from './tenants.ts';

interface Server {
  client: WeaviateClient;
  queries: ObjectQueries;
  collections: Collection[];
  signal: AbortSignal;
}

/**
 * Counts the existing objects that a request would change or delete, without sending it. A request to change or
 * delete one object of a given collection counts 1, even if the object does not exist. Each object to which a batch
 * adds references also counts 1.
 */
export async function lossOf(server: Server, line: RestLine): Promise<Loss> {
  const tables = await tablesLost(server, line);
  return { tables, cascades: false, schema: schemaDigest(server.collections) };
}

/**
 * The objects that a request writes, before the server answers. Each object of a batch that does not exist counts as a
 * new one, also if the server then refuses it. A new collection, property or tenant counts as one new row.
 */
export function writtenBy({ method, segments, body, effect }: RestLine, { tables }: Loss): Written {
  const changed = rowsLost(tables) ?? 0;
  if (effect === 'read' || method !== 'POST') return { changed, inserted: 0 };
  const [root, first, second] = segments;
  if (root === 'batch' && first === 'objects') {
    const objects = member(body?.value, 'objects');
    return { changed, inserted: Math.max(0, (Array.isArray(objects) ? objects.length : 0) - changed) };
  }
  if (root === 'schema' && second === 'tenants') {
    return { changed, inserted: Array.isArray(body?.value) ? body.value.length : 1 };
  }
  const creates = (root === 'objects' || root === 'schema') && changed === 0;
  return { changed, inserted: creates ? 1 : 0 };
}

async function tablesLost(server: Server, line: RestLine): Promise<TableLoss[]> {
  const { method, segments, body } = line;
  if (line.effect === 'read') return [];
  const [root, first, second, ...deeper] = segments;
  const place = `${method} ${root}/${segments.length}`;
  switch (place) {
    case 'DELETE schema/2':
      return wholeCollection(server, collectionName(first!));
    case 'DELETE schema/3':
      return second === 'tenants'
        ? tenantsLost(server, collectionName(first!), body?.value)
        : [unknown(line)];
    case 'POST schema/1':
    case 'POST objects/1':
      // The server refuses to create a collection or an object that exists.
      return [];
    case 'POST schema/3':
      return line.effect === 'write' ? [] : [unknown(line)];
    case 'DELETE objects/2':
      return everywhere(server, first!);
    case 'PUT objects/2':
    case 'PATCH objects/2':
      return oneObject(line, String(member(body?.value, 'class') ?? ''));
    case 'DELETE batch/2':
      return first === 'objects' ? [await matchesLost(server, line)] : [unknown(line)];
    case 'POST batch/2':
      if (first === 'references') return referring(body?.value);
      return first === 'objects' ? overwritten(server, body?.value) : [unknown(line)];
  }
  const isObject = root === 'objects' && (segments.length === 3 || deeper[0] === 'references');
  return line.effect === 'write' && isObject ? oneObject(line, first!) : [unknown(line)];
}

/** A PUT or PATCH of an object names its tenant in the body. Other requests for one object name it in the query. */
function oneObject({ method, segments, query, body }: RestLine, collection: string): TableLoss[] {
  const isInBody = method !== 'DELETE' && segments.length <= 3;
  const tenant = isInBody ? member(body?.value, 'tenant') : query.tenant;
  return [
    {
      table: collectionName(collection),
      ...(typeof tenant === 'string' && { partition: tenant }),
      rows: 1,
    },
  ];
}

function unknown({ path }: RestLine): TableLoss {
  return { table: path, rows: null };
}

/** The objects of an inactive tenant cannot be counted. So each inactive tenant has its own entry, without a count. */
async function wholeCollection(server: Server, table: string): Promise<TableLoss[]> {
  const collection = server.collections.find(({ name }) => name === table);
  const { client, signal } = server;
  if (!collection?.multiTenant) return [{ table, rows: await countMatches(server, { table, where: null }) }];
  const tenants = await listTenants(client, collection, signal);
  const active = tenants.filter(({ unavailable }) => unavailable === undefined);
  const counts = await Promise.all(
    active.map(({ name }) => countMatches(server, { table, where: null, tenant: name })),
  );
  const closed = tenants.filter(({ unavailable }) => unavailable !== undefined);
  return [
    { table, rows: total(counts) },
    ...closed.map(({ name }) => ({ table, partition: name, rows: null })),
  ];
}

async function tenantsLost(server: Server, table: string, body: Json | undefined): Promise<TableLoss[]> {
  if (!Array.isArray(body)) return [{ table, rows: null }];
  return Promise.all(
    [...new Set(body.map(String))].map(async (tenant) => ({
      table,
      partition: tenant,
      rows: await countMatches(server, { table, where: null, tenant }),
    })),
  );
}

async function matchesLost(server: Server, { query, body }: RestLine): Promise<TableLoss> {
  const match = member(body?.value, 'match');
  const table = collectionName(String(member(match, 'class') ?? ''));
  const { tenant } = query;
  const rows = await countMatches(server, { table, where: member(match, 'where') ?? null, tenant });
  return { table, ...(tenant !== undefined && { partition: tenant }), rows };
}

/** For a delete by uuid without a class, the server deletes the objects with this uuid in all collections. */
async function everywhere(server: Server, id: string): Promise<TableLoss[]> {
  const found = await Promise.all(
    server.collections.map(async ({ name, multiTenant }): Promise<TableLoss[]> => {
      if (multiTenant) return [{ table: name, rows: null }];
      const there = await exists(server, { table: name, id });
      return there === false ? [] : [{ table: name, rows: there ? 1 : null }];
    }),
  );
  return found.flat();
}

/** A batch silently overwrites an object whose id exists. */
async function overwritten(server: Server, body: Json | undefined): Promise<TableLoss[]> {
  const objects = member(body, 'objects');
  if (!Array.isArray(objects)) return [];
  const given = new Map<string, { table: string; id: string; tenant?: string }>();
  for (const object of objects) {
    const [id, tenant] = [member(object, 'id'), member(object, 'tenant')];
    if (typeof id !== 'string') continue;
    const one = {
      table: collectionName(String(member(object, 'class') ?? '')),
      id: foldCase(id),
      ...(typeof tenant === 'string' && { tenant }),
    };
    given.set(JSON.stringify(one), one);
  }
  const wanted = [...given.values()];
  const there: (boolean | null)[] = new Array(wanted.length).fill(null);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < wanted.length; index = next++) {
      there[index] = await exists(server, wanted[index]!);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return byTable(wanted.map(({ table }, index) => ({ table, rows: count(there[index]!) })));
}

function count(there: boolean | null): number | null {
  return there === null ? null : Number(there);
}

/** A reference changes the object that it starts from: `weaviate://localhost/Article/<uuid>/author`. */
function referring(body: Json | undefined): TableLoss[] {
  const sources = (Array.isArray(body) ? body : []).map((one) => {
    const [, name = '', id = ''] =
      /^weaviate:\/\/[^/]*\/([^/]+)\/([^/]+)\//i.exec(String(member(one, 'from'))) ?? [];
    return JSON.stringify([collectionName(name), foldCase(id), member(one, 'tenant') ?? null]);
  });
  return byTable([...new Set(sources)].map((one) => ({ table: (JSON.parse(one) as [string])[0], rows: 1 })));
}

function byTable(rows: TableLoss[]): TableLoss[] {
  const tables = Map.groupBy(rows, ({ table }) => table);
  return [...tables].map(([table, all]) => ({ table, rows: total(all.map((one) => one.rows)) }));
}

/** Null if the server does not say whether the object exists. */
async function exists(
  { client, signal }: Server,
  { table, id, tenant }: { table: string; id: string; tenant?: string },
): Promise<boolean | null> {
  try {
    const path = `/v1/objects/${encodeURIComponent(table)}/${encodeURIComponent(id)}`;
    const { status } = await client.send({
      method: 'HEAD',
      path,
      query: { tenant },
      ceiling: 'read',
      signal,
    });
    if (status === 204 || status === 200) return true;
    // 422: the id is not a uuid, or there is no such collection or tenant. So there is no such object.
    return status === 404 || status === 422 ? false : null;
  } catch (error) {
    if (error instanceof DriverError && error.code === 'cancelled') throw error;
    return null;
  }
}

function total(counts: (number | null)[]): number | null {
  return counts.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}

/** The name as the server stores it: with a capital first letter. The server accepts `article` for `Article`. */
export function collectionName(given: string): string {
  return given.slice(0, 1).toUpperCase() + given.slice(1);
}

function schemaDigest(collections: Collection[]): string {
  const text = JSON.stringify(collections.map(({ name, definition }) => [name, definition]));
  return createHash('sha256').update(text).digest('base64url');
}
