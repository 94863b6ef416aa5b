import { createHash } from 'node:crypto';
import type { TableLoss } from '@trestle/driver-kit';
import { SharedTask } from '../sessions/shared-task.ts';
import type { ApprovalQuestion, Caller, Connection } from '../types.ts';
import type { ApprovalAnswer, ApprovalQueue } from './approval-queue.ts';
import { type ApprovalState, bridgeTokenName } from './decide-access.ts';

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

/** The user's answers to clients: a yes to access holds until the app stops, a no for a minute. */
export class Approvals {
  readonly #answers = new Map<string, { state: 'granted' } | { state: 'refused'; until: number }>();
  readonly #pending = new Map<string, SharedTask<ApprovalState>>();
  readonly #queue: ApprovalQueue;
  readonly #refusalMs: number;

  constructor(options: { queue: ApprovalQueue; refusalMs: number }) {
    this.#queue = options.queue;
    this.#refusalMs = options.refusalMs;
  }

  state(caller: Caller, connectionId: string): ApprovalState {
    return caller.kind === 'person' ? 'granted' : this.#remembered(accessKey(caller, connectionId));
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
      question = new SharedTask((abandoned) => this.#ask(id, asked, abandoned));
      this.#pending.set(id, question);
    }
    return question.join(signal);
  }

  /** For this one run of this one text. Only a no is remembered, so that a client cannot ask on and on. */
  async askToDestroy(
    caller: Client,
    connection: Connection,
    { text, ...loss }: Loss,
    signal: AbortSignal,
  ): Promise<ApprovalState> {
    const digest = createHash('sha256').update(text).digest('hex');
    const id = `${accessKey(caller, connection.id)} ${digest}`;
    if (this.#remembered(id) === 'refused') return 'refused';
    const question: ApprovalQuestion = {
      kind: 'destroy',
      ...parties(caller, connection),
      statement: text,
      ...loss,
    };
    const state = states[await this.#queue.ask(question, signal)];
    if (state === 'refused') this.#refuse(id);
    return state;
  }

  #remembered(id: string): ApprovalState {
    const answer = this.#answers.get(id);
    if (!answer || (answer.state === 'refused' && answer.until <= Date.now())) return 'unasked';
    return answer.state;
  }

  async #ask(id: string, question: ApprovalQuestion, abandoned: AbortSignal): Promise<ApprovalState> {
    const forget = () => this.#pending.delete(id);
    // A call that comes after the last one left must put a question of its own, not join a dead one.
    abandoned.addEventListener('abort', forget, { once: true });
    try {
      const state = states[await this.#queue.ask(question, abandoned)];
      if (state === 'granted') this.#answers.set(id, { state });
      if (state === 'refused') this.#refuse(id);
      return state;
    } finally {
      if (!abandoned.aborted) forget();
    }
  }

  #refuse(id: string): void {
    const now = Date.now();
    for (const [key, answer] of this.#answers) {
      if (answer.state === 'refused' && answer.until <= now) this.#answers.delete(key);
    }
    this.#answers.set(id, { state: 'refused', until: now + this.#refusalMs });
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
function accessKey({ token, process, clientName }: Client, connectionId: string): string {
  // The bridge's token is replaced every hour, and the user must not be asked again for that.
  const holder =
    token.name === bridgeTokenName && process !== null ? ['bridge', process] : ['token', token.id, process];
  return JSON.stringify([holder, clientName, connectionId]);
}

function parties(caller: Client, connection: Connection) {
  return {
    connection: { id: connection.id, name: connection.name },
    tokenName: caller.token.name,
    clientName: caller.clientName,
  };
}
