import type { Effect, Endpoint, TableLoss, Written } from '@trestle/driver-kit';

/** Whether the user can be asked: a window is open, one can be opened, or neither. */
export type Presence = 'window' | 'canOpen' | 'none';

interface ApprovalParties {
  connection: { id: string; name: string };
  tokenName: string;
  /** The client's own name for itself. */
  clientName: string;
}

export type ApprovalQuestion =
  /** Ask Each Time: a client without an approval calls the connection. `action` is the action of that call. */
  | (ApprovalParties & {
      kind: 'access';
      action: string;
      table: string | null;
      statement: string | null;
      /** The strongest effect that the client may have after an `allow`. */
      ceiling: Effect;
    })
  /** One run of one destructive statement. */
  | (ApprovalParties & {
      kind: 'destroy';
      statement: string;
      /** The driver's description of the statement's effect. */
      summary: string;
      /** How many rows of each table the statement would change or delete. */
      tables: TableLoss[];
      /** Some of these rows would be changed or deleted through a foreign key. */
      cascades: boolean;
      /** A digest of the schema. After a change of the schema, the statement may name another table. */
      schema: string;
      /** The loss in words, from `lossWords`. */
      loss: string;
      /** The user approved this statement before, and the data or the schema has changed since. */
      again: boolean;
      /** Text from the client. Do not trust it. */
      reason: string | null;
    })
  /** The client has written the rows of an hour. A yes allows `limit` once more. */
  | (ApprovalParties & {
      kind: 'budget';
      /** In the last hour, by the token, or by all bridge processes together. */
      used: Written;
      limit: Written;
      /** The rows that the waiting call would write. */
      wanted: Written;
      action: string;
      table: string | null;
      statement: string | null;
    })
  /** A table names an address to which the database would send a stored key. The approval holds for later calls. */
  | (ApprovalParties & {
      kind: 'endpoint';
      table: string;
      endpoints: Pick<Endpoint, 'setting' | 'value'>[];
      /** The names of the stored keys that could be sent. */
      keys: string[];
    });

/** A question that the user answers for one act of the client. The other kinds have an answer for later calls. */
export type OneTimeQuestion = WithoutParties<Exclude<ApprovalQuestion, { kind: 'access' | 'budget' }>>;

type WithoutParties<Question> = Question extends unknown ? Omit<Question, keyof ApprovalParties> : never;

/** The words of a question, the same in a window and at a terminal. */
export interface QuestionWords {
  title: string;
  /** The client's rights after an `allow`, in full sentences. */
  may: string;
  /** The act that the client asks for. */
  wants: string;
}

export type PendingApproval = ApprovalQuestion &
  QuestionWords & {
    id: string;
    /** The connection's driver: its id, and who published it. A driver may have a look-alike name. */
    driver: string;
    /** Four hexadecimal digits to type at a terminal, or eight after very many questions. */
    shortId: string;
    /** False: the client was refused, because no window could open. An approval then counts for its next try. */
    clientWaits: boolean;
    askedAt: string;
    /** When the question times out. It may be withdrawn earlier. */
    expiresAt: string;
  };

/**
 * The answer to a question. For an access question, `allow`: the client may use the connection while the
 * `GrantedApproval` holds. `allowOnce`: only the request that asked may use the connection. For a destructive
 * statement, both answers allow one run.
 */
export type UserAnswer = 'allow' | 'allowOnce' | 'refuse';

/**
 * An `allow` to an access question. It holds until the app stops or the user withdraws it. It also ends
 * when the client's token is revoked or deleted. A bridge process keeps its approval in that case.
 */
export interface GrantedApproval {
  id: string;
  connection: { id: string; name: string };
  tokenName: string;
  clientName: string;
  grantedAt: string;
  /** Stored keys of the connection may be sent to this address. Holds for every client, also after a restart. */
  endpoint?: Endpoint;
}

/**
 * Questions that wait for the user. Only a person allows them, in a window of the app or at a terminal
 * (`Administration.answer`).
 */
export interface ApprovalsQueue {
  /** Oldest first. */
  pending(): PendingApproval[];
  /** Throws `not_found` if the question no longer waits. */
  answer(id: string, answer: UserAnswer): void;
  /** The approvals that hold, newest first. Leaves out approvals for removed connections. */
  granted(): GrantedApproval[];
  /**
   * Withdraws the approval: the client must ask again, and its running calls on the connection end. Throws
   * `not_found` if the approval is gone already.
   */
  withdraw(id: string): void;
  presence(): Presence;
  /**
   * Starts as `none`. When set to `none`, no client waits any longer. Its question stays for some minutes if the user
   * can answer it at a terminal.
   */
  setPresence(presence: Presence): void;
}
