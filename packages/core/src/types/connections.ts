import type { ConnectionFields, ConnectStage, ServerInfo } from '@trestle/driver-kit';
import type { AppErrorDetails } from '../errors.ts';
import type { ImportedConnection } from './administration.ts';
import type { Caller } from './caller.ts';

export type ExternalClients = 'blocked' | 'readOnly' | 'readWrite';
export type AiPolicy = 'alwaysAllow' | 'askEachTime' | 'never';
export type SafeMode = 'off' | 'confirm' | 'readOnly';

export type MaskPattern = 'email' | 'card' | 'phone';

/** What external clients see as •••, whichever way they read it. */
export interface Masking {
  /** `table.column` or `column`, as stored; `*` stands for any characters. */
  columns: string[];
  /** Columns that hold such a value anywhere. */
  patterns: MaskPattern[];
  /** Columns that stay open whatever `patterns` finds in them, named like `columns`. */
  open?: string[];
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
  /** Says in a word which one it is, such as PROD. Left out, an update keeps what is stored; null removes it. */
  word?: string | null;
  /** Left out, an update keeps what is stored, and a new connection masks nothing. */
  masking?: Masking;
  /**
   * How many existing rows an external client may change or delete by one statement; more is destructive. Left
   * out, an update keeps what is stored, and a new connection has 100.
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

/** `stages`: how far it came; where it failed, the last one is the stage that did. */
export type TestResult = { stages: ConnectStage[] } & (
  | { ok: true; server: ServerInfo; warning?: string }
  | { ok: false; error: AppErrorDetails }
);

export interface TestOptions extends Pick<UpdateOptions, 'secretsFor'> {
  id?: string;
  signal: AbortSignal;
  /** A stage begins: the one before has succeeded. */
  onStage?: (stage: ConnectStage) => void;
}

export interface UpdateOptions {
  /** Rejects where the change is refused, before anything is stored. */
  check?: (before: Connection, after: Connection) => Promise<void>;
  /** `sameFields`: stored secrets go nowhere but where they went before. */
  secretsFor?: 'anyFields' | 'sameFields';
}

export interface ImportOptions {
  /** Puts a connection in the place of the one with the same name. */
  replace: boolean;
  /** Tells what would change, and changes nothing. */
  dryRun: boolean;
  check?: (summaries: ImportedConnection[]) => Promise<void>;
}

export interface Connections {
  list(): Connection[];
  get(id: string): Connection | undefined;
  /** Those a caller may know of: for clients without the blocked, the never-shared and the not allowlisted. */
  visibleTo(caller: Caller): Connection[];
  create(draft: ConnectionDraft, options?: { sample?: boolean }): Promise<Connection>;
  update(id: string, draft: ConnectionDraft, options?: UpdateOptions): Promise<Connection>;
  /** All of them or none. A stored secret stays only where a replaced connection leads to the same place. */
  importAll(drafts: ConnectionDraft[], options: ImportOptions): Promise<ImportedConnection[]>;
  remove(id: string): Promise<void>;
  /** Puts the connections in this order. */
  reorder(ids: string[]): void;
  /** Opens, checks and closes; nothing is stored. `id` supplies stored secrets the draft leaves out. */
  test(draft: ConnectionDraft, options: TestOptions): Promise<TestResult>;
}
