import { randomUUID } from 'node:crypto';
import type { EndpointNeed } from '@trestle/driver-kit';
import { readingOf } from '@trestle/driver-kit/plain-name';
import { AppError } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import type { OwnText } from '../own-text.ts';
import { SharedTask } from '../shared-task.ts';
import type { ApprovalQuestion, Caller, Connection, GrantedApproval, OneTimeQuestion } from '../types.ts';
import type { ApprovalAnswer, ApprovalQueue } from './approval-queue.ts';
import { type ApprovalState, ceilingOf, isBridge } from './decide-access.ts';
import type { LeaveQuestion } from './leave-question.ts';
import { type LeftQuestions, subjectOf } from './left-questions.ts';
import { holderOf, Refusals } from './refusals.ts';

/** The subject of a call, shown to the user in the question. */
export interface CallSubject {
  action: string;
  table?: string;
  text?: string;
}

type Client = Extract<Caller, { kind: 'client' }>;

interface ApprovalsOptions {
  queue: ApprovalQueue;
  left: LeftQuestions;
  refusalMs: number;
  events: Pick<EventHub, 'emit'>;
  onWithdrawn(grant: Withdrawn): void;
  leave: LeaveQuestion;
  /** The user allowed the database to send stored keys to these addresses. */
  onEndpoints(caller: Client, connection: Connection, need: EndpointNeed): void;
}

/**
 * The user's answers to clients. "Allow" holds for the client that asked, until the app stops or the user withdraws it.
 * It also ends when the token is revoked or deleted, except for a bridge process. "Allow once" holds for the request
 * that asked. A refusal holds for `refusalMs`, also if the client declares a new name.
 */
export class Approvals {
  readonly #granted = new Map<string, { approval: GrantedApproval; caller: Client }>();
  /** For each request (keyed by its signal): the connections that the user allowed once. */
  readonly #once = new WeakMap<AbortSignal, Set<string>>();
  readonly #refusals: Refusals;
  readonly #pending = new Map<string, SharedTask<AccessAnswer>>();
  /** How often each connection has been led to another database. */
  readonly #moves = new Map<string, number>();
  /** How often the keys of each connection, or the server that gets them, have changed. */
  readonly #keyChanges = new Map<string, number>();
  readonly #endpointQuestions = new Map<string, SharedTask<ApprovalState>>();
  readonly #queue: ApprovalQueue;

