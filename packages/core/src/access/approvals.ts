import type { TableLoss } from '@trestle/driver-kit';
import { SharedTask } from '../sessions/shared-task.ts';
import type { ApprovalQuestion, Caller, Connection } from '../types.ts';
import type { ApprovalAnswer, ApprovalQueue } from './approval-queue.ts';
import type { ApprovalState } from './decide-access.ts';
import { readingOf } from './plain-name.ts';
import { holderOf, Refusals } from './refusals.ts';

/** What a call is about, for the user who is asked. */
export interface CallSubject {
  action: string;
  table?: string;
  text?: string;
}

/** What a destructive statement would take away. */
export interface Loss {
  text: string;
  summary: string;
  tables: TableLoss[];
  cascades: boolean;
  /** The user approved it before, and the data has changed since. */
  again: boolean;
  reason: string | null;
}

type Client = Extract<Caller, { kind: 'client' }>;

/**
 * The user's answers to clients. A yes to access holds until the app stops, for the client that asked. A no holds for a
 * minute, for the whole token or bridge process: a client that renames itself has still been refused.
 */
export class Approvals {
  readonly #granted = new Set<string>();
  readonly #refusals: Refusals;
  readonly #pending = new Map<string, SharedTask<ApprovalState>>();
  readonly #queue: ApprovalQueue;

  constructor(options: { queue: ApprovalQueue; refusalMs: number }) {
    this.#queue = options.queue;
    this.#refusals = new Refusals(options.refusalMs);
  }

  state(caller: Caller, connectionId: string): ApprovalState {
    if (caller.kind === 'person' || this.#granted.has(accessKey(caller, connectionId))) return 'granted';
    return this.#refusals.covers(caller, connectionId) ? 'refused' : 'unasked';
  }

  /** Calls that come while the user is being asked wait for that one answer. */
  async ask(
    caller: Client,
    connection: Connection,
    { action, table, text }: CallSubject,
    signal: AbortSignal,
  ): Promise<ApprovalState> {
    const id = accessKey(caller, connection.id);
    let question = this.#pending.get(id);
    if (!question) {
      const asked: ApprovalQuestion = {
        kind: 'access',
        ...parties(caller, connection),
        action,
        table: table ?? null,
        statement: text ?? null,
      };
      question = new SharedTask((abandoned) => this.#ask(id, asked, { caller, connection }, abandoned));
      this.#pending.set(id, question);
    }
    return question.join(signal);
  }

  /**
   * For this one run of this one text. Only a no is remembered, for every text: one blank more would make another
   * text, and a client must not ask on and on.
   */
  async askToDestroy(
    caller: Client,
    connection: Connection,
    { text, ...loss }: Loss,
    signal: AbortSignal,
  ): Promise<ApprovalState> {
    if (this.#refusals.covers(caller, `${connection.id} destroy`)) return 'refused';
    const question: ApprovalQuestion = {
      kind: 'destroy',
      ...parties(caller, connection),
      statement: text,
      ...loss,
    };
    const state = states[await this.#queue.ask(question, signal)];
    if (state === 'refused') this.#refusals.add(caller, `${connection.id} destroy`);
    return state;
  }

  async #ask(
    id: string,
    question: ApprovalQuestion,
    { caller, connection }: { caller: Client; connection: Connection },
    abandoned: AbortSignal,
  ): Promise<ApprovalState> {
    const forget = () => this.#pending.delete(id);
    // A call that comes after the last one left must put a question of its own, not join a dead one.
    abandoned.addEventListener('abort', forget, { once: true });
    try {
      const state = states[await this.#queue.ask(question, abandoned)];
      if (state === 'granted') this.#granted.add(id);
      if (state === 'refused') this.#refusals.add(caller, connection.id);
      return state;
    } finally {
      if (!abandoned.aborted) forget();
    }
  }
}

const states: Record<ApprovalAnswer, ApprovalState> = {
  allow: 'granted',
  refuse: 'refused',
  nobody: 'nobody',
  unanswered: 'unanswered',
  crowded: 'crowded',
};

/** A declared name can be forged, so it only ever narrows: the token or the bridge's process comes first. */
function accessKey(caller: Client, connectionId: string): string {
  return JSON.stringify([holderOf(caller), readingOf(caller.clientName), connectionId]);
}

function parties(caller: Client, connection: Connection) {
  return {
    connection: { id: connection.id, name: connection.name },
    tokenName: caller.token.name,
    clientName: caller.clientName,
  };
}
