import { DriverError } from '@trestle/driver-kit';
import { isRecord, namedRecordsOf, wrongAnswer } from './answer-shape.ts';
import type { WeaviateObject } from './cells.ts';
import { silence, type WeaviateClient } from './client.ts';
import type { GridColumn } from './columns.ts';
import { tenantHint } from './failure.ts';
import type { PagingDepth } from './paging-depth.ts';
import type { AggregateQuery, FoundAggregate } from './requests/model/aggregate.ts';
import type {
  FoundGroup,
  FoundObject,
  GroupsRequest,
  ObjectQueries,
  ObjectsRequest,
  SortKey,
} from './requests/model/objects.ts';
import type { Where } from './requests/model/where.ts';
import type { Collection } from './schema.ts';
import { sharedItems } from './shared-items.ts';

/** Reads objects of one collection (and tenant). */
export class CollectionReader {
  readonly client: WeaviateClient;
  readonly collection: Collection;
  readonly tenant: string | undefined;
  readonly signal: AbortSignal;
  readonly depth: PagingDepth;
  readonly queries: ObjectQueries;
  /** Whether a search or a write by this reader carries the keys of model providers. Its reads never do. */
  readonly providerKeys: boolean;

  constructor(
    client: WeaviateClient,
    collection: Collection,
    at: {
      tenant: string | undefined;
      signal: AbortSignal;
      depth: PagingDepth;
      queries: ObjectQueries;
      providerKeys?: boolean;
    },
  ) {
    const { tenant, signal, depth, queries, providerKeys = false } = at;
    if (collection.multiTenant && tenant === undefined) {
      throw new DriverError({
        code: 'invalid_argument',
        message: `${collection.name} keeps its objects by tenant, and no tenant was named`,
        hint: tenantHint,
      });
    }
    this.client = client;
    this.collection = collection;
    // The server rejects a tenant on a collection without multi-tenancy.
    this.tenant = collection.multiTenant ? tenant : undefined;
    this.signal = signal;
    this.depth = depth;
    this.queries = queries;
    this.providerKeys = providerKeys;
  }

  /** A reader of the same collection and tenant, with another signal. */
  within(signal: AbortSignal): CollectionReader {
    const { tenant, depth, queries, providerKeys } = this;
    const at = { tenant, depth, queries, signal, providerKeys };
    return new CollectionReader(this.client, this.collection, at);
  }

  /**
   * Reads a page with `work`. If the page ends past the paging limit, `work` gets a smaller page. If the page starts past
   * the paging limit, throws. Returns the result, and how many rows `work` was asked for.
   */
  deep<T>(page: { offset: number; limit: number }, work: (limit: number) => Promise<T>) {
    return this.depth.read(page, work, (row) => this.list({ limit: 1, offset: row - 1, withVectors: false }));
  }

  /** A page in ascending uuid order, from `offset` or after the uuid in `after`. */
  async list(page: ListedPage): Promise<WeaviateObject[]> {
    return this.parseList(await this.listText(page));
  }

  /** A page as `list` reads it, with the vectors of these columns. */
  async listWithVectors(
    page: Omit<ListedPage, 'withVectors'>,
    columns: GridColumn[],
  ): Promise<WeaviateObject[]> {
    if (!(await this.queries.readsVectorsFast(this.signal))) return this.list({ ...page, withVectors: true });
    const objects = await this.list({ ...page, withVectors: false });
    return this.withTheirVectors(objects, columns);
  }

  /** Adds vectors to objects that were read without them. */
  async withTheirVectors(objects: WeaviateObject[], columns: GridColumn[]): Promise<WeaviateObject[]> {
    const ids = objects.map(({ id }) => id);
    const full = await this.readVectors(ids, columns);
    return objects.map((object, index) => ({
      ...object,
      vector: full[index]?.vector,
      vectors: full[index]?.vectors ?? null,
    }));
  }

  parseList(text: string): WeaviateObject[] {
    const path = '/v1/objects';
    const answer = this.client.parse(text);
    if (!isRecord(answer)) throw wrongAnswer(path);
    return namedRecordsOf(answer.objects, 'id', path) as unknown as WeaviateObject[];
  }

