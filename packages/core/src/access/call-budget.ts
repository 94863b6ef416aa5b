import { isWithin, type Written, writtenInWords } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import { type OwnText, own, ownAmount } from '../own-text.ts';
import { SharedTask } from '../shared-task.ts';
import type { ApprovalQuestion, Connection, DataAccess, Hold, NewActivity } from '../types.ts';
import type { ApprovalAnswer, ApprovalQueue } from './approval-queue.ts';
import type { CallSubject } from './approvals.ts';
import type { BudgetHolders, Client } from './budget-holders.ts';
import { isChange } from './budget-words.ts';
import { commandLineName } from './decide-access.ts';
import type { Gate } from './gate.ts';
import { type Holder, type HourlyBudget, nothing } from './hourly-budget.ts';
import type { LeaveQuestion } from './leave-question.ts';
import type { LeftQuestions, Subject } from './left-questions.ts';

type ClientAccess = Pick<DataAccess, 'connectionId' | 'signal'> & { caller: Client };

/** The rows that one call of a client may write. */
export interface CallBudget {
  /** Takes what is free of `wanted` now, and asks nobody. */
  take(wanted: Written): Hold;
  /** Takes all of `wanted`. If the hour's limit is reached, asks the user. Throws if the user does not allow it. */
  reserve(wanted: Written, signal: AbortSignal): Promise<Hold>;
}

interface Parts {
  budget: HourlyBudget;
  holders: BudgetHolders;
  queue: Pick<ApprovalQueue, 'ask'>;
  left: Pick<LeftQuestions, 'take' | 'allow'>;
  leave: LeaveQuestion;
  gate: Pick<Gate, 'refusal'>;
  find(connectionId: string): Connection | undefined;
  record(entry: NewActivity): void;
  refusalMs: number;
}

/** A call that needs more rows than its hour has. */
interface Asker {
  access: ClientAccess;
  subject: CallSubject;
  holder: Holder;
  wanted: Written;
}

