import type { Effect } from './effect.ts';
import type { DriverErrorDetails } from './errors.ts';
import type { Filter, FilterOperator, Match, Sort } from './filter.ts';
import type { Guarded } from './guarded.ts';
import type { Loss, ReachLimits } from './reach.ts';
import type { Cell, ColumnHead, Json, RowKey, RowSet } from './values.ts';

/**
 * An open connection to one database. Every call takes a signal that reaches the socket or statement:
 * once it is aborted the call rejects with `cancelled` and no longer costs the server anything.
 */
export interface Session {
  readonly server: ServerInfo;
  /** Proves that the server still answers *and* still accepts the credentials. */
  health(call: Call): Promise<Health>;
  listTables(call: Call): Promise<TableSummary[]>;
  describeTable(table: string, call: Call): Promise<TableDescription>;
  browse(request: BrowseRequest, call: Call): Promise<Page>;
  count(request: CountRequest, call: Call): Promise<number>;
  /** What `run` would do with this text, without doing it. */
  classify(text: string, call: Call): Promise<Classification>;
  /** Counts the rows that the statement would change or delete, without running it. */
  measure(request: MeasureRequest, call: Call): Promise<Loss>;
  /**
   * Refuses what exceeds `ceiling` *before* it touches the database, with `above_ceiling`. With `reach` or `approved`
   * it counts what the statement changes or deletes, and undoes or does not send one that goes further.
   */
  run(request: RunRequest, call: Call): Promise<RunOutcome>;
  close(): Promise<void>;

  /** Optional from here on: a missing method is a missing capability. */

  /** The first tables in the order of `listTables`, described together. For a database that reads its schema as a whole. */
  describeTables?(request: { limit: number }, call: Call): Promise<DescribedTables>;
  /**
   * Reports as it goes. A change that fails leaves the others alone; two changes of one row keep their order. The
   * driver names a change in `sent` before it sends it, and sends it when the reader asks for the next report. Each
   * change gets one outcome, but those that an abort or an error of the whole save leaves unsent get none.
   * After an abort nothing more is sent, what was sent still reports within twice `rowTimeoutMs`, and then the
   * iteration rejects with `cancelled`. A driver that saves in one transaction names its changes before COMMIT.
   */
  applyChanges?(request: SaveRequest, call: Call): AsyncIterable<SaveReport>;
  /**
   * Stores many new rows in batches. It reports, names rows before it sends them, and cancels as `applyChanges` does.
   * A row whose key exists is left alone and reported as `skipped` with `existing`. The driver gives a row without a
   * key one of its own where it can, so that the row can be found again when its answer is lost.
   */
  importRows?(request: ImportRequest, call: Call): AsyncIterable<SaveReport>;
  /**
   * Looks at the rows of changes that were sent and never answered, because this driver's process or the app ended, and
   * tells of each whether it was `applied` or `failed`; `unknown` where the row cannot tell, as of an insert that names
   * no key. Changes nothing.
   */
  settleChanges?(changes: ChangeSet, call: Call): Promise<ChangeOutcome[]>;
  /** The exact requests or statements `applyChanges` would send. */
  previewChanges?(changes: ChangeSet, call: Call): Promise<ChangePreview[]>;
  /**
   * Reads given columns of given rows: deferred columns of the rows in view, or a full value. The key columns
   * come with them; a row that is gone is left out.
   */
  readCells?(request: ReadCellsRequest, call: Call): Promise<RowSet>;
  /** The structure of a table for a person to read. The app draws the sections as they come. */
  describeStructure?(table: string, call: Call): Promise<TableStructure>;
  /** Tenants, for tables that are `partitioned`. */
  listPartitions?(table: string, call: Call): Promise<Partition[]>;
  /** Makes a partition readable whose `activates` is set. */
  activatePartition?(request: { table: string; partition: string }, call: Call): Promise<void>;
  /** The rows that cells of a reference column point to: a list for each cell, in its order. */
  readReferences?(request: ReadReferencesRequest, call: Call): Promise<ReferenceTarget[][]>;
  /** Rows that a reference column may point to, found by their title. */
  findReferences?(request: FindReferencesRequest, call: Call): Promise<ReferenceTarget[]>;
  search?(request: SearchRequest, call: Call): Promise<Page>;
  /** The request as code that a program can run, in each language the driver knows. Asks the database nothing else. */
  showRequest?(shown: ShownRequest, call: Call): Promise<RequestCode[]>;
  /** All matching rows in batches, whatever their number, in constant memory. */
  exportRows?(request: ExportRequest, call: Call): AsyncIterable<RowSet>;
  /** About `rows` of the matching rows, each as likely as any other, in batches: for a table too large to read whole. */
  sampleRows?(request: SampleRequest, call: Call): AsyncIterable<RowSet>;
  /** Makes a table like another one of this kind of database, empty. */
  createTable?(request: CreateTableRequest, call: Call): Promise<void>;
  /** What the editor needs for completion and lint. */
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
  /** Set where the server answers but is not well; shown on the connection, which stays connected. */
  warning?: string;
}

