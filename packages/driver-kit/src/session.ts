import type { Effect } from './effect.ts';
import type { DriverErrorDetails } from './errors.ts';
import type { Filter, FilterOperator, Match, Sort } from './filter.ts';
import type { Guarded } from './guarded.ts';
import type { Loss, ReachLimits } from './reach.ts';
import type { Cell, ColumnHead, Json, RowKey, RowSet } from './values.ts';

/**
 * An open connection to one database. Every call takes a signal that reaches the socket or statement. After an abort
 * the call rejects with `cancelled` and costs the server nothing more.
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
  /** Counts the rows that the statement would change or delete, without running it. */
  measure(request: MeasureRequest, call: Call): Promise<Loss>;
  /**
   * Refuses a statement above `ceiling` with `above_ceiling`, *before* it touches the database. With `reach` or
   * `approved` it counts the rows that the statement changes or deletes. A statement beyond these limits is rolled
   * back or not sent.
   */
  run(request: RunRequest, call: Call): Promise<RunOutcome>;
  close(): Promise<void>;

  /** Optional from here on. A missing method is a missing capability. */

  /**
   * Describes the first tables, in the order of `listTables`, at once. For a database that reads its schema as a
   * whole.
   */
  describeTables?(request: { limit: number }, call: Call): Promise<DescribedTables>;
  /**
   * Reports progress. If one change fails, the others continue. Two changes of one row keep their order. The driver
   * names a change in `sent` before it sends it, and sends it when the reader asks for the next report. Each change
   * gets one outcome, except those that were not sent because of an abort or an error of the whole save. After an
   * abort nothing more is sent. The sent changes still report within twice `rowTimeoutMs`, and then the iteration
   * rejects with `cancelled`. A driver that saves in one transaction names its changes before COMMIT.
   */
  applyChanges?(request: SaveRequest, call: Call): AsyncIterable<SaveReport>;
  /**
   * Stores many new rows in batches. Reporting, naming rows before sending them, and cancelling work as in
   * `applyChanges`. A row whose key exists is left alone and reported as `skipped` with `existing`. If a row has no
   * key, the driver creates one if it can, so that the row can be found if its answer is lost.
   */
  importRows?(request: ImportRequest, call: Call): AsyncIterable<SaveReport>;
  /**
   * Checks changes that were sent and never answered because the driver's process or the app ended. Reports each as
   * `applied` or `failed`, or as `unknown` if the row cannot tell, such as an insert without a key. Changes nothing.
   */
  settleChanges?(changes: ChangeSet, call: Call): Promise<ChangeOutcome[]>;
  /** The exact requests or statements that `applyChanges` would send. */
  previewChanges?(changes: ChangeSet, call: Call): Promise<ChangePreview[]>;
  /**
   * Reads given columns of given rows: deferred columns of the visible rows, or a complete value. Includes the key
   * columns. Leaves out rows that no longer exist.
   */
  readCells?(request: ReadCellsRequest, call: Call): Promise<RowSet>;
  /** The structure of a table for a person. The app shows the sections in this order. */
  describeStructure?(table: string, call: Call): Promise<TableStructure>;
  /** Tenants, for tables that are `partitioned`. */
  listPartitions?(table: string, call: Call): Promise<Partition[]>;
  /** Activates a partition whose `activates` is set, so that it can be read. */
  activatePartition?(request: { table: string; partition: string }, call: Call): Promise<void>;
  /** The rows that the cells of a reference column point to: one list per cell, in the same order. */
  readReferences?(request: ReadReferencesRequest, call: Call): Promise<ReferenceTarget[][]>;
  /** Rows that a reference column may point to, searched by title. */
  findReferences?(request: FindReferencesRequest, call: Call): Promise<ReferenceTarget[]>;
  search?(request: SearchRequest, call: Call): Promise<Page>;
  /**
   * The request as code for a program, in each language that the driver supports. Sends no other request to the
   * database.
   */
  showRequest?(shown: ShownRequest, call: Call): Promise<RequestCode[]>;
  /** All matching rows in batches, in constant memory. */
  exportRows?(request: ExportRequest, call: Call): AsyncIterable<RowSet>;
  /**
   * A uniform random sample of about `rows` matching rows, in batches. For a table that is too large to read
   * completely.
   */
  sampleRows?(request: SampleRequest, call: Call): AsyncIterable<RowSet>;
  /** Creates an empty table with the structure of another one. */
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
  'exportRows',
  'sampleRows',
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
  /** Set if the server answers but reports a problem. The app shows it and stays connected. */
  warning?: string;
}

