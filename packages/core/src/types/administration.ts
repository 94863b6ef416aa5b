import type { UserAnswer } from './approvals.ts';
import type { Connection, ConnectionDraft } from './connections.ts';
import type { Copies } from './copies.ts';
import type { Imports } from './imports.ts';
import type { Token } from './tokens.ts';

/** The way an act of administration came in. The log names it. */
export type Door = 'window' | 'link' | 'commandLine';

export interface Actor {
  door: Door;
  /** The acts that widen what clients may do are refused to anybody else. */
  isPerson: boolean;
}

/** The administrator passphrase: how a person shows who they are where a program could come in as well. */
export interface Passphrase {
  isSet(): Promise<boolean>;
  /** The first one needs no current one. Every later one does. */
  set(passphrase: { current: string | null; next: string }): Promise<void>;
  /** Throws `passphrase_needed` where it is not right, or was guessed too often. */
  verify(typed: string): Promise<void>;
}

/** The effect of an import on one connection, in words for the person. */
export interface ImportedConnection {
  id: string | null;
  name: string;
  outcome: 'created' | 'replaced' | 'unchanged';
  /** `Host: db1 → db2`. */
  changes: string[];
  /** Those of the changes that widen what clients may do. */
  raises: string[];
  /** Labels of stored secrets that are dropped, since the connection leads elsewhere now. */
  droppedSecrets: string[];
}

/** Acts of administration by one actor: each is checked and logged here, whichever door it came through. */
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
  /** All of them or none. `dryRun` tells what would change. */
  importConnections(
    drafts: ConnectionDraft[],
    options: { replace: boolean; dryRun: boolean },
  ): Promise<ImportedConnection[]>;
  /** Begins to bring rows of a file into a table. The batches go to `core.imports`. */
  beginImport: Imports['begin'];
  /** Begins to copy a table. `core.copies` tells how far it is. */
  beginCopy: Copies['begin'];
  answer(questionId: string, answer: UserAnswer): Promise<void>;
  withdrawApproval(id: string): Promise<void>;
  setPassphrase(passphrase: { current: string | null; next: string }): Promise<void>;
}
