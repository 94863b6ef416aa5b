import type { Aggregated, AggregateRequest } from './aggregate.ts';
import type {
  ChangeOutcome,
  ChangePreview,
  ChangeSet,
  ImportRequest,
  SaveReport,
  SaveRequest,
  SettleRequest,
} from './changes.ts';
import type {
  ActStep,
  Design,
  DesignForm,
  DesignPlan,
  DesignSource,
  PlanRequest,
  StepRequest,
} from './design.ts';
import type { Effect } from './effect.ts';
import type { Guarded } from './guarded.ts';
import type { MaskedKinds } from './masked-kinds.ts';
import type { Outbound } from './outbound.ts';
import type { Loss, ReachLimits } from './reach.ts';
import type { RequestCode } from './request-code.ts';
import type {
  BrowseRequest,
  CountRequest,
  ExportRequest,
  FindReferencesRequest,
  Page,
  ReadCellsRequest,
  ReadReferencesRequest,
  ReferenceTarget,
  SampleRequest,
} from './row-requests.ts';
import type { SearchRequest } from './search.ts';
import type {
  CreateTableRequest,
  DescribedTables,
  Partition,
  TableDescription,
  TableStructure,
  TableSummary,
} from './table-description.ts';
import type { Json, RowSet } from './values.ts';
import type { Written } from './written.ts';

/**
 * An open connection to one database. Every method except `close` takes a signal. After an abort the call sends nothing
 * more and rejects with `cancelled`.
 */
export interface Session {
  readonly server: ServerInfo;
  /** Checks that the server still answers *and* still accepts the credentials. */
  health(call: Call): Promise<Health>;
  listTables(call: Call): Promise<TableSummary[]>;
  describeTable(table: string, call: Call): Promise<TableDescription>;
  browse(request: BrowseRequest, call: Call): Promise<Page>;
  count(request: CountRequest, call: Call): Promise<number>;
  /** The effect that `run` would have with this text, without running it. */
  classify(text: string, call: Call): Promise<Classification>;
  /** Counts the rows that the statement would change or delete, and changes none. */
  measure(request: MeasureRequest, call: Call): Promise<Loss>;
  /**
   * Refuses a statement above `ceiling` with `above_ceiling`, *before* it touches the database. With `reach` or
   * `approved`, `run` counts the rows that the statement changes or deletes. A statement beyond these limits is rolled
   * back or not sent.
   */
  run(request: RunRequest, call: Call): Promise<RunOutcome>;
  close(): Promise<void>;

  /** Optional from here on. A missing method is a missing capability. */

  /**
   * Describes the first `limit` tables, in the order of `listTables`, in one call. For a driver that reads the schema
   * of all tables together.
   */
  describeTables?(request: { limit: number }, call: Call): Promise<DescribedTables>;
  /**
   * Saves the changes and reports progress. If one change fails, the others continue. Two changes of one row keep their
   * order. The driver lists a change in `sent`, and sends it when the reader asks for the next report. Each change gets
   * one outcome, except those that were not sent because of an abort or an error of the whole save. After an abort
   * nothing more is sent. The outcomes of the sent changes still follow within twice `rowTimeoutMs`, and then the
   * iteration rejects with `cancelled`. A driver that saves in one transaction reports `sent` once, just before COMMIT.
   */
  applyChanges?(request: SaveRequest, call: Call): AsyncIterable<SaveReport>;
  /**
   * Stores many new rows in batches. Reports, `sent` and cancelling work as in `applyChanges`. If the key of a new
   * row is taken, the stored row is not changed, and the new row is reported as `skipped` with `existing`. If a new row
   * has no key, the driver creates one if it can. Then the row can be found if the database's answer is lost.
   */
  importRows?(request: ImportRequest, call: Call): AsyncIterable<SaveReport>;
  /**
   * Checks changes that were sent and never answered, for example because the driver's process or the app ended.
   * Reports each as `applied` or `failed`, or as `unknown` if the database cannot show how the change ended, such
   * as for an insert without a key. Changes nothing.
   */
  settleChanges?(request: SettleRequest, call: Call): Promise<ChangeOutcome[]>;
  /** For each change, the requests or statements that `applyChanges` would send. */
  previewChanges?(changes: ChangeSet, call: Call): Promise<ChangePreview[]>;
  /**
   * Reads given columns of given rows, for example the deferred columns of the visible rows. Includes the key columns.
   * The rows are in the order of `keys`. Rows that no longer exist are left out.
   */
  readCells?(request: ReadCellsRequest, call: Call): Promise<RowSet>;
  /** The structure of a table for a person. The app shows the sections in the order of the list. */
  describeStructure?(table: string, call: Call): Promise<TableStructure>;
  /** The partitions (Weaviate: tenants) of a table that is `partitioned`. */
  listPartitions?(table: string, call: Call): Promise<Partition[]>;
  /** Activates a partition whose `activates` is set, so that it can be read. */
  activatePartition?(request: { table: string; partition: string }, call: Call): Promise<void>;
  /** The rows that the cells of a reference column point to: one list per cell, in the same order. */
  readReferences?(request: ReadReferencesRequest, call: Call): Promise<ReferenceTarget[][]>;
  /** Rows that a reference column may point to, searched by title. */
  findReferences?(request: FindReferencesRequest, call: Call): Promise<ReferenceTarget[]>;
  search?(request: SearchRequest, call: Call): Promise<Page>;
  /**
   * The request as code for a program, in each language that the driver supports. The driver does not send that
   * request. It may read the schema.
   */
  showRequest?(shown: ShownRequest, call: Call): Promise<RequestCode[]>;
  /**
   * A statement of the editor in other languages, for example a query in an old language as code for a program. The
   * driver sends nothing but reads of the schema, and rejects a statement that it cannot convert.
   */
  convertStatement?(text: string, call: Call): Promise<RequestCode[]>;
  /** All matching rows in batches, in constant memory. */
  exportRows?(request: ExportRequest, call: Call): AsyncIterable<RowSet>;
  /**
   * A uniform random sample of about `rows` matching rows, in batches. For a table that is too large to read
   * completely.
   */
  sampleRows?(request: SampleRequest, call: Call): AsyncIterable<RowSet>;
  /**
   * A text of at most 1,000 characters that differs after each change of the table's rows or of the schema. Null if the
   * driver cannot tell. The app compares two marks to see whether the values that it has read are still all values.
   */
  changeMark?(table: string, call: Call): Promise<string | null>;
  /**
   * Counts rows in groups, and measures columns. What the database cannot group or measure is refused with
   * `unsupported`, by name.
   */
  aggregate?(request: AggregateRequest, call: Call): Promise<Aggregated>;
  /** What a table of this server can be made of. */
  designForm?(call: Call): Promise<DesignForm>;
  /** A table that exists, or a definition, as a design. */
  readDesign?(source: DesignSource, call: Call): Promise<Design>;
  /** The statements that make a table as designed, or change one. Sends nothing that writes. */
  planDesign?(request: PlanRequest, call: Call): Promise<DesignPlan>;
  /** The next step of an act. Sends nothing that writes: the app sends the step's statement. */
  nextStep?(request: StepRequest, call: Call): Promise<ActStep>;
  /** Creates an empty table from the definition of another one. */
  createTable?(request: CreateTableRequest, call: Call): Promise<void>;
  /** The schema for the editor's completion and lint. */
  editorSchema?(call: Call): Promise<EditorSchema>;
}

