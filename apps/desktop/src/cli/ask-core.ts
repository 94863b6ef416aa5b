import { callRunningApp, notRunning } from '../control/client.ts';
import type { OperationInput, OperationName, OperationResult } from '../control/core-operations.ts';
import { openDataDirectory } from '../data-directory.ts';

/** Runs an operation through the running app, or on the core itself when there is none. */
export async function askCore<Name extends OperationName>(
  dist: string,
  name: Name,
  ...[input]: null extends OperationInput<Name> ? [] : [OperationInput<Name>]
): Promise<OperationResult<Name>> {
  const dataDirectory = openDataDirectory();
  // Again when the app began or ended between the two.
  for (;;) {
    let answer = await callRunningApp(dataDirectory, name, input ?? null);
    if (answer === notRunning) answer = await runHere(dist, dataDirectory, name, input ?? null);
    if (answer !== notRunning) return answer as OperationResult<Name>;
  }
}

async function runHere(
  dist: string,
  dataDirectory: string,
  name: OperationName,
  input: unknown,
): Promise<unknown> {
  const { claimInstance } = await import('../single-instance.ts');
  const claim = await claimInstance(dataDirectory, {
    onWait: () => process.stderr.write('Waiting for another Trestle command to finish …\n'),
  });
  if (!claim.owner) return notRunning;
  try {
    const { openCore } = await import('../open-core.ts');
    const { runOperation } = await import('../control/core-operations.ts');
    const { openLog } = await import('../log.ts');
    const log = openLog(dataDirectory);
    const core = await openCore({ dist, dataDirectory, log });
    try {
      return await runOperation(core, name, input, {
        signal: interrupted(),
        async resetSample(id) {
          const { openSamples } = await import('../samples/samples.ts');
          const samples = await openSamples(core, { dist, dataDirectory, log });
          await samples.reset(id).finally(() => samples.close());
        },
      });
    } finally {
      await core.close();
    }
  } finally {
    claim.lock.release();
  }
}

/** Ctrl-C cancels the operation, so that the core still closes in order. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