export interface TableSummary {
  name: string;
  kind: 'table' | 'view' | 'collection';
  /** The table is read one partition (tenant) at a time. */
  partitioned?: boolean;
  comment?: string;
  /** The statement that deletes the table with all rows. Absent if it cannot be deleted. */
  dropText?: string;
}

export interface TableDescription extends TableSummary {
  columns: ColumnDescription[];
  /** The columns that identify a row. Empty if rows cannot be identified. */
  key: string[];
  /** Why rows cannot be inserted, updated or deleted. Absent if they can. */
  readOnly?: { insert?: string; update?: string; delete?: string };
  indexes: IndexDescription[];
  foreignKeys: ForeignKeyDescription[];
  /** The searches that `search` supports on this table. */
  searches?: SearchSupport;
  /** The statement that created the table, if there is one. */
  definition?: string;
  /** A query in the editor's language that runs unchanged. Empty if the language is `none`. */
  exampleQuery: string;
  /** A query that counts rows by the values of a column. */
  countQuery?: string;
  /** Facts that the reader must know. */
  notes: string[];
  /** How to write queries here, on request. */
  help?: string[];
}

export interface DescribedTables {
  tables: TableDescription[];
  /** The number of tables. */
  total: number;
}

export interface ColumnDescription extends ColumnHead {
  nullable: boolean;
  inKey: boolean;
  /** Why the value cannot be written, if so. */
  readOnly?: string;
  /** Read-only, but a new row may get a value (Weaviate's uuid). */
  insertable?: boolean;
  /** The value that the database uses if an insert leaves the column out. */
  defaultText?: string;
  /** Not part of a page unless requested by name. `readCells` reads it. */
  deferred?: boolean;
  /** Part of the page only as a key. Not shown (SQLite's rowid). */
  hidden?: boolean;
  /** Why rows cannot be sorted by this column. Absent if they can. */
  unsortable?: string;
  /** All operators of the driver. Those that this column does not support have a reason. */
  operators: OperatorSupport[];
  /** How text is matched, if not by plain comparison. One line for all operators. */
  matching?: string;
  /** The tables that a cell may refer to. The cell is a JSON list. Each element is the `value` of a target. */
  references?: string[];
  /** The values are vectors, however they are stored. Names the distance that compares them. */
  vector?: { distance: 'cosine' | 'euclidean' };
  /** The form of a filter value or a cell, in words. */
  valueForm?: string;
  comment?: string;
}

export interface OperatorSupport {
  operator: FilterOperator;
  /** Why the operator does not run on this column. */
  refusal?: string;
  /** How this operator matches, if not by plain comparison. */
  matching?: string;
}

export interface TableStructure {
  sections: StructureSection[];
}

/** Sections in `aside` are shown next to the others if there is room. */
export type StructureSection = { title: string; aside?: boolean } & (
  | { kind: 'facts'; facts: { name: string; value: string }[] }
  /** A boolean cell is shown as a mark. A cell without content is the empty text. */
  | { kind: 'table'; columns: string[]; rows: (string | boolean)[][] }
  /** A complete definition or statement. */
  | { kind: 'code'; text: string }
);

export interface IndexDescription {
  name: string;
  columns: string[];
  unique: boolean;
  detail?: string;
}

export interface ForeignKeyDescription {
  columns: string[];
  table: string;
  references: string[];
}

export interface CountRequest {
  table: string;
  partition?: string;
  filters: Filter[];
  match: Match;
  guarded?: Guarded;
}

export interface BrowseRequest extends CountRequest {
  /** Key columns are always included. Defaults to every column that is not deferred. */
  columns?: string[];
  sort: Sort[];
  limit: number;
  offset: number;
}

