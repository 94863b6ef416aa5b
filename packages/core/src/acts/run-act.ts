import { setTimeout as delay } from 'node:timers/promises';
import { type ActStep, amount, type Json, type RunOutcome, type StepAnswer } from '@trestle/driver-kit';
import { AppError, type AppErrorDetails, appErrorDetails, isAppError } from '../errors.ts';
import { own } from '../own-text.ts';
import type {
  ActDetail,
  ActRequest,
  Data,
  DataAccess,
  JobOutcome,
  ProgramRights,
  RunningJob,
} from '../types.ts';

interface Parts {
  data: Pick<Data, 'classify' | 'nextStep' | 'runQuery'>;
  request: ActRequest;
  /** Updated at each step. */
  detail: ActDetail;
  /** Without them, a person acts. */
  rights?: Pick<ProgramRights, 'assertOpen'>;
}

/** Asks the driver for one step after the other, and sends the statements. */
export async function runAct(job: RunningJob, parts: Parts): Promise<JobOutcome> {
  const { data, request, detail } = parts;
  const { act, statements } = request;
  const left = [...statements];
  let state: Json = null;
  let answer: StepAnswer | undefined;
  try {
    for (;;) {
      parts.rights?.assertOpen();
      const step: ActStep = await data.nextStep(accessOf(job, parts), {
        ...{ act, state },
        ...(answer && { answer }),
      });
      if (step.kind === 'end') {
        detail.made = step.ended.made;
        detail.notes = step.ended.notes;
        return outcomeOf(detail);
      }
      ({ state } = step);
      answer = undefined;
      if (step.kind === 'wait') {
        job.report({ ...progressOf(detail, statements), words: wordsOf(step) });
        await pause(step.seconds, job.signal);
      } else {
        const at = left.indexOf(step.text);
        if (at < 0) throw notShown();
        left.splice(at, 1);
        answer = await send(step, job, parts);
      }
    }
  } catch (error) {
    const { sent } = detail;
    detail.made = sent.some(({ how }) => how === 'done') ? 'partly' : 'none';
    return brokenOff(detail, error);
  }
}

async function send(
  { title, text }: Extract<ActStep, { kind: 'send' }>,
  job: RunningJob,
  parts: Parts,
): Promise<StepAnswer> {
  parts.rights?.assertOpen();
  const step: ActDetail['sent'][number] = { title, how: 'running' };
  const { detail, request } = parts;
  detail.sent.push(step);
  job.report({ ...progressOf(detail, request.statements), words: title });
  // A person has seen exactly this statement.
  const ceiling = parts.rights ? 'write' : 'destroy';
  try {
    // A server may take hours for a statement of an act, so the statement timeout does not hold.
    const access = { ...accessOf(job, parts), timeoutMs: Number.POSITIVE_INFINITY };
    if (parts.rights) await assertNoLoss(parts.data, access, text);
    const outcome = await parts.data.runQuery(access, { text, limit: 100, ceiling });
    const refusal = outcome.messages.find(({ level }) => level === 'error');
    step.how = refusal ? 'failed' : 'done';
    if (refusal) return { error: { code: 'query_failed', message: refusal.text } };
    return { documents: documentsIn(outcome) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    step.how = unanswered.has(error.code) ? 'unknown' : 'failed';
    // The driver decides only about the answers of the server. All else ends the act.
    if (error.code !== 'query_failed' && !ofServer.has(error.code)) throw error;
    const { message, hint } = error;
    return { error: { code: 'query_failed', message, ...(hint !== undefined && { hint }) } };
  }
}

/**
 * A program may destroy nothing. A statement is read only now: SQLite reads that of an index only when its table exists.
 */
async function assertNoLoss(data: Parts['data'], access: DataAccess, text: string): Promise<void> {
  const { effect, clientEffect = effect } = await data.classify(access, text);
  if (clientEffect !== 'destroy') return;
  throw new AppError({
    code: 'forbidden',
    message: 'The next statement destroys something. It was not sent',
    hint: 'Change the table in the window, or type the administrator passphrase at a terminal.',
  });
}

const ofServer = new Set<string>([
  'not_found',
  'conflict',
  'permission_denied',
  'invalid_argument',
  'disk_full',
]);
const unanswered = new Set<string>(['cancelled', 'timeout', 'driver_crashed', 'connection_failed']);

function accessOf({ signal }: RunningJob, { request, rights }: Parts): DataAccess {
  const { connectionId } = request;
  return { caller: { kind: 'person' }, connectionId, signal, ...(rights && { isProgram: true }) };
}

function documentsIn({ results }: Pick<RunOutcome, 'results'>): Json[] {
  return results.flatMap((one) => (one.kind === 'document' ? [one.document] : []));
}

function progressOf({ sent }: ActDetail, { length: total }: string[]) {
  return { done: Math.min(sent.length, total), total: total > 1 ? total : null };
}

/** A percentage only if the server tells it. */
function wordsOf({ title, progress }: Extract<ActStep, { kind: 'wait' }>): string {
  if (progress === undefined) return title;
  return `${title}: ${Math.round(Math.min(1, Math.max(0, progress)) * 100)} %`;
}

/** A driver that asks for no pause must not keep the server busy, and none may wait for ever. */
async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(60, Math.max(0.25, seconds)) * 1000;
  await delay(ms, undefined, { signal }).catch(() => {
    throw new AppError({ code: 'cancelled', message: 'Cancelled' });
  });
}

function notShown(): AppError {
  return new AppError({
    code: 'conflict',
    message: own`The next statement is not one of those that were shown. It was not sent`,
    hint: own`The server has changed meanwhile. Look at the statements again.`,
  });
}

function outcomeOf({ made, notes, sent }: ActDetail): JobOutcome {
  if (made === 'all') return { how: 'complete', words: ['Done.', ...notes].join(' ') };
  const words = [doneBefore(sent), ...notes].join(' ').trim();
  return {
    how: 'failed',
    words,
    error: { code: 'query_failed', message: notes[0] ?? 'Nothing was changed' },
  };
}

/** The act ended without the driver's word on it. */
function brokenOff({ sent }: ActDetail, error: unknown): JobOutcome {
  const details = detailsOf(error);
  const isUnsure = sent.some(({ how }) => how === 'unknown');
  const isCancelled = details.code === 'cancelled';
  const words = [
    doneBefore(sent),
    isCancelled ? 'Cancelled.' : `${details.message}.`,
    ...(isUnsure ? [`The server may still carry out "${sent.at(-1)!.title}".`] : []),
    ...(sent.length > 0 ? ['Open the same design again: it shows the steps that are left.'] : []),
  ];
  return {
    how: isUnsure ? 'unknown' : isCancelled ? 'cancelled' : 'failed',
    words: words.join(' ').trim(),
    ...(!isCancelled && { error: details }),
  };
}

function detailsOf(error: unknown): AppErrorDetails {
  if (isAppError(error)) return appErrorDetails(error);
  throw error;
}

function doneBefore(sent: ActDetail['sent']): string {
  const done = sent.filter(({ how }) => how === 'done');
  if (done.length === 0) return '';
  return `${amount(done.length, 'step')} done: ${done.map(({ title }) => title).join('; ')}.`;
}
