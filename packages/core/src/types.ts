import type {
  BrowseRequest,
  Capability,
  ChangeOutcome,
  ChangePreview,
  ChangeSet,
  Classification,
  ConnectionFields,
  CountRequest,
  EditorSchema,
  Effect,
  ExportRequest,
  Manifest,
  Page,
  Partition,
  ReadCellsRequest,
  RowSet,
  RunOutcome,
  SearchRequest,
  ServerInfo,
  TableDescription,
  TableSummary,
} from '@trestle/driver-kit';
import type { ApprovalsQueue } from './access/approval-types.ts';
import type { AppErrorDetails } from './errors.ts';

/** Everything the app can do, without HTTP, MCP or React. `createCore()` wires it. */
export interface Core {
  readonly drivers: Drivers;
  readonly connections: Connections;
  readonly sessions: Sessions;
  readonly data: Data;
  readonly history: History;
  readonly activity: Activity;
  readonly approvals: ApprovalsQueue;
  readonly tokens: Tokens;
  readonly settings: Settings;
  readonly uiState: UiState;
  readonly secrets: SecretsInfo;
  readonly events: Events;
  close(): Promise<void>;
}

// ---- who asks -------------------------------------------------------------------------------------

export type Permission = 'readOnly' | 'readWrite' | 'fullAccess';

export type Caller =
  | { kind: 'person' }
  | {
      kind: 'client';
      token: { id: string; name: string; permission: Permission; allowlist: string[] | null };
      /** As the client declares itself: good for showing, never for trust. */
      clientName: string;
      /** Tells bridge processes apart, which all share one token. */
      process: string | null;
    };

// ---- connections ----------------------------------------------------------------------------------

export type ExternalClients = 'blocked' | 'readOnly' | 'readWrite';
export type AiPolicy = 'alwaysAllow' | 'askEachTime' | 'never';
export type SafeMode = 'off' | 'confirm' | 'readOnly';

export type MaskPattern = 'email' | 'card' | 'phone';

/** What external clients see as •••, whichever way they read it. */
export interface Masking {
  /** `table.column` or `column`, as stored; `*` stands for any characters. */
  columns: string[];
  /** Any value that holds such a text. */
  patterns: MaskPattern[];
}

export interface ConnectionDraft {
  name: string;
  driver: string;
  /** By manifest field id. A secret left out keeps its stored value; null or '' removes it. */
  fields: ConnectionFields;
  externalClients: ExternalClients;
  aiPolicy: AiPolicy;
  safeMode: SafeMode;
  color: string | null;
  /** Left out, an update keeps what is stored, and a new connection masks nothing. */
  masking?: Masking;
}

export interface Connection extends Omit<ConnectionDraft, 'fields'> {
  id: string;
  /** Without secrets. */
  fields: ConnectionFields;
  /** Ids of the secret fields that have a stored value. */
  storedSecrets: string[];
  sample: boolean;
  createdAt: string;
  updatedAt: string;
}

export type TestResult =
  | { ok: true; server: ServerInfo; warning?: string }
  | { ok: false; error: AppErrorDetails };

export interface Connections {
  list(): Connection[];
  get(id: string): Connection | undefined;
  /** Those a caller may know of: for clients without the blocked, the never-shared and the not allowlisted. */
  visibleTo(caller: Caller): Connection[];
  create(draft: ConnectionDraft, options?: { sample?: boolean }): Promise<Connection>;
  update(id: string, draft: ConnectionDraft): Promise<Connection>;
  remove(id: string): Promise<void>;
  /** Puts the connections in this order. */
  reorder(ids: string[]): void;
  /** Opens, checks and closes; nothing is stored. `id` supplies stored secrets the draft leaves out. */
  test(draft: ConnectionDraft, options: { id?: string; signal: AbortSignal }): Promise<TestResult>;
}

export interface DriverDetails {
  manifest: Manifest;
  /** Ships with the app. */
  bundled: boolean;
  /** Of the package it was installed from, as `sha512-<base64>`. */
  integrity: string | null;
}

export type InstallStep = 'read' | 'unpack' | 'manifest' | 'load' | 'install';

