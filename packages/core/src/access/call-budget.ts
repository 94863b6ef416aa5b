import { amount, type Written, writtenInWords } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import { SharedTask } from '../shared-task.ts';
import type { Caller, Connection, DataAccess, NewActivity, SettingsValues, Token } from '../types.ts';
import type { ApprovalAnswer, ApprovalQueue } from './approval-queue.ts';
import type { CallSubject } from './approvals.ts';
import { isChange } from './budget-words.ts';
import { isBridge } from './decide-access.ts';
import type { Gate } from './gate.ts';
import type { Hold, Holder, HourlyBudget } from './hourly-budget.ts';

type Client = Extract<Caller, { kind: 'client' }>;
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
  queue: Pick<ApprovalQueue, 'ask'>;
  gate: Pick<Gate, 'refusal'>;
  find(connectionId: string): Connection | undefined;
  limits(): Pick<SettingsValues, 'mcpReachPerHour' | 'mcpNewRowsPerHour'>;
  token(id: string): Pick<Token, 'createdAt'> | undefined;
  record(entry: NewActivity): void;
  refusalMs: number;
  hourMs: number;
}

/** Creates the function that gives each call of a client its budget. */
export function createCallBudgets(parts: Parts) {
  const questions = new Map<string, SharedTask<ApprovalAnswer>>();
  const refusedUntil = new Map<string, number>();

  function holderOf(caller: Client, connectionId: string): Holder {
    const { hourMs, find, limits, token } = parts;
    const connection = find(connectionId);
    const places = [connectionId, ...(connection ? [addressOf(connection)] : [])];
    const whose = holdersOf(caller, isYoung(token(caller.token.id), hourMs));
    return {
      keys: whose.flatMap((one) => places.map((place) => JSON.stringify([one, place]))),
      limit() {
        const { mcpReachPerHour, mcpNewRowsPerHour } = limits();
        return {
          changed: mcpReachPerHour * (find(connectionId)?.reachLimit ?? 0),
          inserted: mcpNewRowsPerHour,
        };
      },
    };
  }

  async function ask(
    access: ClientAccess,
    subject: CallSubject,
    { holder, wanted, signal }: { holder: Holder; wanted: Written; signal: AbortSignal },
  ): Promise<Hold | undefined> {
    const key = holder.keys[0]!;
    if ((refusedUntil.get(key) ?? 0) > performance.now()) throw denied('refuse', holder, wanted);
    const waiting = questions.get(key);
    if (waiting) {
      const answer = await waiting.join(signal);
      if (!isYes(answer)) throw denied(answer, holder, wanted);
      return undefined;
    }
    let hold: Hold | undefined;
    const question = new SharedTask(async (abandoned) => {
      const forget = () => questions.delete(key);
      abandoned.addEventListener('abort', forget, { once: true });
      try {
        const answer = await put(access, subject, { holder, wanted, signal: abandoned });
        if (isYes(answer)) hold = parts.budget.renew(holder, wanted);
        if (answer === 'refuse') refusedUntil.set(key, performance.now() + parts.refusalMs);
        return answer;
      } finally {
        if (!abandoned.aborted) forget();
      }
    });
    questions.set(key, question);
    try {
      const answer = await question.join(signal);
      if (!isYes(answer)) throw denied(answer, holder, wanted);
      // The user may have changed the levels while the question was open.
      const refusal = parts.gate.refusal(access, 'write');
      if (refusal) throw refusal;
      return hold;
    } catch (error) {
      // The call ends, so it writes none of the rows that it was allowed.
      void question.settled.then(() => hold?.settle({ changed: 0, inserted: 0 }));
      throw error;
    }
  }

  async function put(
    { caller, connectionId }: ClientAccess,
    { action, table, text }: CallSubject,
    { holder, wanted, signal }: { holder: Holder; wanted: Written; signal: AbortSignal },
  ): Promise<ApprovalAnswer> {
    const { name } = parts.find(connectionId) ?? { name: '' };
    const { written } = parts.budget.used(holder);
    const limit = holder.limit();
    const about = `${writtenInWords(written)} in the last hour, and the next call would write ${writtenInWords(wanted)}`;
    const record = (outcome: NewActivity['outcome'], answer: string) =>
      parts.record({
        action: 'ask_for_more_rows',
        tokenName: caller.token.name,
        clientName: caller.clientName,
        connectionId,
        outcome,
        detail: [answer, about].join(': '),
      });
    try {
      const answer = await parts.queue.ask(
        {
          kind: 'budget',
          connection: { id: connectionId, name },
          tokenName: caller.token.name,
          clientName: caller.clientName,
          used: written,
          limit,
          wanted,
          action,
          table: table ?? null,
          statement: text ?? null,
        },
        signal,
      );
      record(isYes(answer) ? 'ok' : 'denied', answerWords[answer]);
      return answer;
    } catch (error) {
      record('cancelled', 'The question for more rows was withdrawn');
      throw error;
    }
  }

  function denied(answer: ApprovalAnswer, holder: Holder, wanted: Written): AppError {
    const { written, oldestEndsMs } = parts.budget.used(holder);
    const limit = holder.limit();
    const ofChanges = isChange({ used: written, limit, wanted });
    const [used, most, what] = ofChanges
      ? [written.changed, limit.changed, 'changed or deleted rows']
      : [written.inserted, limit.inserted, 'new rows'];
    const left = Math.max(0, most - used).toLocaleString('en');
    const minutes = amount(Math.max(1, Math.ceil(oldestEndsMs / 60_000)), 'minute');
    const wait = used > 0 ? ` The oldest rows stop counting in ${minutes}.` : '';
    return new AppError({
      code: 'not_approved',
      message: `The limit of ${most.toLocaleString('en')} ${what} in an hour is reached (${left} left, the call needs ${(ofChanges ? wanted.changed : wanted.inserted).toLocaleString('en')}). Nothing was changed. ${reasons[answer]}`,
      hint: `${remedies[answer]}${wait}`,
    });
  }

  return (access: DataAccess, subject: CallSubject): CallBudget | undefined => {
    const { caller } = access;
    if (caller.kind === 'person') return undefined;
    const ofClient = { ...access, caller };
    const holder = () => holderOf(caller, access.connectionId);
    return {
      take: (wanted) => parts.budget.take(holder(), wanted),
      async reserve(wanted, signal) {
        for (;;) {
          const one = holder();
          const hold =
            (await parts.budget.reserve(one, wanted, signal)) ??
            (await ask(ofClient, subject, { holder: one, wanted, signal }));
          if (hold) return hold;
        }
      },
    };
  };
}

