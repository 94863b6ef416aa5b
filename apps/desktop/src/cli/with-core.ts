import { AppError } from '@trestle/core';
import { callRunningApp, notRunning } from '../control/client.ts';
import type { OperationInput, OperationName, OperationResult } from '../control/core-operations.ts';
import { openDataDirectory } from '../data-directory.ts';
import { type Typed, withPassphrase } from './ask-core.ts';
import type { Terminal } from './terminal.ts';

export type Ask = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  signal?: AbortSignal,
  /** `asPerson`: sends the passphrase that was typed before, so that the refusal without it is not logged again. */
  options?: { asPerson: boolean },
) => Promise<OperationResult<Name>>;

/** The app stopped before the operation was sent. */
export class AppGone extends AppError {}

/**
 * Runs several operations on one core: the running app's core, or a core that is opened here until the work is done. The
 * caller must handle Ctrl-C, since only the caller knows when it is safe to stop.
 */
export async function withCore<T>(
  dist: string,
  work: (ask: Ask) => Promise<T>,
  terminal?: Terminal,
): Promise<T> {
  const typed: Typed = { passphrase: null, ...(terminal && { terminal }) };
  const dataDirectory = openDataDirectory();
  const { claimInstance } = await import('../single-instance.ts');
  for (;;) {
    // The app may be busy with other work for some seconds. That must not fail an import in a script.
    const status = await callRunningApp(dataDirectory, 'status', null, { mostSeconds: 45 });
    if (status !== notRunning) return work(askRunning(dataDirectory, typed));
    const claim = await claimInstance(dataDirectory, {
      onWait: () => process.stderr.write('Waiting for another Trestle process …\n'),
    });
    // The app started in the meantime.
    if (!claim.owner) continue;
    try {
      return await onOwnCore(dist, dataDirectory, { work, typed });
    } finally {
      claim.lock.release();
    }
  }
}

/** The calls of one command share the passphrase: it is typed once. */
function passphraseFor<T>(
  typed: Typed,
  { asPerson }: { asPerson: boolean },
  ask: (passphrase: string | null) => Promise<T>,
): Promise<T> {
  return asPerson && typed.passphrase !== null ? ask(typed.passphrase) : withPassphrase(ask, typed);
}

const asProgram = { asPerson: false };

function askRunning(dataDirectory: string, typed: Typed): Ask {
  return (name, input, signal, options = asProgram) =>
    passphraseFor(typed, options, async (passphrase) => {
      const answer = await callRunningApp(dataDirectory, name, input, { passphrase, signal });
      if (answer === notRunning) {
        throw new AppGone({ code: 'internal', message: 'Trestle stopped meanwhile' });
      }
      return answer as OperationResult<typeof name>;
    });
}

async function onOwnCore<T>(
  dist: string,
  dataDirectory: string,
  { work, typed }: { work: (ask: Ask) => Promise<T>; typed: Typed },
): Promise<T> {
  const { openCore } = await import('../open-core.ts');
  const { runOperation } = await import('../control/core-operations.ts');
  const { openLog } = await import('../log.ts');
  const core = await openCore({ dist, dataDirectory, log: openLog(dataDirectory) });
  if (core.damage.found) process.stderr.write(`${core.damage.found}\n`);
  const never = new AbortController().signal;
  try {
    return await work((name, input, signal = never, options = asProgram) =>
      passphraseFor(typed, options, async (passphrase) => {
        const means = { signal, passphrase, resetSample: noSamples };
        return (await runOperation(core, name, input, means)) as OperationResult<typeof name>;
      }),
    );
  } finally {
    await core.close();
  }
}

async function noSamples(): Promise<void> {
  throw new AppError({ code: 'unsupported', message: 'A sample is reset with `trestle connections reset`' });
}