export interface Page {
  rows: RowSet;
  /** For a search with `groupBy`: the groups in the order of the rows, with the number of rows in this page. */
  groups?: { value: string; rows: number }[];
  /** A note for the reader of the page, such as a shortened last page. */
  note?: string;
  /** The last row that paging can reach, if the database has such a limit. */
  depth?: number;
  /** For a search with `explain`: one per row. Absent if the search knows only the distance. */
  explanations?: SearchExplanation[];
}

export interface ReadCellsRequest {
  table: string;
  partition?: string;
  keys: RowKey[];
  columns: string[];
  guarded?: Guarded;
}

export interface ExportRequest extends CountRequest {
  columns?: string[];
  sort: Sort[];
  /** Only rows behind the one with this key, in the order of an export without a sort. A driver may leave it aside. */
  after?: RowKey;
  /** Columns with `vector` whose values are requested as vectors. Values of another length are left out. */
  vectors?: string[];
}

export interface SampleRequest extends Omit<ExportRequest, 'sort'> {
  rows: number;
}

export interface CreateTableRequest {
  name: string;
  /** The `definition` of the other table from `describeTable`. */
  definition: string;
  /** Partitions to create with the table, if it is `partitioned`. */
  partitions?: string[];
}

export interface Partition {
  name: string;
  /** Why it cannot be read now, if so (an offloaded tenant). */
  unavailable?: string;
  /** `activatePartition` can activate it. */
  activates?: boolean;
}

export interface ReadReferencesRequest {
  table: string;
  partition?: string;
  column: string;
  cells: Cell[];
}

export interface FindReferencesRequest {
  table: string;
  partition?: string;
  column: string;
  /** A part of the title. Empty: any rows. */
  text: string;
  limit: number;
}

/** A row that a reference points to. */
export interface ReferenceTarget {
  table: string;
  key: RowKey;
  /** Null if the row no longer exists. */
  title: string | null;
  /** The element that refers to the row in a cell. */
  value: Json;
}

export interface Classification {
  effect: Effect;
  /** A description for a confirmation: `Drop table planets`. */
  summary: string;
  /** The tables that it reads or writes, including those behind views. Absent if it could be any. */
  tables?: string[];
}

export interface MeasureRequest {
  text: string;
  guarded?: Guarded;
}

export interface RunRequest extends ReachLimits {
  text: string;
  ceiling: Effect;
  /** The maximum number of rows per result. */
  limit: number;
  guarded?: Guarded;
}

