import { AppError } from '@trestle/core';
import { callRunningApp, notRunning } from '../control/client.ts';
import type { OperationInput, OperationName, OperationResult } from '../control/core-operations.ts';
import { openDataDirectory } from '../data-directory.ts';
import { withPassphrase } from './ask-core.ts';

export type Ask = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  signal?: AbortSignal,
) => Promise<OperationResult<Name>>;

/** The app stopped before the operation was sent. */
export class AppGone extends AppError {}

/**
 * Runs several operations on one core: the running app's core, or a core that is opened here until the work is done. The
 * caller must handle Ctrl-C, since only the caller knows when it is safe to stop.
 */
export async function withCore<T>(dist: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const dataDirectory = openDataDirectory();
  const { claimInstance } = await import('../single-instance.ts');
  for (;;) {
    // The app may be busy with other work for some seconds. That must not fail an import in a script.
    const status = await callRunningApp(dataDirectory, 'status', null, { mostSeconds: 45 });
    if (status !== notRunning) return work(askRunning(dataDirectory));
    const claim = await claimInstance(dataDirectory, {
      onWait: () => process.stderr.write('Waiting for another Trestle process …\n'),
    });
    // The app started in the meantime.
    if (!claim.owner) continue;
    try {
      return await onOwnCore(dist, dataDirectory, work);
    } finally {
      claim.lock.release();
    }
  }
}

function askRunning(dataDirectory: string): Ask {
  return (name, input, signal) =>
    withPassphrase(async (passphrase) => {
      const answer = await callRunningApp(dataDirectory, name, input, { passphrase, signal });
      if (answer === notRunning) {
        throw new AppGone({ code: 'internal', message: 'Trestle stopped meanwhile' });
      }
      return answer as OperationResult<typeof name>;
    });
}

async function onOwnCore<T>(dist: string, dataDirectory: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const { openCore } = await import('../open-core.ts');
  const { runOperation } = await import('../control/core-operations.ts');
  const { openLog } = await import('../log.ts');
  const core = await openCore({ dist, dataDirectory, log: openLog(dataDirectory) });
  if (core.damage.found) process.stderr.write(`${core.damage.found}\n`);
  const never = new AbortController().signal;
  try {
    return await work((name, input, signal = never) =>
      withPassphrase(async (passphrase) => {
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