export interface InstallOptions {
  signal: AbortSignal;
  /** Called as each step begins. */
  onStep?: (step: InstallStep) => void;
}

export interface Drivers {
  list(): Manifest[];
  get(id: string): Manifest | undefined;
  details(): DriverDetails[];
  /** Replaces any other version of the driver; refused while connections use it. A failure changes nothing. */
  installFromFile(path: string, options: InstallOptions): Promise<DriverDetails>;
  /** Refused while connections use it. Saved connections stay, and say that the driver is missing. */
  remove(id: string): Promise<void>;
}

// ---- sessions -------------------------------------------------------------------------------------

export type SessionState = 'disconnected' | 'connecting' | 'connected' | 'reconnecting' | 'failed';

export interface SessionStatus {
  connectionId: string;
  state: SessionState;
  server?: ServerInfo;
  capabilities: Capability[];
  /** The server answers, but is not well. */
  warning?: string;
  /** Why it is `reconnecting` or `failed`, or `disconnected` after its driver's process ended by itself. */
  error?: AppErrorDetails;
  /** When the next attempt follows, while `reconnecting`. */
  retryAt?: string;
  /** Of the driver's process, while there is one. */
  pid?: number;
}

export interface Sessions {
  status(connectionId: string): SessionStatus;
  statuses(): SessionStatus[];
  /** Opens the session, or waits for the one being opened. */
  open(access: DataAccess): Promise<SessionStatus>;
  /** The access decision alone, with the user's approval and a log entry; opens nothing. */
  admit(access: DataAccess, action: string): Promise<void>;
  /** Whether the caller's next call there would wait for the user; asks nobody. */
  needsApproval(caller: Caller, connectionId: string): boolean;
  close(connectionId: string): Promise<void>;
  /** The same for a caller, as an access like any other. */
  closeAs(access: DataAccess): Promise<void>;
}

// ---- data -----------------------------------------------------------------------------------------

export interface DataAccess {
  caller: Caller;
  connectionId: string;
  signal: AbortSignal;
  /** Absent: the statement timeout of the settings. */
  timeoutMs?: number;
}

/** The only ways to data. Each goes through the access decision and the log; opens the session if need be. */
export interface Data {
  tables(access: DataAccess): Promise<TableSummary[]>;
  describe(access: DataAccess, table: string): Promise<TableDescription>;
  browse(access: DataAccess, request: BrowseRequest): Promise<Page>;
  count(access: DataAccess, request: CountRequest): Promise<number>;
  readCells(access: DataAccess, request: ReadCellsRequest): Promise<RowSet>;
  partitions(access: DataAccess, table: string): Promise<Partition[]>;
  search(access: DataAccess, request: SearchRequest): Promise<Page>;
  editorSchema(access: DataAccess): Promise<EditorSchema>;
  previewChanges(access: DataAccess, changes: ChangeSet): Promise<ChangePreview[]>;
  applyChanges(access: DataAccess, changes: ChangeSet): Promise<ChangeOutcome[]>;
  exportRows(access: DataAccess, request: ExportRequest): AsyncIterable<RowSet>;
  classify(access: DataAccess, text: string): Promise<Classification>;
  runQuery(access: DataAccess, request: QueryRequest): Promise<QueryOutcome>;
  /** A statement that destroys, after the user approved this one run of it in the app. */
  runDestructive(access: DataAccess, request: DestructiveRequest): Promise<QueryOutcome>;
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
  historyId: string;
  durationMs: number;
}

// ---- history and activity -------------------------------------------------------------------------

export interface HistoryEntry {
  id: string;
  connectionId: string;
  /** 'person', or the name of the token. */
  caller: string;
  text: string;
  effect: Effect | null;
  outcome: 'ok' | 'error' | 'cancelled';
  error: string | null;
  rows: number | null;
  durationMs: number;
  at: string;
}

export interface History {
  /** Newest first. `before` is the id of the last entry already seen. */
  search(query: { connectionIds?: string[]; text?: string; limit: number; before?: string }): HistoryEntry[];
  /** The same for a caller: of the connections it may know of, with what is masked for it masked. */
  searchAs(
    caller: Caller,
    query: { connectionIds?: string[]; text?: string; limit: number; before?: string },
  ): HistoryEntry[];
  remove(id: string): void;
  clear(connectionId?: string): void;
}

