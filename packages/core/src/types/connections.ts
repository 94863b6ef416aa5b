import type { ConnectionFields, ConnectStage, MaskPattern, ServerInfo } from '@trestle/driver-kit';
import type { AppErrorDetails } from '../errors.ts';
import type { Caller } from './caller.ts';

export type ExternalClients = 'blocked' | 'readOnly' | 'readWrite';
export type AiPolicy = 'alwaysAllow' | 'askEachTime' | 'never';
export type SafeMode = 'off' | 'confirm' | 'readOnly';

/** The values that external clients see as •••. */
export interface Masking {
  /** `table.column` or `column`. `*` stands for any characters. */
  columns: string[];
  /** Kinds of values. Matching values are masked. A column with a matching value in any row is guarded. */
  patterns: MaskPattern[];
  /** Columns that stay open even if one of `patterns` matches. Written like the entries of `columns`. */
  open?: string[];
}

export interface ConnectionDraft {
  name: string;
  driver: string;
  /**
   * By manifest field id. A missing secret keeps its stored value, if the driver stays the same and `secretsFor` allows
   * it. Null or '' removes it.
   */
  fields: ConnectionFields;
  externalClients: ExternalClients;
  aiPolicy: AiPolicy;
  safeMode: SafeMode;
  color: string | null;
  /** One word for the environment, such as PROD. If missing, an update keeps the stored word. Null removes it. */
  word?: string | null;
  /** If missing, an update keeps the stored masking, and a new connection masks nothing. */
  masking?: Masking;
  /**
   * How many existing rows an external client may change or delete with one statement. A statement beyond this limit
   * counts as destructive. If missing, an update keeps the stored number, and a new connection has 100.
   */
  reachLimit?: number;
}

export interface Connection extends Omit<ConnectionDraft, 'fields'> {
  id: string;
  word: string | null;
  reachLimit: number;
  /** Without secrets. */
  fields: ConnectionFields;
  /** Ids of the secret fields that have a stored value. */
  storedSecrets: string[];
  sample: boolean;
  createdAt: string;
  updatedAt: string;
}

/** `stages`: the stages that were reached. After a failure, the last one counts as failed. */
export type TestResult = { stages: ConnectStage[] } & (
  | { ok: true; server: ServerInfo; warning?: string }
  | { ok: false; error: AppErrorDetails }
);

export interface TestOptions extends Pick<UpdateOptions, 'secretsFor'> {
  id?: string;
  signal: AbortSignal;
  /** Called when a stage begins. The stage before it has succeeded. */
  onStage?: (stage: ConnectStage) => void;
}

export interface UpdateOptions {
  /**
   * Called before anything is stored. Rejects if the change is refused. `isMoved`: the driver or a field that is not
   * secret changes, so the connection may lead to another database.
   */
  check?: (before: Connection, after: Connection, isMoved: boolean) => Promise<void>;
  /** `sameFields`: stored secrets are kept only if the driver and all other fields stay the same. */
  secretsFor?: 'anyFields' | 'sameFields';
}

export interface ImportOptions {
  /** Replace a saved connection that has the same name as a draft. */
  replace: boolean;
  /** Report what would change, and change nothing. */
  dryRun: boolean;
  check?: (summaries: ImportedConnection[]) => Promise<void>;
}

export interface Connections {
  list(): Connection[];
  get(id: string): Connection | undefined;
  /**
   * The connections that a caller may see. A client does not see those that are Blocked, whose AI Policy is Never, or
   * that its token's allowlist leaves out.
   */
  visibleTo(caller: Caller): Connection[];
  create(draft: ConnectionDraft, options?: { sample?: boolean }): Promise<Connection>;
  update(id: string, draft: ConnectionDraft, options?: UpdateOptions): Promise<Connection>;
  /** Saves all drafts or none. A replaced connection keeps stored secrets only if driver and fields stay the same. */
  importAll(drafts: ConnectionDraft[], options: ImportOptions): Promise<ImportedConnection[]>;
  remove(id: string): Promise<void>;
  /** Puts the connections in this order. */
  reorder(ids: string[]): void;
  /**
   * Opens, checks and closes a connection, but does not save it. Secrets that the draft lacks are taken from the saved
   * connection with the given `id`, if `secretsFor` allows it.
   */
  test(draft: ConnectionDraft, options: TestOptions): Promise<TestResult>;
}

/** The effect of an import on one connection, in words for the user. */
export interface ImportedConnection {
  id: string | null;
  name: string;
  outcome: 'created' | 'replaced' | 'unchanged';
  /** `Host: db1 → db2`. For a new connection, its fields and levels: `Host: db1`. */
  changes: string[];
  /** The changes that give clients more rights. */
  raises: string[];
  /**
   * The levels above the default, if the connection is new or may lead to another database than before. Once an
   * administrator passphrase is set, they need it.
   */
  aboveDefault: string[];
  /** Labels of the stored secrets that are dropped because the driver or a field changes. */
  droppedSecrets: string[];
}
