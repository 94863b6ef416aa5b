import { randomUUID } from 'node:crypto';
import type { TableLoss } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import { SharedTask } from '../shared-task.ts';
import type { ApprovalQuestion, Caller, Connection, GrantedApproval } from '../types.ts';
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
 * The user's answers to clients. A yes to access holds until the app stops or the user withdraws it, for the client
 * that asked, or for its one request. A no holds for a minute, for the whole token or bridge process: a client that
 * renames itself has still been refused.
 */
export class Approvals {
  readonly #granted = new Map<string, GrantedApproval>();
  /** By the signal of a request, the connections that the user allowed it once. */
  readonly #once = new WeakMap<AbortSignal, Set<string>>();
  readonly #refusals: Refusals;
  readonly #pending = new Map<string, SharedTask<AccessAnswer>>();
  readonly #queue: ApprovalQueue;

  readonly #options: { events: Pick<EventHub, 'emit'>; onWithdrawn(grant: Withdrawn): void };

  constructor(options: {
    queue: ApprovalQueue;
    refusalMs: number;
    events: Pick<EventHub, 'emit'>;
    onWithdrawn(grant: Withdrawn): void;
  }) {
    this.#options = options;
    this.#queue = options.queue;
    this.#refusals = new Refusals(options.refusalMs);
  }

  /** `request`: the signal of the client's request, where there is one. */
  state(caller: Caller, connectionId: string, request?: AbortSignal): ApprovalState {
    if (caller.kind === 'person' || this.#granted.has(accessKey(caller, connectionId))) return 'granted';
    if (request && this.#once.get(request)?.has(connectionId)) return 'granted';
    return this.#refusals.covers(caller, connectionId) ? 'refused' : 'unasked';
  }

  /** The latest first. */
  granted(): GrantedApproval[] {
    return [...this.#granted.values()].reverse();
  }

  withdraw(id: string): void {
    const [key, grant] = [...this.#granted].find(([, approval]) => approval.id === id) ?? [];
    if (key === undefined || !grant) {
      throw new AppError({ code: 'not_found', message: 'This approval no longer holds' });
    }
    this.#granted.delete(key);
    const connectionId = grant.connection.id;
    this.#options.onWithdrawn({
      connectionId,
      isCaller: (caller) => caller.kind === 'client' && accessKey(caller, connectionId) === key,
    });
    this.#options.events.emit({ type: 'approvalsChanged' });
  }

  /** Calls that come while the user is being asked wait for that one answer. An answer for one request is its alone. */
  async ask(
    caller: Client,
    connection: Connection,
    subject: CallSubject,
    call: { signal: AbortSignal; request: AbortSignal },
  ): Promise<ApprovalState> {
    for (;;) {
      const waiting = this.#pending.get(accessKey(caller, connection.id));
      const answer = await (waiting ?? this.#put(caller, connection, subject)).join(call.signal);
      if (answer !== 'once') return answer;
      if (!waiting) {
        const allowed = this.#once.get(call.request) ?? new Set();
        this.#once.set(call.request, allowed.add(connection.id));
      }
      const state = this.state(caller, connection.id, call.request);
      if (state !== 'unasked') return state;
    }
  }

  #put(
    caller: Client,
    connection: Connection,
    { action, table, text }: CallSubject,
  ): SharedTask<AccessAnswer> {
    const id = accessKey(caller, connection.id);
    const asked: ApprovalQuestion = {
      kind: 'access',
      ...parties(caller, connection),
      action,
      table: table ?? null,
      statement: text ?? null,
    };
    const question = new SharedTask((abandoned) => this.#ask(id, asked, { caller, connection }, abandoned));
    this.#pending.set(id, question);
    return question;
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

  #grant(key: string, caller: Client, connection: Connection): void {
    const grantedAt = new Date().toISOString();
    const approval = { id: randomUUID(), ...parties(caller, connection), grantedAt };
    this.#granted.set(key, approval);
    this.#options.events.emit({ type: 'approvalsChanged' });
  }

  async #ask(
    id: string,
    question: ApprovalQuestion,
    { caller, connection }: { caller: Client; connection: Connection },
    abandoned: AbortSignal,
  ): Promise<AccessAnswer> {
    const forget = () => this.#pending.delete(id);
    // A call that comes after the last one left must put a question of its own, not join a dead one.
    abandoned.addEventListener('abort', forget, { once: true });
    try {
      const answer = await this.#queue.ask(question, abandoned);
      if (answer === 'allowOnce') return 'once';
      const state = states[answer];
      if (state === 'granted') this.#grant(id, caller, connection);
      if (state === 'refused') this.#refusals.add(caller, connection.id);
      return state;
    } finally {
      if (!abandoned.aborted) forget();
    }
  }
}

/** `once`: for the request that asked alone. */
type AccessAnswer = ApprovalState | 'once';

/** The connection and the client of a withdrawn approval. */
export interface Withdrawn {
  connectionId: string;
  isCaller(caller: Caller): boolean;
}

const states: Record<ApprovalAnswer, ApprovalState> = {
  allow: 'granted',
  allowOnce: 'granted',
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