export interface ActivityEntry {
  id: number;
  at: string;
  /** `authenticate`, `query`, `browse`, … */
  action: string;
  tokenName: string | null;
  clientName: string | null;
  connectionId: string | null;
  outcome: 'ok' | 'error' | 'denied' | 'cancelled';
  detail: string | null;
  durationMs: number | null;
  rows: number | null;
  /** SHA-256 of the statement, never its text. */
  digest: string | null;
}

/** Every part that is given must fit. */
export interface ActivityFilter {
  tokenName?: string;
  clientName?: string;
  connectionId?: string;
  action?: string;
  outcome?: ActivityEntry['outcome'];
  /** Found in the action, the names, the detail or the digest. */
  text?: string;
  /** ISO dates: from, and up to but without. */
  since?: string;
  until?: string;
}

export interface ActivityCheck {
  ok: boolean;
  /** How many rows were found right. */
  checked: number;
  problem?: string;
}

export interface Activity {
  record(entry: Omit<ActivityEntry, 'id' | 'at'>): void;
  /** Newest first. `before` is the id of the last entry already seen. */
  list(query: ActivityFilter & { limit: number; before?: number }): ActivityEntry[];
  /** In pieces, newest first, with a head line. */
  exportCsv(filter?: ActivityFilter): Iterable<string>;
  /** Goes through the whole chain: a row changed, removed or moved shows, the last one included. */
  verify(): Promise<ActivityCheck>;
}

export type {
  ApprovalQuestion,
  ApprovalsQueue,
  PendingApproval,
  Presence,
} from './access/approval-types.ts';

// ---- tokens ---------------------------------------------------------------------------------------

export interface Token {
  id: string;
  name: string;
  permission: Permission;
  /** Connection ids; null admits every connection. */
  allowlist: string[] | null;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export interface Tokens {
  list(): Token[];
  /** `secret` is the whole token, shown this once. */
  create(token: Pick<Token, 'name' | 'permission' | 'allowlist' | 'expiresAt'>): {
    token: Token;
    secret: string;
  };
  revoke(id: string): void;
  remove(id: string): void;
  /** The token whose text this is, in constant time; `expired` and `revoked` told apart for the error. */
  verify(text: string): { ok: true; token: Token } | { ok: false; reason: 'unknown' | 'expired' | 'revoked' };
}

// ---- settings, what the window remembers, events -----------------------------------------------------

export interface SettingsValues {
  theme: 'system' | 'light' | 'dark';
  mcpEnabled: boolean;
  mcpPort: number;
  statementTimeoutSeconds: number;
  pageSize: number;
  /** For each token; for the bridge's token, for each bridge process. */
  mcpRequestsPerMinute: number;
  mcpConcurrentRequests: number;
  /** So many failed authentications within the window lock out for the time after it. */
  mcpLockoutAttempts: number;
  mcpLockoutWindowSeconds: number;
  mcpLockoutSeconds: number;
  mcpBodyMegabytes: number;
  mcpSockets: number;
}

export interface Settings {
  get(): SettingsValues;
  update(patch: Partial<SettingsValues>): SettingsValues;
}

export interface UiState {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

export interface SecretsInfo {
  /** Where secrets are kept, and why not in the keychain where they are not. */
  store: 'keychain' | 'file';
  reason: string | null;
}

export type CoreEvent =
  | { type: 'connectionsChanged' }
  | { type: 'driversChanged' }
  | { type: 'sessionChanged'; status: SessionStatus }
  /** A statement may have changed the tables themselves. */
  | { type: 'schemaChanged'; connectionId: string }
  | { type: 'rowsChanged'; connectionId: string; table: string }
  | { type: 'tokensChanged' }
  | { type: 'settingsChanged'; settings: SettingsValues }
  | { type: 'historyChanged'; connectionId: string }
  | { type: 'approvalsChanged' }
  /** A question waits and no window shows it: open one. */
  | { type: 'attentionNeeded' };

export interface Events {
  on(listener: (event: CoreEvent) => void): () => void;
  /** For what changes data round the core: a sample that was put back. */
  emit(event: CoreEvent): void;
}
