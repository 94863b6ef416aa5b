import { amount, type Effect } from '@trestle/driver-kit';
import { lossWords } from '../access/loss-words.ts';
import { programCaller } from '../access/program-caller.ts';
import { isAppError } from '../errors.ts';
import type { Caller, Connection, Data, DataAccess, StatementAnswer, StatementRequest } from '../types.ts';
import { isOpenTo, notOpen } from './program-rights.ts';

export type StatementData = Pick<Data, 'classify' | 'measure' | 'runQuery' | 'runDestructive'>;

interface Means {
  data: StatementData;
  isPerson: boolean;
  /** The connection as it is now. Throws if it was removed. */
  connection(): Connection;
  /** Throws, unless a person acts. */
  personOnly(what: string): Promise<void>;
  signal: AbortSignal;
}

export function runStatement(request: StatementRequest, means: Means): Promise<StatementAnswer> {
  return means.isPerson ? runForPerson(request, means) : runForProgram(request, means);
}

/** A program may run what an AI client may run without a question, and nothing destructive. */
async function runForProgram(request: StatementRequest, means: Means): Promise<StatementAnswer> {
  const { data, connection, personOnly } = means;
  const { text, limit, approved } = request;
  const destructive = 'Running a destructive statement';
  if (approved) await personOnly(destructive);
  const closed = (wants: 'read' | 'write') =>
    personOnly(`Running this statement on a connection that is ${notOpen(wants)}`);
  if (!isOpenTo('read', connection())) await closed('read');
  const classified = await data.classify(accessOf(request, { kind: 'person' }, means), text);
  const effect = classified.clientEffect ?? classified.effect;
  if (effect === 'destroy') await personOnly(destructive);
  // The levels may have changed while the driver read the statement.
  const wants = effect === 'read' ? 'read' : 'write';
  const current = connection();
  if (!isOpenTo(wants, current)) await closed(wants);
  try {
    const outcome = await data.runQuery(accessOf(request, programCaller, means), {
      text,
      limit,
      ceiling: effect,
    });
    return { state: 'done', outcome };
  } catch (error) {
    if (needs(error) === 'destroy') {
      await personOnly(
        `Changing or deleting more than ${amount(current.reachLimit, 'row')} (the reach limit of this connection), or rows through a foreign key,`,
      );
    }
    // The hourly limit of clients is reached, and the user did not allow more. The person may still type the passphrase.
    if (isAppError(error) && error.code === 'not_approved') {
      await personOnly('Writing more rows in an hour than AI clients may write without a question');
    }
    throw error;
  }
}

/**
 * A destructive statement, or one beyond the reach limit, runs only with the loss that the person has seen. So does a
 * write on a connection whose Safe Mode confirms each save.
 */
async function runForPerson(request: StatementRequest, means: Means): Promise<StatementAnswer> {
  const { data, connection } = means;
  const { text, limit, approved } = request;
  const access = accessOf(request, { kind: 'person' }, means);
  if (approved) return { state: 'done', outcome: await data.runDestructive(access, { text, approved }) };
  const { effect, summary } = await data.classify(access, text);
  const { safeMode, reachLimit: reach } = connection();
  // If Safe Mode is Read Only, nothing is asked: `runQuery` refuses the statement and says why.
  const isAsked = effect === 'destroy' || (effect === 'write' && safeMode === 'confirm');
  if (!isAsked || safeMode === 'readOnly') {
    try {
      return { state: 'done', outcome: await data.runQuery(access, { text, limit, ceiling: effect, reach }) };
    } catch (error) {
      if (needs(error) !== 'destroy' || safeMode === 'readOnly') throw error;
    }
  }
  const loss = await data.measure(access, text);
  return { state: 'confirm', summary, loss, words: lossWords(loss) };
}

function accessOf(
  { connectionId, timeoutMs }: StatementRequest,
  caller: Caller,
  { signal }: Pick<Means, 'signal'>,
): DataAccess {
  return { caller, connectionId, signal, ...(timeoutMs !== undefined && { timeoutMs }) };
}

function needs(error: unknown): Effect | undefined {
  return isAppError(error) ? error.needs : undefined;
}