/**
 * A bridge chooses its own name, so all bridge processes share one count. A program can create tokens, so all tokens of
 * the last hour share a count, and each keeps its own as well.
 */
function holdersOf(caller: Client, isNew: boolean): string[] {
  if (isBridge(caller)) return ['bridge'];
  return [...(isNew ? ['new tokens'] : []), `token ${caller.token.id}`];
}

/** A token from the future is new: the clock was set back. The caller of the command line has no stored token. */
function isYoung(token: Pick<Token, 'createdAt'> | undefined, hourMs: number): boolean {
  return token !== undefined && Date.parse(token.createdAt) + hourMs > Date.now();
}

/** A connection that was removed and added again, or copied, leads to the same rows. */
function addressOf({ driver, fields }: Connection): string {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([driver, sorted]);
}

function isYes(answer: string): boolean {
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

const reasons: Record<string, string> = {
  refuse: 'The user did not allow more',
  nobody: 'The app has no window to ask in',
  unanswered: 'The user did not answer in time',
  crowded: 'Too many questions already wait for the user',
};

const remedies: Record<string, string> = {
  refuse: 'Do not repeat the call. Ask the user what to do instead; a refusal holds for 60 seconds.',
  nobody:
    'Ask the user to open Trestle and try again: Trestle then asks whether to allow as many rows once more.',
  unanswered: 'Ask the user to look at Trestle, then try again.',
  crowded: 'Wait until they are answered, then try again.',
};
