import { exceedsReach } from '@trestle/driver-kit';
import { lossWords } from '../access/loss-words.ts';
import { AppError } from '../errors.ts';
import { own } from '../own-text.ts';
import type { Data } from '../types.ts';
import type { DataParts } from './data-parts.ts';
import { onCurrentMask } from './on-current-mask.ts';
import { createRunStatement } from './run-query.ts';

/** How many rows of the result to keep. Few callers need the rows of a destructive statement. */
const limit = 100;

/**
 * Runs a destructive statement. If a client sent it, the user sees how many rows of each table it would change or
 * delete, and approves exactly one run. The statement runs only if its `Loss` is still the one that the user approved.
 * Otherwise the user is asked again.
 */
export function createRunDestructive(parts: DataParts): Data['runDestructive'] {
  const runStatement = createRunStatement(parts);
  return async (access, { text, reason, approved }) => {
    let done = approved;
    const outcome = await runStatement(
      access,
      { action: 'destroy', wants: 'destroy', text },
      async (at, { again }) => {
        if (approved && access.caller.kind === 'person') {
          if (again) throw lossChanged();
          return { limit, ceiling: 'destroy', approved };
        }
        const [classified, loss] = await onCurrentMask(at, ({ session: held, call, mask }) =>
          held.use(call.signal, async ({ session }) => [
            await session.classify(text, call),
            await session.measure({ text, ...mask.changeRequest }, call),
          ]),
        );
        const { summary } = classified;
        const isClient = access.caller.kind !== 'person';
        const effect = (isClient && classified.clientEffect) || classified.effect;
        if (effect !== 'destroy' && (at.reach === undefined || !exceedsReach(loss, at.reach))) {
          throw new AppError({
            code: 'invalid_argument',
            message: own`The statement does not destroy anything, so there is nothing to confirm`,
            hint: own`Run it as an ordinary query.`,
            quoted: summary,
          });
        }
        const { tables, cascades, schema } = loss;
        const question = {
          kind: 'destroy' as const,
          statement: text,
          summary,
          tables,
          cascades,
          schema,
          loss: lossWords(loss),
          again,
          reason: reason ?? null,
        };
        await at.waitForUser(() => parts.gate.confirm(access, question, at.call.signal));
        done = loss;
        return { limit, ceiling: 'destroy', approved: loss };
      },
    );
    const said = done === undefined ? [] : [{ level: 'info' as const, text: lossWords(done) }];
    return { ...outcome, messages: [...outcome.messages, ...said] };
  };
}

function lossChanged(): AppError {
  return new AppError({
    code: 'loss_changed',
    message: 'The data or the schema changed after the statement was confirmed, so nothing was changed',
    hint: 'Run it again to see the new figures.',
  });
}