export type SessionMethod = Exclude<keyof Session, 'server'>;

export const requiredMethods = [
  'health',
  'listTables',
  'describeTable',
  'browse',
  'count',
  'classify',
  'measure',
  'run',
  'close',
] as const satisfies SessionMethod[];

export const optionalMethods = [
  'describeTables',
  'applyChanges',
  'importRows',
  'settleChanges',
  'previewChanges',
  'readCells',
  'describeStructure',
  'listPartitions',
  'activatePartition',
  'readReferences',
  'findReferences',
  'search',
  'showRequest',
  'convertStatement',
  'exportRows',
  'sampleRows',
  'changeMark',
  'aggregate',
  'designForm',
  'readDesign',
  'planDesign',
  'nextStep',
  'createTable',
  'editorSchema',
] as const satisfies SessionMethod[];

export type Capability = (typeof optionalMethods)[number];

export interface Call {
  signal: AbortSignal;
}

export interface ServerInfo {
  product: string;
  version: string;
}

export interface Health {
  /** Set if the server answers but reports a problem. The app shows the warning and stays connected. */
  warning?: string;
}

export interface Classification {
  effect: Effect;
  /** The effect that counts if a client sends the statement. Defaults to `effect`. */
  clientEffect?: Effect;
  /** A description for a confirmation: `Drop table planets`. */
  summary: string;
  /** The tables that the statement reads or writes, also those behind views. Undefined if any table is possible. */
  tables?: string[];
}

export interface MeasureRequest {
  text: string;
  guarded?: Guarded;
  maskedKinds?: MaskedKinds;
}

export interface RunRequest extends ReachLimits {
  text: string;
  ceiling: Effect;
  /** The maximum number of rows per result. */
  limit: number;
  guarded?: Guarded;
  maskedKinds?: MaskedKinds;
  outbound?: Outbound;
}

export interface RunOutcome {
  effect: Effect;
  results: RunResult[];
  /**
   * The rows that a statement with a `budget` wrote. If it is left out, a statement that is no read counts as if it had
   * used its whole budget.
   */
  written?: Written;
  sent?: SentRequests;
  /** Errors and warnings that the server sent with its data, or a note in place of an answer that is too large. */
  messages: RunMessage[];
}

/** How the driver sent a statement, if it may send it in another form than it was written. */
export interface SentRequests {
  /** One line for the window: `Translated, and sent over Connect`. */
  words: string;
  /** The requests, without secrets. */
  requests: RequestCode[];
}

export type RunResult =
  | { kind: 'rows'; title?: string; rows: RowSet; truncated: boolean }
  | { kind: 'document'; title?: string; document: Json }
  | { kind: 'affected'; title?: string; rows: number };

export interface RunMessage {
  level: 'error' | 'warning' | 'info';
  text: string;
  path?: (string | number)[];
}

/** A page of the grid or a search, to show as code. */
export type ShownRequest =
  | { kind: 'browse'; request: BrowseRequest }
  | { kind: 'search'; request: SearchRequest };

export type EditorSchema =
  | { language: 'sql'; tables: Record<string, string[]> }
  | { language: 'graphql'; sdl: string; requests?: EditorRequests };

/** The request lines, `<METHOD> <path>`, that the editor offers in addition to its query language. */
export interface EditorRequests {
  /** A prefix that the user may write before each path or leave out: `/v1`. */
  prefix?: string;
  paths: RequestPath[];
}

export interface RequestPath {
  method: string;
  /** `/objects/{table}/{id}`: the app fills in `{table}` with the table names. The user fills in other placeholders. */
  path: string;
  /** What the request does, in a few words. */
  summary: string;
  /** Query parameters: `limit`, or with a value, `class={table}`. */
  parameters?: string[];
  /** Initial JSON of the body. `{table}` stands for the table of the path. */
  body?: string;
}