  readonly #left: LeftQuestions;
  readonly #options: Pick<ApprovalsOptions, 'events' | 'onWithdrawn' | 'leave' | 'onEndpoints'>;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
    this.#queue = options.queue;
    this.#left = options.left;
    this.#refusals = new Refusals(options.refusalMs);
  }

  /** `request`: the signal of the client's request, if there is one. */
  state(caller: Caller, connectionId: string, request?: AbortSignal): ApprovalState {
    if (caller.kind === 'person' || this.#granted.has(accessKey(caller, connectionId))) return 'granted';
    if (request && this.#once.get(request)?.has(connectionId)) return 'granted';
    return this.#refusals.covers(caller, connectionId) ? 'refused' : 'unasked';
  }

  noteAdmitted(caller: Client, since: number): void {
    this.#refusals.noteAdmitted(caller, since);
  }

  /** Newest first. */
  granted(): GrantedApproval[] {
    return [...this.#granted.values()].map(({ approval }) => approval).reverse();
  }

  withdraw(id: string): void {
    const [key, grant] = [...this.#granted].find(([, { approval }]) => approval.id === id) ?? [];
    if (key === undefined || !grant) {
      throw new AppError({ code: 'not_found', message: 'This approval no longer holds' });
    }
    this.#granted.delete(key);
    const connectionId = grant.approval.connection.id;
    this.#options.onWithdrawn({
      connectionId,
      isCaller: (caller) => caller.kind === 'client' && accessKey(caller, connectionId) === key,
    });
    this.#options.events.emit({ type: 'approvalsChanged' });
  }

  /** Ends the approvals of a revoked or deleted token. A bridge process keeps its approvals: see `holderOf`. */
  endToken(tokenId: string): void {
    this.#left.endToken(tokenId);
    const ended = [...this.#granted].filter(
      ([, { caller }]) => caller.token.id === tokenId && !isBridge(caller),
    );
    if (ended.length === 0) return;
    for (const [key] of ended) this.#granted.delete(key);
    this.#options.events.emit({ type: 'approvalsChanged' });
  }

  /**
   * Ends the approvals of a connection that may lead to another database now. Otherwise a program with a shell could
   * lead an approved connection to a database that the user did not approve.
   */
  endConnection(connectionId: string): void {
    this.#moves.set(connectionId, this.#movesOf(connectionId) + 1);
    this.#left.endConnection(connectionId);
    const ended = [...this.#granted].filter(([, { approval }]) => approval.connection.id === connectionId);
    if (ended.length === 0) return;
    for (const [key] of ended) this.#granted.delete(key);
    this.#options.events.emit({ type: 'approvalsChanged' });
  }

  #movesOf(connectionId: string): number {
    return this.#moves.get(connectionId) ?? 0;
  }

  /** The keys, or the server that gets them, have changed. The user's answer to a question about the old ones ends. */
  endKeys(connectionId: string): void {
    this.#keyChanges.set(connectionId, this.#keyChangesOf(connectionId) + 1);
    this.#left.endConnection(connectionId, 'endpoint');
  }

  #keyChangesOf(connectionId: string): number {
    return this.#keyChanges.get(connectionId) ?? 0;
  }

  /**
   * Asks the user. If a question of the same client about this connection is already open, the call waits for its
   * answer. "Allow once" counts only for the request that asked: the other requests then ask again.
   */
  async ask(
    caller: Client,
    connection: Connection,
    subject: CallSubject,
    call: { signal: AbortSignal; request: AbortSignal },
  ): Promise<ApprovalState> {
    const asked = accessQuestion(caller, connection, subject);
    if (this.#left.take(subjectOf(accessKey(caller, connection.id), asked)) === 'granted') {
      this.#allowOnce(call.request, connection.id);
      return 'granted';
    }
    for (;;) {
      const waiting = this.#pending.get(accessKey(caller, connection.id));
      const answer = await (waiting ?? this.#put(caller, connection, asked)).join(call.signal);
      if (answer !== 'once') return answer;
      if (!waiting) this.#allowOnce(call.request, connection.id);
      const state = this.state(caller, connection.id, call.request);
      if (state !== 'unasked') return state;
    }
  }

  #allowOnce(request: AbortSignal, connectionId: string): void {
    const allowed = this.#once.get(request) ?? new Set();
    this.#once.set(request, allowed.add(connectionId));
  }

  #put(caller: Client, connection: Connection, asked: ApprovalQuestion): SharedTask<AccessAnswer> {
    const id = accessKey(caller, connection.id);
    const asker = { caller, connection, since: performance.now() };
    const question = new SharedTask((abandoned) => this.#ask(id, asked, asker, abandoned));
    this.#pending.set(id, question);
    return question;
  }

  /**
   * Asks about one act of the client. The approval counts for that act only. A refusal counts for every act of the same
   * kind on this connection: otherwise a client could add a blank to its statement and ask again, without end.
   */
  async askOnce(
    caller: Client,
    connection: Connection,
    question: OneTimeQuestion,
    signal: AbortSignal,
  ): Promise<ApprovalState> {
    const subject = `${connection.id} ${question.kind}`;
    if (this.#refusals.covers(caller, subject)) return 'refused';
    let asked: ApprovalQuestion = { ...question, ...parties(caller, connection) };
    const taken = this.#left.take(subjectOf(accessKey(caller, connection.id), asked));
    if (taken === 'granted') return 'granted';
    if (taken === 'changed' && asked.kind === 'destroy') asked = { ...asked, again: true };
    const state = states[await this.#queue.ask(asked, signal)];
    if (state === 'refused') this.#refusals.add(caller, subject);
    return state;
  }

  /**
   * Keeps a question that no window could show, so that the user can answer it at a terminal. Returns the hint for the
   * refused client.
   */
  async leave(
    caller: Client,
    connection: Connection,
    wanted: CallSubject | OneTimeQuestion,
  ): Promise<OwnText> {
    const key = accessKey(caller, connection.id);
    let question: ApprovalQuestion =
      'kind' in wanted
        ? { ...wanted, ...parties(caller, connection) }
        : accessQuestion(caller, connection, wanted);
    const subject = subjectOf(key, question);
    if (question.kind === 'destroy' && this.#left.take(subject) === 'changed') {
      question = { ...question, again: true };
    }
    const since = performance.now();
    const refused = question.kind === 'access' ? connection.id : `${connection.id} ${question.kind}`;
    return this.#options.leave(question, {
      subject,
      tokenId: caller.token.id,
      refusable: JSON.stringify([holderOf(caller), refused]),
      onAnswer: (answer) => {
        if (answer === 'refuse') this.#refusals.add(caller, refused);
        else if (question.kind === 'access' && answer === 'allow') this.#grant(key, caller, connection);
        else if (question.kind === 'endpoint')
          this.#options.onEndpoints(caller, connection, endpointNeed(question));
        else this.#left.allow(subject, connection.id);
        if (answer !== 'refuse') this.#refusals.noteAdmitted(caller, since);
      },
    });
  }

  /**
   * Asks whether the database may send stored keys to these addresses. The approval is stored, and holds for every
   * client. Calls that wait for the same answer share one question.
   */
  async askForEndpoints(
    caller: Client,
    connection: Connection,
    need: EndpointNeed,
    signal: AbortSignal,
  ): Promise<ApprovalState> {
    const key = JSON.stringify([accessKey(caller, connection.id), need]);
    let question = this.#endpointQuestions.get(key);
    if (!question) {
      question = new SharedTask(async (abandoned) => {
        const forget = () => this.#endpointQuestions.delete(key);
        abandoned.addEventListener('abort', forget, { once: true });
        try {
          const changes = this.#keyChangesOf(connection.id);
          const state = await this.askOnce(caller, connection, endpointQuestion(need), abandoned);
          // The user answered about the keys, or the server, before.
          if (changes !== this.#keyChangesOf(connection.id)) return 'unanswered';
          if (state === 'granted') this.#options.onEndpoints(caller, connection, need);
          return state;
        } finally {
          if (!abandoned.aborted) forget();
        }
      });
      this.#endpointQuestions.set(key, question);
    }
    return question.join(signal);
  }

  #grant(key: string, caller: Client, connection: Connection): void {
    const grantedAt = new Date().toISOString();
    const approval = { id: randomUUID(), ...parties(caller, connection), grantedAt };
    this.#granted.set(key, { approval, caller });
    this.#options.events.emit({ type: 'approvalsChanged' });
  }

  async #ask(
    id: string,
    question: ApprovalQuestion,
    { caller, connection, since }: { caller: Client; connection: Connection; since: number },
    abandoned: AbortSignal,
  ): Promise<AccessAnswer> {
    const forget = () => this.#pending.delete(id);
    // When the last waiting call has left, the question is withdrawn. A later call asks a new question.
    abandoned.addEventListener('abort', forget, { once: true });
    const moves = this.#movesOf(connection.id);
    try {
      const answer = await this.#queue.ask(question, abandoned);
      // The user allowed the database that the question was about.
      if (moves !== this.#movesOf(connection.id)) return 'unanswered';
      if (answer === 'allowOnce') {
        // Note the admission before the waiting calls continue: the refusal of one bridge process covers every bridge
        // process that was not admitted before that refusal.
        this.#refusals.noteAdmitted(caller, since);
        return 'once';
      }
      const state = states[answer];
      if (state === 'granted') this.#grant(id, caller, connection);
      if (state === 'refused') this.#refusals.add(caller, connection.id);
      return state;
    } finally {
      if (!abandoned.aborted) forget();
    }
  }
}

type EndpointQuestion = OneTimeQuestion & { kind: 'endpoint' };

export function endpointQuestion({ endpoints, keys }: EndpointNeed): EndpointQuestion {
  return {
    kind: 'endpoint',
    table: endpoints[0]?.table ?? '',
    endpoints: endpoints.map(({ setting, value }) => ({ setting, value })),
    keys,
  };
}

function endpointNeed({ table, endpoints, keys }: EndpointQuestion): EndpointNeed {
  return { endpoints: endpoints.map((one) => ({ table, ...one })), keys };
}

function accessQuestion(
  caller: Client,
  connection: Connection,
  { action, table, text }: CallSubject,
): ApprovalQuestion {
  return {
    kind: 'access',
    ...parties(caller, connection),
    action,
    table: table ?? null,
    statement: text ?? null,
    ceiling: ceilingOf(caller.token, connection),
  };
}

/** `once`: granted only for the request that asked. */
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

/**
 * A client can forge the name that it declares. So an approval holds for a token or bridge process, and the
 * name can only narrow it further.
 */
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
