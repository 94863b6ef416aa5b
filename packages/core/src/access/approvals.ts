import type { Logger } from 'pino';
import { SharedTask } from '../sessions/shared-task.ts';
import type { Caller, Connection } from '../types.ts';
import { type ApprovalState, bridgeTokenName } from './decide-access.ts';

export interface ApprovalQuestion {
  connection: { id: string; name: string };
  tokenName: string;
  /** As the client declares itself. */
  clientName: string;
}

/** Puts the question to the user. The signal fires when nobody waits for the answer any more. */
export type AskUser = (question: ApprovalQuestion, signal: AbortSignal) => Promise<'allow' | 'refuse'>;

type Client = Extract<Caller, { kind: 'client' }>;

/** The user's answers to Ask Each Time: a yes holds until the app stops, a no for a minute. */
export class Approvals {
  readonly #answers = new Map<string, { state: 'granted' } | { state: 'refused'; until: number }>();
  readonly #pending = new Map<string, SharedTask<ApprovalState>>();
  readonly #options: { askUser: AskUser | undefined; refusalMs: number; log: Logger };

  constructor(options: { askUser: AskUser | undefined; refusalMs: number; log: Logger }) {
    this.#options = options;
  }

  state(caller: Caller, connectionId: string): ApprovalState {
    if (caller.kind === 'person') return 'granted';
    const answer = this.#answers.get(key(caller, connectionId));
    if (!answer || (answer.state === 'refused' && answer.until <= Date.now())) return 'unasked';
    return answer.state;
  }

  /** Calls that come while the user is being asked wait for that one answer. */
  async ask(caller: Client, connection: Connection, signal: AbortSignal): Promise<ApprovalState> {
    const { askUser } = this.#options;
    if (!askUser) return 'nobody';
    const id = key(caller, connection.id);
    let question = this.#pending.get(id);
    if (!question) {
      question = new SharedTask((abandoned) =>
        this.#ask(id, askUser, toQuestion(caller, connection), abandoned),
      );
      this.#pending.set(id, question);
    }
    return question.join(signal);
  }

  async #ask(
    id: string,
    askUser: AskUser,
    question: ApprovalQuestion,
    abandoned: AbortSignal,
  ): Promise<ApprovalState> {
    const forget = () => this.#pending.delete(id);
    // A call that comes after the last one left must put a question of its own, not join a dead one.
    abandoned.addEventListener('abort', forget, { once: true });
    try {
      const answer = await askUser(question, abandoned);
      if (answer === 'allow') this.#answers.set(id, { state: 'granted' });
      else this.#answers.set(id, { state: 'refused', until: Date.now() + this.#options.refusalMs });
      return answer === 'allow' ? 'granted' : 'refused';
    } catch (error) {
      this.#options.log.warn({ problem: String(error) }, 'The user could not be asked');
      return 'nobody';
    } finally {
      if (!abandoned.aborted) forget();
    }
  }
}

/** A declared name can be forged, so it only ever narrows: the token or the bridge's process comes first. */
function key({ token, process, clientName }: Client, connectionId: string): string {
  // The bridge's token is replaced every hour, and the user must not be asked again for that.
  const holder =
    token.name === bridgeTokenName && process !== null ? ['bridge', process] : ['token', token.id, process];
  return JSON.stringify([holder, clientName, connectionId]);
}

function toQuestion(caller: Client, connection: Connection): ApprovalQuestion {
  return {
    connection: { id: connection.id, name: connection.name },
    tokenName: caller.token.name,
    clientName: caller.clientName,
  };
}
