import type { Classification } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import type { Data } from '../types.ts';
import type { Admitted } from './call-runner.ts';
import type { DataParts } from './data.ts';
import { createRunStatement } from './run-query.ts';

/** How many rows of an answer are kept: a statement that destroys is not run for its rows. */
const limit = 100;

/**
 * A statement that destroys. The user sees what will be lost and approves exactly this run: the text that was
 * shown is the text that runs, within the same call.
 */
export function createRunDestructive(parts: DataParts): Data['runDestructive'] {
  const runStatement = createRunStatement(parts);
  return (access, { text, reason }) =>
    runStatement(access, { action: 'destroy', wants: 'destroy', text }, async (at) => {
      const { effect, summary, loses } = await at.session.use(at.call.signal, (link) =>
        link.session.classify(text, at.call),
      );
      if (effect !== 'destroy') {
        throw new AppError({
          code: 'invalid_argument',
          message: `The statement does not destroy anything (${summary}), so there is nothing to confirm`,
          hint: 'Run it as an ordinary query.',
        });
      }
      const rows = await countLost(at, loses);
      const loss = { text, summary, table: loses?.table ?? null, rows, reason: reason ?? null };
      await at.waitForUser(() =>
        parts.gate.confirm(access.caller, access.connectionId, loss, at.call.signal),
      );
      return { limit, ceiling: 'destroy' };
    });
}

/** Null where it cannot be told: the user is asked all the same. */
async function countLost(
  { session, call }: Admitted,
  loses: Classification['loses'],
): Promise<number | null> {
  if (!loses || loses.rows !== undefined) return loses?.rows ?? null;
  const { table, partition } = loses;
  const request = {
    table,
    filters: [],
    match: 'all' as const,
    ...(partition !== undefined && { partition }),
  };
  try {
    return await session.use(call.signal, (link) => link.session.count(request, call));
  } catch (error) {
    if (call.signal.aborted) throw error;
    return null;
  }
}
