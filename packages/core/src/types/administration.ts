import type { Design, DesignPlan, DesignSource, Loss, PlanRequest } from '@trestle/driver-kit';
import type { ActRequest } from './acts.ts';
import type { UserAnswer } from './approvals.ts';
import type { Connection, ConnectionDraft, ImportedConnection } from './connections.ts';
import type { Copies } from './copies.ts';
import type { QueryOutcome } from './data.ts';
import type { Exports } from './exports.ts';
import type { Imports } from './imports.ts';
import type { SettingsValues } from './settings.ts';
import type { Token } from './tokens.ts';

/** How an act of administration reached the app. The log names the door. */
export type Door = 'window' | 'link' | 'commandLine';

export interface Actor {
  door: Door;
  /**
   * Whether a person acts. Only a person may create a Full Access token, give clients more rights on a saved connection
   * or allow what a client asks for. Imports, copies and exports by a program are limited (`ProgramRights`).
   */
  isPerson: boolean;
}

/** The administrator passphrase. It proves that a person acts, where a program could act too. */
export interface Passphrase {
  isSet(): Promise<boolean>;
  /** The first passphrase needs no `current`. A later passphrase needs the current one. */
  set(passphrase: { current: string | null; next: string }): Promise<void>;
  /** Throws `passphrase_needed` if `typed` is wrong, if no passphrase is set, or after too many wrong ones. */
  verify(typed: string): Promise<void>;
}

/** Acts of administration by one actor. They are checked and logged here, for every door. A dry run is not logged. */
export interface Administration {
  createToken(draft: Pick<Token, 'name' | 'permission' | 'allowlist' | 'expiresAt'>): Promise<{
    token: Token;
    secret: string;
  }>;
  revokeToken(id: string): Promise<void>;
  removeToken(id: string): Promise<void>;
  createConnection(draft: ConnectionDraft): Promise<Connection>;
  updateConnection(id: string, draft: ConnectionDraft): Promise<Connection>;
  removeConnection(id: string): Promise<void>;
  /** Saves all connections or none. With `dryRun`, saves nothing and returns the planned changes. */
  importConnections(
    drafts: ConnectionDraft[],
    options: { replace: boolean; dryRun: boolean },
  ): Promise<ImportedConnection[]>;
  /** Starts an import of rows into a table. The batches go to `core.imports`. */
  beginImport: Imports['begin'];
  /** Starts a copy of a table. `core.jobs` has its progress. */
  beginCopy: Copies['begin'];
  /** The design of a table, a definition or the columns of a file. */
  readDesign(connectionId: string, source: DesignSource, signal: AbortSignal): Promise<Design>;
  planDesign(connectionId: string, request: PlanRequest, signal: AbortSignal): Promise<DesignPlan>;
  /** Starts an act. `core.jobs` has its progress. */
  beginAct(request: ActRequest, signal: AbortSignal): Promise<{ id: string }>;
  /** Starts to read a table for a file. `core.exports` returns the rows. */
  beginExport: Exports['begin'];
  /** Runs one statement from a terminal. A person sees first what a destructive statement would lose. */
  runStatement(request: StatementRequest, signal: AbortSignal): Promise<StatementAnswer>;
  /** Only a person may raise the rows that clients may write in an hour. */
  updateSettings(patch: Partial<SettingsValues>): Promise<SettingsValues>;
  /** A refusal needs no person. */
  answer(questionId: string, answer: UserAnswer): Promise<void>;
  withdrawApproval(id: string): Promise<void>;
  setPassphrase(passphrase: { current: string | null; next: string }): Promise<void>;
}

export interface StatementRequest {
  connectionId: string;
  text: string;
  /** The maximum number of rows per result. */
  limit: number;
  /** Defaults to the statement timeout of the settings. */
  timeoutMs?: number | undefined;
  /** The loss that the person has seen and confirmed. The statement runs only if its loss is still the same. */
  approved?: Loss | undefined;
}

export type StatementAnswer =
  | { state: 'done'; outcome: QueryOutcome }
  /** Nothing ran. The person must see the loss and send it as `approved`. `words`: the loss as a sentence. */
  | { state: 'confirm'; summary: string; loss: Loss; words: string };
