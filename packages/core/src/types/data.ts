import type {
  ActStep,
  Aggregated,
  AggregateRequest,
  BrowseRequest,
  Cell,
  ChangeOutcome,
  ChangePreview,
  ChangeSet,
  Classification,
  CountRequest,
  CreateTableRequest,
  DescribedTables,
  Design,
  DesignForm,
  DesignPlan,
  DesignSource,
  EditorSchema,
  Effect,
  ExportRequest,
  FindReferencesRequest,
  Loss,
  Page,
  Partition,
  PlanRequest,
  ReadCellsRequest,
  ReadReferencesRequest,
  ReferenceTarget,
  RequestCode,
  RowKey,
  RowSet,
  RunOutcome,
  SampleRequest,
  SaveReport,
  SearchRequest,
  SettleRequest,
  ShownRequest,
  StepRequest,
  TableDescription,
  TableStructure,
  TableSummary,
} from '@trestle/driver-kit';
import type { Distance } from '@trestle/driver-kit/nearest';
import type { Caller } from './caller.ts';

export interface DataAccess {
  caller: Caller;
  /** With the caller `person`: a program makes this call, with the rights that the user gave to programs. */
  isProgram?: boolean;
  connectionId: string;
  signal: AbortSignal;
  /**
   * Defaults to the statement timeout of the settings, and for an export or a sample to no limit. In a save it applies
   * to one row, in an import to one row or one batch, and in an export or a sample to one batch.
   */
  timeoutMs?: number;
}

/** The operations on data. Each passes the gate and the log, and opens the session if needed. */
export interface Data {
  tables(access: DataAccess): Promise<TableSummary[]>;
  describe(access: DataAccess, table: string): Promise<TableDescription>;
  /** The first tables, and the number of all tables. */
  describeAll(access: DataAccess, request: { limit: number }): Promise<DescribedTables>;
  browse(access: DataAccess, request: BrowseRequest): Promise<Page>;
  count(access: DataAccess, request: CountRequest): Promise<number>;
  aggregate(access: DataAccess, request: AggregateRequest): Promise<Aggregated>;
  readCells(access: DataAccess, request: ReadCellsRequest): Promise<RowSet>;
  partitions(access: DataAccess, table: string): Promise<Partition[]>;
  search(access: DataAccess, request: SearchRequest): Promise<Page>;
  editorSchema(access: DataAccess): Promise<EditorSchema>;
  previewChanges(access: DataAccess, changes: ChangeSet): Promise<ChangePreview[]>;
  /**
   * Reports progress. A change without an outcome at the end was not sent. After an abort nothing more is sent.
   * The outcomes of sent changes still arrive, and then the iteration rejects with `cancelled`.
   */
  applyChanges(access: DataAccess, changes: ChangeSet): AsyncIterable<SaveReport>;
  /**
   * Stores new rows in batches if the driver can, otherwise one by one. If a row's key exists, its outcome is `skipped`
   * with `existing: true`, or `failed` with the error code `conflict`.
   */
  importRows(access: DataAccess, rows: ChangeSet): AsyncIterable<SaveReport>;
  /** The outcomes of changes that were sent and never answered. An outcome that cannot be found out is `unknown`. */
  settleChanges(access: DataAccess, request: SettleRequest): Promise<ChangeOutcome[]>;
  exportRows(access: DataAccess, request: ExportRequest): AsyncIterable<RowSet>;
  sampleRows(access: DataAccess, request: SampleRequest): AsyncIterable<RowSet>;
  /** Exact, for a database without a vector index: reads every row that matches the filters. */
  nearestRows(access: DataAccess, request: NearestRequest): Promise<NearestRow[]>;
  classify(access: DataAccess, text: string): Promise<Classification>;
  /** Counts the rows that a statement would change or delete, for a confirmation. */
  measure(access: DataAccess, text: string): Promise<Loss>;
  runQuery(access: DataAccess, request: QueryRequest): Promise<QueryOutcome>;
  /** Runs a destructive statement. A client's statement runs only after the user approved this one run in the app. */
  runDestructive(access: DataAccess, request: DestructiveRequest): Promise<QueryOutcome>;

  // Clients cannot make the calls below.

  structure(access: DataAccess, table: string): Promise<TableStructure>;
  activatePartition(access: DataAccess, request: { table: string; partition: string }): Promise<void>;
  createTable(access: DataAccess, request: CreateTableRequest): Promise<void>;
  designForm(access: DataAccess): Promise<DesignForm>;
  readDesign(access: DataAccess, source: DesignSource): Promise<Design>;
  planDesign(access: DataAccess, request: PlanRequest): Promise<DesignPlan>;
  /** Only for `core/src/acts`, which runs the steps. */
  nextStep(access: DataAccess, request: StepRequest): Promise<ActStep>;
  readReferences(access: DataAccess, request: ReadReferencesRequest): Promise<ReferenceTarget[][]>;
  findReferences(access: DataAccess, request: FindReferencesRequest): Promise<ReferenceTarget[]>;
  /** A page or a search as code, in each language of the driver. */
  showRequest(access: DataAccess, shown: ShownRequest): Promise<RequestCode[]>;
  /** A statement in other languages. */
  convertStatement(access: DataAccess, text: string): Promise<RequestCode[]>;
}

export interface NearestRequest extends CountRequest {
  key: RowKey;
  vector: string;
  /** The distance that the driver names for this column, or `cosine` if it names none. */
  distance: Distance;
  /** The column by which people recognize a row. Its cell is returned with each row. */
  title?: string;
  limit: number;
}

export interface NearestRow {
  key: RowKey;
  title: Cell;
  /** For `cosine`: 1 minus the cosine of the angle to the given row's vector. */
  distance: number;
}

export interface DestructiveRequest {
  text: string;
  /** The caller's explanation. The question shows it to the user as a quotation. */
  reason?: string;
  /** A person's statement runs only if its loss is still this one. Ignored for a client, which the gate asks about. */
  approved?: Loss;
}

export interface QueryRequest {
  text: string;
  limit: number;
  /** The strongest effect that the caller allows. The access decision may lower it. Defaults to `write`. */
  ceiling?: Effect;
  /** How many existing rows a person's statement may change or delete. For a client, the connection's limit applies. */
  reach?: number;
}

export interface QueryOutcome extends RunOutcome {
  /** Null for a client's read: its entry is written after the answer. Also null if the entry cannot be stored now. */
  historyId: string | null;
  durationMs: number;
}