export interface RunOutcome {
  effect: Effect;
  results: RunResult[];
  /** Errors and warnings that the server sent with its data. */
  messages: RunMessage[];
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

export type Change =
  | { kind: 'insert'; id: string; values: Record<string, Cell> }
  /** A null key marks a row that never had one. It is skipped and logged. */
  | { kind: 'update'; id: string; key: RowKey | null; values: Record<string, Cell> }
  | { kind: 'delete'; id: string; key: RowKey | null };

export interface ChangeSet {
  table: string;
  partition?: string;
  changes: Change[];
}

export interface SaveRequest extends ChangeSet, Pick<ReachLimits, 'reach'> {
  /** The deadline of one row's request, not of the save. */
  rowTimeoutMs: number;
}

export type Insert = Extract<Change, { kind: 'insert' }>;

export interface ImportRequest extends Omit<SaveRequest, 'changes' | 'reach'> {
  changes: Insert[];
}

/** The progress of a save since the last report. */
export interface SaveReport {
  /** The ids of the changes that are sent next. */
  sent: string[];
  outcomes: ChangeOutcome[];
}

export interface ChangeOutcome {
  /** The `id` of the change. */
  id: string;
  /** `unknown`: the change was sent and never answered. */
  status: 'applied' | 'failed' | 'skipped' | 'unknown';
  /** For an import: skipped, since a row with this key exists. */
  existing?: true;
  error?: DriverErrorDetails;
  /** The key of an inserted row, or the new key of a row whose key changed. */
  key?: RowKey;
}

export interface ChangePreview {
  id: string;
  text: string;
}

export type SearchMode = 'near_text' | 'near_vector' | 'near_object' | 'keyword' | 'hybrid';

export interface SearchSupport {
  /** All modes. Those that do not run here have a reason. */
  modes: { mode: SearchMode; refusal?: string }[];
  targetVectors: string[];
  /**
   * Vectors that the database does not make from text. '' is the unnamed one. A hybrid search on them needs a vector
   * with the text, and a search near a text does not run.
   */
  broughtVectors?: string[];
  options?: SearchOptions;
}

/** The settings of a search beyond its mode. An absent one is not offered. */
export interface SearchOptions {
  /** How hybrid search combines its two rankings. The first is the default. */
  fusions?: SearchChoice[];
  /** The modes that can stop at a jump in score or distance. */
  autocut?: SearchMode[];
  /** The modes that can exclude rows beyond a distance. */
  maxDistance?: SearchMode[];
  /** The columns that keyword and hybrid search use. Each can have an integer weight of 1 or more. */
  keywordColumns?: string[];
  /** Keyword and hybrid search can require every word of the text. */
  allWords?: boolean;
  /** How several distances are combined into one. The first is the default. */
  joins?: (SearchChoice & { weighted?: boolean })[];
  groupBy?: { columns: string[]; refusal?: string };
  rerank?: { columns: string[]; refusal?: string };
}

export interface SearchChoice {
  name: string;
  label: string;
}

export interface SearchRequest extends CountRequest, SearchSettings {
  mode: SearchMode;
  text?: string;
  vector?: number[];
  objectId?: string;
  /** Hybrid: 0 is keyword only, 1 is vector only. */
  alpha?: number;
  targetVector?: string;
  columns?: string[];
  limit: number;
  /** Explain why each row was found. May need a second request. */
  explain?: boolean;
}

/** Why a search found a row, in the database's own figures. */
export interface SearchExplanation {
  /** Words of the text that the row contains. Absent if keywords were not used. */
  terms?: SearchTerm[];
  /** Hybrid: this side's part of the row's score. Absent if this side did not find the row. */
  keyword?: ScorePart;
  vector?: ScorePart;
}

export interface SearchTerm {
  term: string;
  /** How often the word occurs in the row. Older servers multiply by the weight of the property. */
  count: number;
  /** The number of words in the text. The same count weighs less in a longer text. */
  length?: number;
}

export interface ScorePart {
  /** The shares of both sides add up to the row's score. */
  share: number;
  /** This side's score before scaling. */
  score?: number;
}

/** Values for the settings in `SearchOptions`. The driver rejects a setting that it does not offer here. */
export interface SearchSettings {
  /** A name of `fusions`. */
  fusion?: string;
  /** Stop before the n-th jump. */
  autocut?: number;
  maxDistance?: number;
  /** Absent: every column of `keywordColumns`, with weight 1. */
  keywordColumns?: { column: string; weight: number }[];
  allWords?: boolean;
  /** Several target vectors instead of `targetVector`. `join` is a name from `joins`. */
  targets?: { join: string; vectors: { name: string; weight?: number }[] };
  groupBy?: { column: string; groups: number; rowsPerGroup: number };
  /** `text` defaults to the text of the search. */
  rerank?: { column: string; text?: string };
}

/** A page of the grid or a search, to show as code. */
export type ShownRequest =
  | { kind: 'browse'; request: BrowseRequest }
  | { kind: 'search'; request: SearchRequest };

/** A request as code. It contains no secret of the connection. */
export interface RequestCode {
  /** The tab's label: `GraphQL`, `Python`. */
  label: string;
  /** For the file extension and the highlighting: `graphql`, `http`, `python`, `typescript`, `sql`. */
  language: string;
  text: string;
}

export type EditorSchema =
  | { language: 'sql'; tables: Record<string, string[]> }
  | { language: 'graphql'; sdl: string; requests?: EditorRequests };

/** The request lines, `<METHOD> <path>`, that the editor offers beside its language. */
export interface EditorRequests {
  /** The user may write it before each path, or leave it out: `/v1`. */
  prefix?: string;
  paths: RequestPath[];
}

export interface RequestPath {
  method: string;
  /** `/objects/{table}/{id}`: the app fills in `{table}` with the table names. The user fills in the others. */
  path: string;
  /** The effect of the request, in a few words. */
  summary: string;
  /** Query parameters: `limit`, or with a value, `class={table}`. */
  parameters?: string[];
  /** Initial JSON of the body. `{table}` stands for the table of the path. */
  body?: string;
}
