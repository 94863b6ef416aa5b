import type {
  BrowseRequest,
  ChangeOutcome,
  ChangePreview,
  ChangeSet,
  Classification,
  CountRequest,
  CreateTableRequest,
  DescribedTables,
  EditorSchema,
  Effect,
  ExportRequest,
  FindReferencesRequest,
  Loss,
  Page,
  Partition,
  ReadCellsRequest,
  ReadReferencesRequest,
  ReferenceTarget,
  RequestCode,
  RowSet,
  RunOutcome,
  SampleRequest,
  SaveReport,
  SearchRequest,
  ShownRequest,
  TableDescription,
  TableStructure,
  TableSummary,
} from '@trestle/driver-kit';
import type { Caller } from './caller.ts';

export interface DataAccess {
  caller: Caller;
  connectionId: string;
  signal: AbortSignal;
  /** Defaults to the statement timeout of the settings. Of a save, it is for one row. */
  timeoutMs?: number;
}

/** The only ways to data. Each goes through the access decision and the log; opens the session if need be. */
export interface Data {
  tables(access: DataAccess): Promise<TableSummary[]>;
  describe(access: DataAccess, table: string): Promise<TableDescription>;
  /** The first tables, with how many there are. */
  describeAll(access: DataAccess, request: { limit: number }): Promise<DescribedTables>;
  browse(access: DataAccess, request: BrowseRequest): Promise<Page>;
  count(access: DataAccess, request: CountRequest): Promise<number>;
  readCells(access: DataAccess, request: ReadCellsRequest): Promise<RowSet>;
  partitions(access: DataAccess, table: string): Promise<Partition[]>;
  search(access: DataAccess, request: SearchRequest): Promise<Page>;
  editorSchema(access: DataAccess): Promise<EditorSchema>;
  previewChanges(access: DataAccess, changes: ChangeSet): Promise<ChangePreview[]>;
  /**
   * Reports as it goes. A change without an outcome at the end was not sent. Once the signal is aborted nothing more
   * is sent; the outcomes of what was sent still come, and then it rejects with `cancelled`.
   */
  applyChanges(access: DataAccess, changes: ChangeSet): AsyncIterable<SaveReport>;
  /**
   * Stores new rows in batches where the driver can, and one by one where it cannot. A row whose key exists is
   * `skipped` with `existing`, or `failed` with `conflict`.
   */
  importRows(access: DataAccess, rows: ChangeSet): AsyncIterable<SaveReport>;
  /** The outcomes of changes that were sent before the app ended. One that cannot be told is `unknown`. */
  settleChanges(access: DataAccess, changes: ChangeSet): Promise<ChangeOutcome[]>;
  exportRows(access: DataAccess, request: ExportRequest): AsyncIterable<RowSet>;
  sampleRows(access: DataAccess, request: SampleRequest): AsyncIterable<RowSet>;
  classify(access: DataAccess, text: string): Promise<Classification>;
  /** Counts the rows that a statement would change or delete, for a confirmation. */
  measure(access: DataAccess, text: string): Promise<Loss>;
  runQuery(access: DataAccess, request: QueryRequest): Promise<QueryOutcome>;
  /** A statement that destroys, after the user approved this one run of it in the app. */
  runDestructive(access: DataAccess, request: DestructiveRequest): Promise<QueryOutcome>;

  /** For the window alone from here on: a client is refused. */
  structure(access: DataAccess, table: string): Promise<TableStructure>;
  activatePartition(access: DataAccess, request: { table: string; partition: string }): Promise<void>;
  createTable(access: DataAccess, request: CreateTableRequest): Promise<void>;
  readReferences(access: DataAccess, request: ReadReferencesRequest): Promise<ReferenceTarget[][]>;
  findReferences(access: DataAccess, request: FindReferencesRequest): Promise<ReferenceTarget[]>;
  /** A page or a search as code, in each language the driver knows. */
  showRequest(access: DataAccess, shown: ShownRequest): Promise<RequestCode[]>;
}

export interface DestructiveRequest {
  text: string;
  /** The caller's words for the user, who sees them as such. */
  reason?: string;
}

export interface QueryRequest {
  text: string;
  limit: number;
  /** The gravest effect the caller wants to allow; the access decision may lower it. Absent: write. */
  ceiling?: Effect;
}

export interface QueryOutcome extends RunOutcome {
  /** Null where it is written down after the answer: what a client only read. */
  historyId: string | null;
  durationMs: number;
}