export interface TableSummary {
  name: string;
  kind: 'table' | 'view' | 'collection';
  /** The table is read one partition (tenant) at a time. */
  partitioned?: boolean;
  comment?: string;
  /** The statement that deletes the table with all its rows; absent where it cannot be deleted. */
  dropText?: string;
}

export interface TableDescription extends TableSummary {
  columns: ColumnDescription[];
  /** The columns that identify a row; empty where rows cannot be told apart. */
  key: string[];
  /** Why rows cannot be inserted, updated or deleted; absent where they can. */
  readOnly?: { insert?: string; update?: string; delete?: string };
  indexes: IndexDescription[];
  foreignKeys: ForeignKeyDescription[];
  /** The searches `search` takes on this table. */
  searches?: SearchSupport;
  /** The statement that made the table, where there is one. */
  definition?: string;
  /** A query in the editor's language that runs as it stands. Empty where the language is `none`. */
  exampleQuery: string;
  /** Another that counts rows by the values of a column. */
  countQuery?: string;
  /** Facts that a reader must know. */
  notes: string[];
  /** How to write queries here, for a reader that asks for it. */
  help?: string[];
}

export interface DescribedTables {
  tables: TableDescription[];
  /** How many tables there are. */
  total: number;
}

export interface ColumnDescription extends ColumnHead {
  nullable: boolean;
  inKey: boolean;
  /** Set where the value cannot be written, with the reason. */
  readOnly?: string;
  /** Read-only, but a new row may be given one (Weaviate's uuid). */
  insertable?: boolean;
  /** What the database puts in when an insert leaves the column out. */
  defaultText?: string;
  /** Left out of a page unless asked for by name; `readCells` fetches it. */
  deferred?: boolean;
  /** In the page because it is part of the key, not for showing (SQLite's rowid). */
  hidden?: boolean;
  /** Why rows cannot be sorted by it; absent where they can. */
  unsortable?: string;
  /** Every operator the driver knows, with the reason beside those this column does not take. */
  operators: OperatorSupport[];
  /** How text matching works here, where it is not plain comparison. One line for all operators. */
  matching?: string;
  /** The tables whose rows a cell points to. The cell is a JSON list; each element is a `value` of a target. */
  references?: string[];
  /** Its values are vectors, whatever they are stored as, with the distance that they are compared by. */
  vector?: { distance: 'cosine' | 'euclidean' };
  /** The form a filter value or a cell must have, in words. */
  valueForm?: string;
  comment?: string;
}

export interface OperatorSupport {
  operator: FilterOperator;
  /** Why it does not run on this column. */
  refusal?: string;
  /** How this operator matches, where that is not plain comparison. */
  matching?: string;
}

export interface TableStructure {
  sections: StructureSection[];
}

/** Sections of `aside` stand beside the others where there is room. */
export type StructureSection = { title: string; aside?: boolean } & (
  | { kind: 'facts'; facts: { name: string; value: string }[] }
  /** A boolean cell is drawn as a mark. A cell that has nothing to say is the empty text. */
  | { kind: 'table'; columns: string[]; rows: (string | boolean)[][] }
  /** A definition or a statement, whole. */
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
  /** Key columns come with the page whether named or not; absent = every column that is not deferred. */
  columns?: string[];
  sort: Sort[];
  limit: number;
  offset: number;
}

export interface Page {
  rows: RowSet;
  /** Of a search with `groupBy`: the groups in the order of the rows, with how many rows each has here. */
  groups?: { value: string; rows: number }[];
  /** Something the reader of the page must know, such as a shortened last page. */
  note?: string;
  /** The last row that paging reaches, where the database has such a limit. */
  depth?: number;
  /** Of a search with `explain`, one for each row. Absent where the search has nothing to say but the distance. */
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
  /** Columns with `vector` whose values are wanted as vectors. A value that is none of the usual length is left out. */
  vectors?: string[];
}

export interface SampleRequest extends Omit<ExportRequest, 'sort'> {
  rows: number;
}

export interface CreateTableRequest {
  name: string;
  /** The `definition` that `describeTable` gave of the other one. */
  definition: string;
  /** Made with it, where it is `partitioned`. */
  partitions?: string[];
}

export interface Partition {
  name: string;
  /** Set where it cannot be read now, with the reason (an offloaded tenant). */
  unavailable?: string;
  /** `activatePartition` can make it readable. */
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
  /** Null where the row is gone. */
  title: string | null;
  /** The element that stands for it in a cell. */
  value: Json;
}

export interface Classification {
  effect: Effect;
  /** What it does in words, for a confirmation: `Drop table planets`. */
  summary: string;
  /** The tables it reads or writes, those behind views too; absent where it could be any. */
  tables?: string[];
}

export interface MeasureRequest {
  text: string;
  guarded?: Guarded;
}