  async listText(page: ListedPage): Promise<string> {
    try {
      return await this.#listText(page);
    } catch (error) {
      if (!(error instanceof DriverError) || error.code !== 'not_found') throw error;
      // The schema named this collection. So it was deleted since, or a cluster node has just started: such a node
      // answers 404 until it has read its data.
      throw new DriverError({
        code: 'not_found',
        message: `The server does not find the collection "${this.collection.name}"`,
        hint: 'It was deleted, or the server has just started. Refresh, and try again.',
      });
    }
  }

  #listText(page: ListedPage): Promise<string> {
    return this.client.text({
      method: 'GET',
      path: '/v1/objects',
      query: {
        class: this.collection.name,
        limit: page.limit,
        offset: page.offset || undefined,
        after: page.after,
        tenant: this.tenant,
        include: page.withVectors ? 'vector' : undefined,
      },
      ceiling: 'read',
      signal: this.signal,
      silenceMs: silence.pageMs,
    });
  }

  /** Null if the answer is a 404, which does not prove that the object is missing: see `readSurely`. */
  async read(id: string, withVectors: boolean): Promise<WeaviateObject | null> {
    const path = objectPath(this.collection, id);
    try {
      const answer = await this.client.json({
        method: 'GET',
        path,
        query: { tenant: this.tenant, include: withVectors ? 'vector' : undefined },
        ceiling: 'read',
        signal: this.signal,
      });
      if (!isRecord(answer) || typeof answer.id !== 'string') throw wrongAnswer(path);
      if (answer.id.toLowerCase() !== id.toLowerCase()) throw wrongAnswer(path);
      return answer as unknown as WeaviateObject;
    } catch (error) {
      if (error instanceof DriverError && error.code === 'not_found') return null;
      throw error;
    }
  }

  /** Reads many objects, a few requests at a time. The result is in the order of the ids. */
  async readAll(ids: string[], withVectors: boolean): Promise<(WeaviateObject | null)[]> {
    const objects: (WeaviateObject | null)[] = new Array(ids.length).fill(null);
    const waiting = sharedItems(ids.entries());
    const worker = async () => {
      for (const [index, id] of waiting) objects[index] = await this.read(id, withVectors);
    };
    await Promise.all(Array.from({ length: Math.min(8, ids.length) }, worker));
    return objects;
  }

  /** The objects with the vectors of these columns. The result is in the order of the ids. */
  async readVectors(ids: string[], columns: GridColumn[]): Promise<(WeaviateObject | null)[]> {
    const names = vectorsOf(columns);
    const found = new Map<string, WeaviateObject>();
    for (let start = 0; start < ids.length; ) {
      const read = (limit: number) => this.queries.readVectors(this, ids.slice(start, start + limit), names);
      const wanted = Math.min(mostVectors, ids.length - start);
      const { result, limit } = await this.deep({ offset: 0, limit: wanted }, read);
      for (const object of result) found.set(object.id, object);
      start += limit;
    }
    return ids.map((id) => found.get(id.toLowerCase()) ?? null);
  }

  /** The objects of a page with a filter or a sort, or those that a search finds. */
  find({ columns, ...request }: FindRequest): Promise<FoundObject[]> {
    const properties = columns.flatMap(({ source }) => (source.kind === 'property' ? [source.property] : []));
    return this.queries.find(this, { ...request, properties, vectors: vectorsOf(columns) });
  }

  findGroups(request: GroupsRequest): Promise<FoundGroup[]> {
    return this.queries.findGroups(this, request);
  }

  count(where: Where | null): Promise<number> {
    return this.queries.count(this, where);
  }

  aggregate(query: AggregateQuery): Promise<FoundAggregate[]> {
    return this.queries.aggregate(this, query);
  }
}

function vectorsOf(columns: GridColumn[]): (string | null)[] {
  return columns.flatMap(({ source }) => (source.kind === 'vector' ? [source.name] : []));
}

/** The server limits the size of an answer: a hundred vectors of 1,536 floats are 1.2 MB if they have no name. */
const mostVectors = 200;

type FindRequest = Omit<ObjectsRequest, 'properties' | 'vectors'> & { columns: GridColumn[] };

interface ListedPage {
  limit: number;
  offset?: number;
  after?: string;
  withVectors: boolean;
}

export function objectPath(collection: Collection, id: string): string {
  return `/v1/objects/${collection.name}/${encodeURIComponent(id)}`;
}

/** Shards break ties in any order. Sorting by uuid last gives one stable order. */
export function inStableOrder(sort: SortKey[]): SortKey[] {
  return sort.some(({ path }) => path === '_id') ? sort : [...sort, { path: '_id', order: 'asc' }];
}