/** Creates the function that gives each call of a client its budget. */
export function createCallBudgets(parts: Parts) {
  const questions = new Map<string, SharedTask<ApprovalAnswer>>();
  const refusedUntil = new Map<string, number>();
  const refuse = (key: string) => refusedUntil.set(key, performance.now() + parts.refusalMs);

  async function ask(asker: Asker, signal: AbortSignal): Promise<Hold | undefined> {
    const { access, holder, wanted } = asker;
    const key = keyOf(holder);
    if ((refusedUntil.get(key) ?? 0) > performance.now()) throw await denied('refuse', asker);
    if (parts.left.take(leftSubject(asker)) === 'granted') {
      record(asker, 'ok', answerWords.allow);
      return parts.budget.renew(holder, wanted);
    }
    const waiting = questions.get(key);
    if (waiting) {
      const answer = await waiting.join(signal);
      if (!isYes(answer)) throw await denied(answer, asker);
      return undefined;
    }
    let hold: Hold | undefined;
    const question = new SharedTask(async (abandoned) => {
      const forget = () => questions.delete(key);
      abandoned.addEventListener('abort', forget, { once: true });
      try {
        const answer = await put(asker, abandoned);
        if (isYes(answer)) hold = parts.budget.renew(holder, wanted);
        if (answer === 'refuse') refuse(key);
        return answer;
      } finally {
        if (!abandoned.aborted) forget();
      }
    });
    questions.set(key, question);
    try {
      const answer = await question.join(signal);
      if (!isYes(answer)) throw await denied(answer, asker);
      // The user may have changed the levels while the question was open.
      const refusal = parts.gate.refusal(access, 'write');
      if (refusal) throw refusal;
      return hold;
    } catch (error) {
      // The call ends, so it writes none of the rows that it was allowed.
      void question.settled.then(() => hold?.settle(nothing));
      throw error;
    }
  }

  async function put(asker: Asker, signal: AbortSignal): Promise<ApprovalAnswer> {
    try {
      const answer = await parts.queue.ask(questionOf(asker), signal);
      record(asker, isYes(answer) ? 'ok' : 'denied', answerWords[answer]);
      return answer;
    } catch (error) {
      record(asker, 'cancelled', 'The question for more rows was withdrawn');
      throw error;
    }
  }

  function questionOf({ access, subject, holder, wanted }: Asker): ApprovalQuestion {
    const { caller, connectionId } = access;
    return {
      kind: 'budget',
      connection: { id: connectionId, name: parts.find(connectionId)?.name ?? '' },
      tokenName: caller.token.name,
      clientName: caller.clientName,
      used: parts.budget.used(holder).written,
      limit: holder.limit(),
      wanted,
      action: subject.action,
      table: subject.table ?? null,
      statement: subject.text ?? null,
    };
  }

  function record({ access, holder, wanted }: Asker, outcome: NewActivity['outcome'], answer: string): void {
    const { caller, connectionId } = access;
    const used = writtenInWords(parts.budget.used(holder).written);
    const about = `${used} in the last hour, and the next call would write ${writtenInWords(wanted)}`;
    parts.record({
      action: 'ask_for_more_rows',
      tokenName: caller.token.name,
      clientName: caller.clientName,
      connectionId,
      outcome,
      detail: [answer, about].join(': '),
    });
  }

  async function denied(answer: Refusal, asker: Asker): Promise<AppError> {
    const { holder, wanted } = asker;
    const { written, oldestEndsMs } = parts.budget.used(holder);
    const limit = holder.limit();
    const ofChanges = isChange({ used: written, limit, wanted });
    const [used, most, needed] = ofChanges
      ? [written.changed, limit.changed, wanted.changed]
      : [written.inserted, limit.inserted, wanted.inserted];
    const what = ofChanges ? own`changed or deleted rows` : own`new rows`;
    const minutes = ownAmount(Math.max(1, Math.ceil(oldestEndsMs / 60_000)), own`minute`);
    return new AppError({
      code: 'not_approved',
      message: own`The limit of ${most} ${what} in an hour is reached (${Math.max(0, most - used)} left, the call needs ${needed}). Nothing was changed. ${reasons[answer]}`,
      hint: [
        remedies[answer],
        ...(used > 0 ? [own`The oldest rows stop counting in ${minutes}.`] : []),
        ...(answer === 'nobody' && !isProgram(asker) ? [await leave(asker)] : []),
      ],
    });
  }

  /** Keeps the question for a terminal. Returns the hint for the client. */
  function leave(asker: Asker): Promise<OwnText> {
    const { caller, connectionId } = asker.access;
    const subject = leftSubject(asker);
    return parts.leave(questionOf(asker), {
      subject,
      tokenId: caller.token.id,
      refusable: keyOf(asker.holder),
      onAnswer(answer) {
        if (answer === 'refuse') refuse(keyOf(asker.holder));
        else parts.left.allow(subject, connectionId);
      },
    });
  }

  return (access: DataAccess, subject: CallSubject): CallBudget | undefined => {
    const { caller } = access;
    if (caller.kind === 'person') return undefined;
    const ofClient = { ...access, caller };
    const holder = () => parts.holders(caller, access.connectionId);
    return {
      take: (wanted) => parts.budget.take(holder(), wanted),
      async reserve(wanted, signal) {
        for (;;) {
          const one = holder();
          const hold =
            (await parts.budget.reserve(one, wanted, signal)) ??
            (await ask({ access: ofClient, subject, holder: one, wanted }, signal));
          if (hold) return hold;
        }
      },
    };
  };
}

/** All clients with the same count share one question. */
function keyOf({ keys }: Holder): string {
  return keys[0]!;
}

/**
 * The user sees how many rows an approval allows. A call that needs more than the limit has a question of its own, and
 * another call cannot use that approval.
 */
function leftSubject({ holder, wanted }: Asker): Subject {
  const allowed = isWithin(wanted, holder.limit()) ? 'the limit' : wanted;
  return { identity: JSON.stringify(['budget', keyOf(holder), allowed]), facts: '' };
}

/** The command line asks for the passphrase at once. */
function isProgram({ access: { caller } }: Asker): boolean {
  return caller.token.id === commandLineName;
}

type Refusal = Exclude<ApprovalAnswer, 'allow' | 'allowOnce'>;

function isYes(answer: ApprovalAnswer): answer is 'allow' | 'allowOnce' {
  return answer === 'allow' || answer === 'allowOnce';
}

const answerWords: Record<ApprovalAnswer, string> = {
  allow: "The user allowed another hour's rows",
  allowOnce: "The user allowed another hour's rows",
  refuse: "The user refused another hour's rows",
  nobody: 'There was no window to ask in',
  unanswered: 'The user did not answer in time',
  crowded: 'Too many questions already wait for the user',
};

const reasons: Record<Refusal, OwnText> = {
  refuse: own`The user did not allow more`,
  nobody: own`The app has no window to ask in`,
  unanswered: own`The user did not answer in time`,
  crowded: own`Too many questions already wait for the user`,
};

const remedies: Record<Refusal, OwnText> = {
  refuse: own`Do not repeat the call. Ask the user what to do instead; a refusal holds for 60 seconds.`,
  nobody: own`Ask the user to open Trestle and try again: Trestle then asks whether to allow as many rows once more.`,
  unanswered: own`Ask the user to look at Trestle, then try again.`,
  crowded: own`Wait until they are answered, then try again.`,
};