export interface RunRequest extends ReachLimits {
  text: string;
  ceiling: Effect;
  /** At most this many rows a result. */
  limit: number;
  guarded?: Guarded;
}

export interface RunOutcome {
  effect: Effect;
  results: RunResult[];
  /** Errors and warnings the server sent beside its data. */
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
  /** A null key marks a row that never had one: it is skipped and logged. */
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

/** News of a save since the last report. */
export interface SaveReport {
  /** Ids of the changes that are sent next. */
  sent: string[];
  outcomes: ChangeOutcome[];
}

export interface ChangeOutcome {
  /** The `id` of its change. */
  id: string;
  /** `unknown`: the change was sent and its answer never came. */
  status: 'applied' | 'failed' | 'skipped' | 'unknown';
  /** Of an import: skipped, since a row with this key is there. */
  existing?: true;
  error?: DriverErrorDetails;
  /** The key of an inserted row, or of a row whose key was changed. */
  key?: RowKey;
}

export interface ChangePreview {
  id: string;
  text: string;
}

export type SearchMode = 'near_text' | 'near_vector' | 'near_object' | 'keyword' | 'hybrid';

export interface SearchSupport {
  /** Each mode with the reason beside those that do not run here. */
  modes: { mode: SearchMode; refusal?: string }[];
  targetVectors: string[];
  /**
   * Vectors that nothing here makes from text; '' is the one without a name. A hybrid search by them needs a vector
   * beside the text, and a search near a text does not run.
   */
  broughtVectors?: string[];
  options?: SearchOptions;
}

/** The settings of a search beyond its mode. One that is absent is not offered. */
export interface SearchOptions {
  /** How hybrid search joins its two rankings. The first is the default. */
  fusions?: SearchChoice[];
  /** The modes that can stop at a jump in score or distance. */
  autocut?: SearchMode[];
  /** The modes that can leave out rows beyond a distance. */
  maxDistance?: SearchMode[];
  /** The columns that keyword and hybrid search look into. Each can have a whole weight of 1 or more. */
  keywordColumns?: string[];
  /** Keyword and hybrid search can require every word of the text. */
  allWords?: boolean;
  /** How the distances to several target vectors become one. The first is the default. */
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
  /** Say of each row why it was found. May cost a second request. */
  explain?: boolean;
}

/** Why a search found a row, in the database's own figures. */
export interface SearchExplanation {
  /** Words of the text that the row holds; empty where it holds none. Absent where keywords played no part. */
  terms?: SearchTerm[];
  /** Hybrid: the side's part of the row's score. Absent where that side did not find the row. */
  keyword?: ScorePart;
  vector?: ScorePart;
}

export interface SearchTerm {
  term: string;
  /** How often the row holds it; an older server multiplies by the weight of the property. */
  count: number;
  /** Words in the text that holds it: the same count weighs less in a longer text. */
  length?: number;
}

export interface ScorePart {
  /** The shares of both sides add up to the row's score. */
  share: number;
  /** The side's own score, before it was scaled. */
  score?: number;
}

/** Values for what `SearchOptions` offers. The driver rejects one that it does not offer here. */
export interface SearchSettings {
  /** A name of `fusions`. */
  fusion?: string;
  /** Stops before the n-th jump. */
  autocut?: number;
  maxDistance?: number;
  /** Absent: every column of `keywordColumns`, with weight 1. */
  keywordColumns?: { column: string; weight: number }[];
  allWords?: boolean;
  /** Several target vectors in place of `targetVector`. `join` is a name of `joins`. */
  targets?: { join: string; vectors: { name: string; weight?: number }[] };
  groupBy?: { column: string; groups: number; rowsPerGroup: number };
  /** `text` defaults to the text of the search. */
  rerank?: { column: string; text?: string };
}

/** A page of the grid or a search, to be shown as code. */
export type ShownRequest =
  | { kind: 'browse'; request: BrowseRequest }
  | { kind: 'search'; request: SearchRequest };

/** One way to write a request. It holds no secret of the connection. */
export interface RequestCode {
  /** For the tab: `GraphQL`, `Python`. */
  label: string;
  /** For the file's ending and the colours: `graphql`, `http`, `python`, `typescript`, `sql`. */
  language: string;
  text: string;
}

export type EditorSchema =
  | { language: 'sql'; tables: Record<string, string[]> }
  | { language: 'graphql'; sdl: string; requests?: EditorRequests };

/** The request lines, `<METHOD> <path>`, that the editor offers beside its language. */
export interface EditorRequests {
  /** May stand before each path and may be left out: `/v1`. */
  prefix?: string;
  paths: RequestPath[];
}

export interface RequestPath {
  method: string;
  /** `/objects/{table}/{id}`: the app puts the names of the tables in place of `{table}`, the user fills any other. */
  path: string;
  /** What it does, in a few words. */
  summary: string;
  /** Of its query: `limit`, or with a value, `class={table}`. */
  parameters?: string[];
  /** JSON to begin the body with. `{table}` stands for the table of the path. */
  body?: string;
}
