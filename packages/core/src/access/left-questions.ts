import type { EventHub } from '../events/events.ts';
import type { ApprovalQuestion, PendingApproval, UserAnswer } from '../types.ts';

/** The name of a question: another one with the same identity takes its place. */
export interface Subject {
  identity: string;
  /** The facts that the user approves. An approval of other facts does not count. */
  facts: string;
}

interface Left extends Subject {
  approval: PendingApproval;
  tokenId: string;
  /** The client and the subject that a refusal covers. */
  refusable: string;
  onAnswer(answer: UserAnswer): void;
  timer: NodeJS.Timeout;
}

/** Clients could otherwise fill the list with questions. */
const mostLeft = 20;

/** One token could otherwise fill the list, so that no question of another client gets in. */
const mostOfToken = 8;

/**
 * The questions of clients that were refused because no window could open. They stay for some minutes. The user answers
 * them at a terminal. An approval waits as long for the client's next try.
 */
export class LeftQuestions {
  readonly keepMs: number;
  readonly #events: Pick<EventHub, 'emit'>;
  readonly #left = new Map<string, Left>();
  /** By identity: the facts that the user allowed for one act. Null: the facts have changed since. */
  readonly #allowed = new Map<string, { connectionId: string; facts: string | null; until: number }>();
  #closed = false;

  constructor(options: { events: Pick<EventHub, 'emit'>; keepMs: number }) {
    this.#events = options.events;
    this.keepMs = options.keepMs;
  }

  pending(): PendingApproval[] {
    return [...this.#left.values()].map(({ approval }) => approval);
  }

  /** The question with this identity that waits already, or a new one. Undefined if too many wait. */
  leave(
    subject: Subject,
    {
      tokenId,
      refusable,
      compose,
      onAnswer,
    }: Pick<Left, 'tokenId' | 'refusable' | 'onAnswer'> & { compose(): PendingApproval },
  ): PendingApproval | undefined {
    if (this.#closed) return undefined;
    const same = [...this.#left.values()].find(({ identity }) => identity === subject.identity);
    // Access is for all calls, so another call of the client must not close the question that the user is answering.
    if (same && (same.approval.kind === 'access' || same.facts === subject.facts)) return same.approval;
    // The numbers have changed. The user may be about to approve the old ones, so the new question has another id.
    if (same) this.#remove(same);
    const ofToken = [...this.#left.values()].filter((one) => one.tokenId === tokenId);
    if (this.#left.size >= mostLeft || ofToken.length >= mostOfToken) return undefined;
    const approval = compose();
    const timer = setTimeout(() => this.#remove(left), this.keepMs).unref();
    const left: Left = { ...subject, approval, tokenId, refusable, onAnswer, timer };
    this.#left.set(approval.id, left);
    this.#events.emit({ type: 'approvalsChanged' });
    return approval;
  }

  /** False if no such question waits. */
  answer(id: string, answer: UserAnswer): boolean {
    const left = this.#left.get(id);
    if (!left) return false;
    // A refusal covers the client's other questions of the kind too, so that one answer ends a flood of questions.
    const ended =
      answer === 'refuse'
        ? [...this.#left.values()].filter(({ refusable }) => refusable === left.refusable)
        : [left];
    for (const one of ended) this.#remove(one);
    left.onAnswer(answer);
    return true;
  }

  allow({ identity, facts }: Subject, connectionId: string): void {
    const now = performance.now();
    for (const [key, { until }] of this.#allowed) if (until <= now) this.#allowed.delete(key);
    this.#allowed.set(identity, { connectionId, facts, until: now + this.keepMs });
  }

  /** Uses up the approval. `changed`: the user approved other facts, and that approval no longer counts. */
  take(subject: Subject): 'granted' | 'changed' | undefined {
    const allowed = this.#allowed.get(subject.identity);
    if (!allowed) return undefined;
    if (allowed.facts === subject.facts || allowed.until <= performance.now()) {
      this.#allowed.delete(subject.identity);
      return allowed.until <= performance.now() ? undefined : 'granted';
    }
    // Kept until it times out, so that the next question says that the user allowed other facts.
    allowed.facts = null;
    return 'changed';
  }

  endToken(tokenId: string): void {
    for (const left of [...this.#left.values()]) if (left.tokenId === tokenId) this.#remove(left);
  }

  /** The connection may lead to another database now. `kind`: ends only its questions of this kind. */
  endConnection(connectionId: string, kind?: ApprovalQuestion['kind']): void {
    for (const left of [...this.#left.values()]) {
      const { approval } = left;
      const isOfKind = kind === undefined || approval.kind === kind;
      if (approval.connection.id === connectionId && isOfKind) this.#remove(left);
    }
    if (kind !== undefined) return;
    for (const [key, allowed] of this.#allowed) {
      if (allowed.connectionId === connectionId) this.#allowed.delete(key);
    }
  }

  close(): void {
    this.#closed = true;
    for (const left of [...this.#left.values()]) this.#remove(left);
  }

  #remove({ approval, timer }: Left): void {
    clearTimeout(timer);
    if (this.#left.delete(approval.id)) this.#events.emit({ type: 'approvalsChanged' });
  }
}

/** An approval of one run counts for the exact statement and the exact loss. The reason may differ. */
export function subjectOf(holder: string, question: ApprovalQuestion): Subject {
  if (question.kind === 'access') {
    const { action, table, statement } = question;
    return { identity: holder, facts: JSON.stringify([action, table, statement]) };
  }
  if (question.kind !== 'destroy') return { identity: `${holder} ${JSON.stringify(question)}`, facts: '' };
  const { statement, again: _again, reason: _reason, ...facts } = question;
  return {
    identity: `${holder} ${question.kind} ${statement}`,
    facts: JSON.stringify(facts),
  };
}
