import type { TableLoss } from '@trestle/driver-kit';

/** Whether the user can be asked: a window is open, one can be opened, or neither. */
export type Presence = 'window' | 'canOpen' | 'none';

interface ApprovalParties {
  connection: { id: string; name: string };
  tokenName: string;
  /** As the client declares itself. */
  clientName: string;
}

export type ApprovalQuestion =
  /** Ask Each Time: the first call of a client on a connection, with what it wants to do first. */
  | (ApprovalParties & { kind: 'access'; action: string; table: string | null; statement: string | null })
  /** One run of one destructive statement. */
  | (ApprovalParties & {
      kind: 'destroy';
      statement: string;
      /** The driver's words for what it does. */
      summary: string;
      /** How many rows of each table are changed or deleted. */
      tables: TableLoss[];
      /** Some of them go along through a foreign key. */
      cascades: boolean;
      /** The user approved it before, and the data has changed since. */
      again: boolean;
      /** The client's words: not to be trusted. */
      reason: string | null;
    });

export type PendingApproval = ApprovalQuestion & {
  id: string;
  askedAt: string;
  /** When it counts as not approved; it may be withdrawn before. */
  expiresAt: string;
};

/** `allow`: until the app stops, for this client and connection. `allowOnce`: for the one request that asked. */
export type UserAnswer = 'allow' | 'allowOnce' | 'refuse';

/** A yes that holds until the app stops, or until the user withdraws it. */
export interface GrantedApproval {
  id: string;
  connection: { id: string; name: string };
  tokenName: string;
  clientName: string;
  grantedAt: string;
}

/** What waits for the user. Only the app's own window may answer. */
export interface ApprovalsQueue {
  /** Oldest first. */
  pending(): PendingApproval[];
  /** `not_found` where it no longer waits. */
  answer(id: string, answer: UserAnswer): void;
  /** The answers that hold, the latest first. */
  granted(): GrantedApproval[];
  /** The client is asked about again, and what it runs on the connection ends. `not_found` where it no longer holds. */
  withdraw(id: string): void;
  presence(): Presence;
  /** `none` at first. Set to `none`, what waits is denied. */
  setPresence(presence: Presence): void;
}
