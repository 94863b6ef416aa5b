import {
  type ActStep,
  type Aggregated,
  type AggregateRequest,
  type BrowseRequest,
  type Call,
  type ChangeOutcome,
  type ChangeSet,
  type CreateTableRequest,
  type DescribedTables,
  type Design,
  type DesignForm,
  type DesignPlan,
  type DesignSource,
  DriverError,
  type DriverLogEntry,
  type EditorSchema,
  type ExportRequest,
  type FindReferencesRequest,
  type Health,
  type ImportRequest,
  type MeasureRequest,
  type Outbound,
  type Page,
  type Partition,
  type PlanRequest,
  type ReadCellsRequest,
  type ReadReferencesRequest,
  type ReferenceTarget,
  type RequestCode,
  type RowSet,
  type RunRequest,
  type SampleRequest,
  type SaveReport,
  type SaveRequest,
  type SearchRequest,
  type ServerInfo,
  type Session,
  type SettleRequest,
  type ShownRequest,
  type StepRequest,
  type TableStructure,
  useOf,
} from '@trestle/driver-kit';
import { aggregate } from './aggregate.ts';
import { browse, exportRows, filterOf } from './browse.ts';
import { changeMark } from './change-mark.ts';
import type { WeaviateClient } from './client.ts';
import { CollectionReader } from './collection-reader.ts';
import { chooseColumns } from './columns.ts';
import { createCollection } from './create-collection.ts';
import { describeCollection } from './describe.ts';
import { Designs } from './design/plan.ts';
import { editorRequests } from './editor-requests.ts';
import { editorSdl } from './editor-sdl.ts';
import { pageGuard } from './guarded-page.ts';
import { checkHealth } from './health.ts';
import { BatchSize, importRows } from './import-rows.ts';
import { mayCarryKeys } from './key-rights.ts';
import { KnownSchema } from './known-schema.ts';
import { assertTenant } from './new-names.ts';
import type { FilterContext } from './operators.ts';
import { PagingDepth } from './paging-depth.ts';
import { findReferences, readReferences, type TargetReaders } from './references.ts';
import { OfferedQueries } from './requests/offered-queries.ts';
import { rowSetOf } from './row-set.ts';
import { classify, convertStatement, measure, run, type Server } from './run.ts';
import { sampleRows } from './sample-rows.ts';
import { saveChanges } from './save.ts';
import { type Collection, findCollection } from './schema.ts';
import { search } from './search.ts';
import { callsModule } from './searches.ts';
import { SecretCells } from './secret-cells.ts';
import { settleChanges } from './settle-changes.ts';
import { showRequest } from './show-request/show-request.ts';
import { structureOf } from './structure.ts';
import { activateTenant, listTenants, namingTenants } from './tenants.ts';
import { previewChanges } from './write-request.ts';

/** The mark of a collection with more tenants would take too many requests. */
const maxMarkedTenants = 16;

export class WeaviateSession implements Session {
  readonly server: ServerInfo;
  readonly #client: WeaviateClient;
  readonly #log: (entry: DriverLogEntry) => void;
  readonly #depth = new PagingDepth();
  readonly #batchSize = new BatchSize();
  readonly #queries: OfferedQueries;
  readonly #schema: KnownSchema;
  #closed = false;

  constructor(client: WeaviateClient, server: ServerInfo, log: (entry: DriverLogEntry) => void) {
    this.#client = client;
    this.#queries = new OfferedQueries(client);
    this.#schema = new KnownSchema(client);
    this.server = server;
    this.#log = log;
  }

