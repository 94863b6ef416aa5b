import { AppError } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import { cancelledError } from '../translate-error.ts';
import type { ApprovalQuestion, ApprovalsQueue, PendingApproval, Presence, UserAnswer } from '../types.ts';
import { createQuestionIds } from './question-ids.ts';
import { questionWords } from './question-words.ts';

/**
 * `nobody`: there is no way to ask. `unanswered`: the question timed out. `crowded`: too many questions wait already.
 */
export type ApprovalAnswer = UserAnswer | 'nobody' | 'unanswered' | 'crowded';

interface Waiting {
  approval: PendingApproval;
  settle(answer: ApprovalAnswer): void;
}

/** More than a person would read: a client that asks without end must not fill the screen. */
const mostWaiting = 20;

/** Questions that wait for the user. The window shows them. No client can answer them. */
export class ApprovalQueue implements Omit<ApprovalsQueue, 'granted' | 'withdraw'> {
  readonly #events: EventHub;
  readonly #waitMs: number;
  readonly #driverOf: (connectionId: string) => string;
  readonly #waiting = new Map<string, Waiting>();
  readonly #newIds = createQuestionIds();
  #presence: Presence = 'none';

  constructor(options: { events: EventHub; waitMs: number; driverOf(connectionId: string): string }) {
    this.#events = options.events;
    this.#waitMs = options.waitMs;
    this.#driverOf = options.driverOf;
  }

  pending(): PendingApproval[] {
    return [...this.#waiting.values()].map(({ approval }) => approval);
  }

  answer(id: string, answer: UserAnswer): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) throw new AppError(closedQuestion);
    waiting.settle(answer);
  }

  presence(): Presence {
    return this.#presence;
  }

  setPresence(presence: Presence): void {
    this.#presence = presence;
    if (presence !== 'none') return;
    for (const { settle } of [...this.#waiting.values()]) settle('nobody');
  }

  /** When the signal fires, the question is withdrawn and the caller gets `cancelled`. */
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (signal.aborted) return Promise.reject(cancelledError());
    if (this.#presence === 'none') return Promise.resolve('nobody');
    if (this.#waiting.size >= mostWaiting) return Promise.resolve('crowded');
    const approval = this.compose(question, { forMs: this.#waitMs, clientWaits: true });
    const result = Promise.withResolvers<ApprovalAnswer>();
    const leave = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', withdraw);
      this.#waiting.delete(approval.id);
      this.#events.emit({ type: 'approvalsChanged' });
    };
    const withdraw = () => {
      leave();
      result.reject(cancelledError());
    };
    const settle = (answer: ApprovalAnswer) => {
      leave();
      result.resolve(answer);
    };
    const timer = setTimeout(() => settle('unanswered'), this.#waitMs).unref();
    signal.addEventListener('abort', withdraw, { once: true });
    this.#waiting.set(approval.id, { approval, settle });
    this.#events.emit({ type: 'approvalsChanged' });
    // The app opens a window. The window finds the question in `pending`.
    if (this.#presence === 'canOpen') this.#events.emit({ type: 'attentionNeeded' });
    return result.promise;
  }

  compose(
    question: ApprovalQuestion,
    { forMs, clientWaits }: { forMs: number; clientWaits: boolean },
  ): PendingApproval {
    const now = Date.now();
    return {
      ...question,
      ...questionWords(question),
      driver: this.#driverOf(question.connection.id),
      ...this.#newIds(),
      clientWaits,
      askedAt: new Date(now).toISOString(),
      expiresAt: new Date(now + forMs).toISOString(),
    };
  }

  close(): void {
    this.setPresence('none');
  }
}

const closedQuestion = {
  code: 'not_found',
  message: 'The question is closed: it was answered, it was withdrawn, or it timed out',
} as const;