  async health({ signal }: Call): Promise<Health> {
    return checkHealth(this.#open(signal), this.#queries, signal);
  }

  async listTables({ signal }: Call) {
    const collections = await this.#collections(signal, { fresh: true });
    return collections.map(({ name, description, multiTenant }) => ({
      name,
      kind: 'collection' as const,
      ...(multiTenant && { partitioned: true }),
      ...(description && { comment: description }),
      dropText: `DELETE /v1/schema/${name}`,
    }));
  }

  async describeTable(table: string, { signal }: Call) {
    return describeCollection(await this.#context(table, signal));
  }

  async describeTables({ limit }: { limit: number }, { signal }: Call): Promise<DescribedTables> {
    const collections = await this.#collections(signal, { fresh: true });
    const tables = collections
      .slice(0, limit)
      .map((collection) => describeCollection(this.#contextOf(collection)));
    return { tables, total: collections.length };
  }

  async browse(request: BrowseRequest, { signal }: Call): Promise<Page> {
    const context = await this.#context(request.table, signal);
    const guard = pageGuard(request, context.collection);
    const page = await this.#withReader(context, { partition: request.partition, signal }, (reader) =>
      browse(reader, request, context),
    );
    return { ...page, rows: guard(page.rows) };
  }

  async count(request: Parameters<Session['count']>[0], { signal }: Call): Promise<number> {
    const context = await this.#context(request.table, signal);
    pageGuard(request, context.collection);
    return this.#withReader(context, { partition: request.partition, signal }, (reader) =>
      reader.count(filterOf(request, context)),
    );
  }

  async aggregate(request: AggregateRequest, { signal }: Call): Promise<Aggregated> {
    const context = await this.#context(request.table, signal);
    const aggregated = [...request.by.map((column) => ({ column })), ...request.measured];
    const guard = pageGuard({ ...request, aggregated }, context.collection);
    const found = await this.#withReader(context, { partition: request.partition, signal }, (reader) =>
      aggregate(reader, request, context),
    );
    return { ...found, rows: guard(found.rows) };
  }

  async readCells(request: ReadCellsRequest, { signal }: Call): Promise<RowSet> {
    const context = await this.#context(request.table, signal);
    const columns = chooseColumns(context.collection, request.columns);
    const reader = this.#reader(context, request.partition, signal);
    const withVectors = columns.some(({ source }) => source.kind === 'vector');
    const ids = request.keys.map((key) => String(key.uuid ?? ''));
    const guard = pageGuard(request, context.collection);
    const onlyVectors = withVectors && columns.every(({ source }) => source.kind !== 'property');
    const objects = await (onlyVectors ? reader.readVectors(ids, columns) : reader.readAll(ids, withVectors));
    return guard(
      rowSetOf(
        objects.filter((object) => object !== null),
        columns,
      ),
    );
  }

  async search(request: SearchRequest, { signal }: Call): Promise<Page> {
    const { table, partition, outbound } = request;
    const fresh = outbound !== 'user' && callsModule(request);
    const context = await this.#context(table, signal, { fresh });
    const guard = pageGuard(request, context.collection);
    const providerKeys =
      callsModule(request) && mayCarryKeys(this.#open().keys, [context.collection], outbound);
    const page = await this.#withReader(context, { partition, signal, providerKeys }, (reader) =>
      search(reader, request, context),
    );
    return { ...page, rows: guard(page.rows) };
  }

  async showRequest(shown: ShownRequest, { signal }: Call): Promise<RequestCode[]> {
    const context = await this.#context(shown.request.table, signal);
    const { place } = this.#open(signal);
    return showRequest(shown, context, { place, offersConnect: await this.#queries.offersConnect(signal) });
  }

  async convertStatement(text: string, { signal }: Call): Promise<RequestCode[]> {
    return convertStatement(this.#server(signal), text);
  }

  async *exportRows(request: ExportRequest, { signal }: Call): AsyncGenerator<RowSet> {
    const context = await this.#context(request.table, signal, { fresh: true });
    const guard = pageGuard(request, context.collection);
    const batches = exportRows(this.#reader(context, request.partition, signal), request, context);
    for await (const rows of batches) yield guard(rows);
  }

  async *sampleRows(request: SampleRequest, { signal }: Call): AsyncGenerator<RowSet> {
    const context = await this.#context(request.table, signal, { fresh: true });
    const guard = pageGuard(request, context.collection);
    const batches = sampleRows(this.#reader(context, request.partition, signal), request, context);
    for await (const rows of batches) yield guard(rows);
  }

  async listPartitions(table: string, { signal }: Call): Promise<Partition[]> {
    const { collection } = await this.#context(table, signal);
    const tenants = await listTenants(this.#open(), collection, signal);
    return tenants.map(({ state: _, ...partition }) => partition);
  }

  async changeMark(table: string, { signal }: Call): Promise<string | null> {
    const context = await this.#context(table, signal);
    if (!context.collection.multiTenant) return changeMark(this.#reader(context, undefined, signal));
    const tenants = await listTenants(this.#open(), context.collection, signal);
    // An unread tenant closes all columns, so only the tenants that can be read need a mark.
    const open = tenants.filter(({ unavailable }) => unavailable === undefined);
    if (open.length > maxMarkedTenants) return null;
    const marks: (string | null)[] = [];
    for (const { name } of open) marks.push(await changeMark(this.#reader(context, name, signal)));
    return marks.includes(null) ? null : JSON.stringify([tenants, marks]);
  }

  async activatePartition({ table, partition }: { table: string; partition: string }, { signal }: Call) {
    const { collection } = await this.#context(table, signal);
    await activateTenant(this.#open(), collection, partition, signal);
  }

  async designForm({ signal }: Call): Promise<DesignForm> {
    return this.#designs(signal).form();
  }

  async readDesign(source: DesignSource, { signal }: Call): Promise<Design> {
    return this.#designs(signal).read(source);
  }

  async planDesign(request: PlanRequest, { signal }: Call): Promise<DesignPlan> {
    return this.#designs(signal).plan(request);
  }

  async nextStep(request: StepRequest, { signal }: Call): Promise<ActStep> {
    return this.#designs(signal).step(request);
  }

  #designs(signal: AbortSignal): Designs {
    return new Designs(this.#open(signal), this.server.version, signal);
  }

  async createTable(request: CreateTableRequest, { signal }: Call): Promise<void> {
    await createCollection(this.#open(signal), request, signal);
    this.#schema.forget();
  }

  async describeStructure(table: string, { signal }: Call): Promise<TableStructure> {
    const { collection } = await this.#context(table, signal, { fresh: true });
    return structureOf(collection, await listTenants(this.#open(), collection, signal));
  }

  async readReferences(request: ReadReferencesRequest, { signal }: Call): Promise<ReferenceTarget[][]> {
    const { collection } = await this.#context(request.table, signal);
    return readReferences(collection, request, await this.#targetReaders(request.partition, signal));
  }

  async findReferences(request: FindReferencesRequest, { signal }: Call): Promise<ReferenceTarget[]> {
    const { collection } = await this.#context(request.table, signal);
    return findReferences(collection, request, await this.#targetReaders(request.partition, signal));
  }

  async *applyChanges(request: SaveRequest, { signal }: Call): AsyncGenerator<SaveReport> {
    const context = await this.#context(request.table, signal, { fresh: true });
    pageGuard(
      { ...useOf(request.changes), ...(request.guarded && { guarded: request.guarded }) },
      context.collection,
    );
    const secret = new SecretCells(context.collection, request);
    secret.assertNoGuess(request.changes);
    const { outbound, partition } = request;
    const inserts = request.changes.some(({ kind }) => kind === 'insert');
    if (outbound !== 'user' && inserts && partition !== undefined) {
      await assertTenant(partition, context.collection, { client: this.#client, signal });
    }
    const reader = await this.#writer(context, request, signal);
    yield* saveChanges(reader, request, { secret, log: this.#log });
  }

  async *importRows(request: ImportRequest, { signal }: Call): AsyncGenerator<SaveReport> {
    const context = await this.#context(request.table, signal, { fresh: true });
    const reader = await this.#writer(context, request, signal);
    yield* importRows(reader, request, this.#batchSize);
  }

  async settleChanges(request: SettleRequest, { signal }: Call): Promise<ChangeOutcome[]> {
    const { table, partition, changes, recent = false } = request;
    const context = await this.#context(table, signal, { fresh: true });
    const outcomes = await settleChanges(this.#reader(context, partition, signal), changes, { recent });
    this.#open(signal);
    return outcomes;
  }

  async previewChanges(changes: ChangeSet, { signal }: Call) {
    const context = await this.#context(changes.table, signal, { fresh: true });
    return previewChanges(this.#reader(context, changes.partition, signal), changes);
  }

  async classify(text: string, { signal }: Call) {
    return classify(this.#server(signal), text);
  }

  async measure(request: MeasureRequest, { signal }: Call) {
    return measure(this.#server(signal), request);
  }

  async run(request: RunRequest, { signal }: Call) {
    try {
      return await run(this.#server(signal), request);
    } finally {
      // The statement may have changed the schema, also if its answer was an error or got lost.
      if (request.ceiling !== 'read') this.#schema.forget();
    }
  }

  async editorSchema({ signal }: Call): Promise<EditorSchema> {
    const collections = await this.#collections(signal);
    return { language: 'graphql', sdl: editorSdl(collections), requests: editorRequests };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#client.close();
  }

  #open(signal?: AbortSignal): WeaviateClient {
    if (this.#closed) throw new DriverError({ code: 'connection_failed', message: 'This session is closed' });
    if (signal?.aborted) throw new DriverError({ code: 'cancelled', message: 'Cancelled' });
    return this.#client;
  }

  async #collections(signal: AbortSignal, { fresh = false } = {}): Promise<Collection[]> {
    this.#open(signal);
    return this.#schema.read(signal, { fresh });
  }

  #server(signal: AbortSignal): Server {
    return {
      client: this.#open(signal),
      queries: this.#queries,
      collections: () => this.#collections(signal, { fresh: true }),
      changeMark: (table) => this.changeMark(table, { signal }),
      signal,
    };
  }

  async #context(table: string, signal: AbortSignal, { fresh = false } = {}): Promise<FilterContext> {
    let collections = await this.#collections(signal, { fresh });
    // The cached schema may lack a collection that was just created.
    if (!fresh && !collections.some(({ name }) => name === table)) {
      collections = await this.#collections(signal, { fresh: true });
    }
    return this.#contextOf(findCollection(collections, table));
  }

  #contextOf(collection: Collection): FilterContext {
    const { version } = this.server;
    return {
      collection,
      hasNot: isAtLeast(version, 1, 33),
      hasSearchOperator: isAtLeast(version, 1, 31),
    };
  }

  #reader(
    { collection }: FilterContext,
    tenant: string | undefined,
    signal: AbortSignal,
    providerKeys = false,
  ): CollectionReader {
    return new CollectionReader(this.#open(), collection, {
      tenant,
      signal,
      depth: this.#depth,
      queries: this.#queries,
      providerKeys,
    });
  }

  /** Returns a function that gives the reader of a collection by name; undefined if there is no such collection. */
  async #targetReaders(tenant: string | undefined, signal: AbortSignal): Promise<TargetReaders> {
    const collections = await this.#collections(signal);
    return (name) => {
      const collection = collections.find((one) => one.name === name);
      if (!collection) return undefined;
      const context = this.#contextOf(collection);
      return { context, reader: this.#reader(context, tenant, signal) };
    };
  }

  async #writer(context: FilterContext, request: Place, signal: AbortSignal): Promise<CollectionReader> {
    const { collection } = context;
    const makesVectors = collection.vectors.some(({ vectorizer }) => vectorizer !== null);
    const providerKeys = makesVectors && mayCarryKeys(this.#open().keys, [collection], request.outbound);
    return this.#withReader(
      context,
      { partition: request.partition, signal, providerKeys },
      async (one) => one,
    );
  }

  /** If a call names no tenant, or one that does not exist, the hint of its error suggests active tenants, if any. */
  async #withReader<T>(
    context: FilterContext,
    { partition, signal, providerKeys }: Reading,
    work: (reader: CollectionReader) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(this.#reader(context, partition, signal, providerKeys));
    } catch (error) {
      const at = { client: this.#open(signal), ...context, tenant: partition, signal };
      throw await namingTenants(error, at);
    }
  }
}

interface Place {
  partition?: string;
  outbound?: Outbound;
}

interface Reading {
  partition: string | undefined;
  signal: AbortSignal;
  providerKeys?: boolean;
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [hasMajor = 0, hasMinor = 0] = version.split('.').map(Number);
  return hasMajor > major || (hasMajor === major && hasMinor >= minor);
}
