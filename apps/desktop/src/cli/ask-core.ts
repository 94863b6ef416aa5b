import { assertUndamaged, isAppError } from '@trestle/core';
import { callRunningApp, notRunning } from '../control/client.ts';
import type { OperationInput, OperationName, OperationResult } from '../control/core-operations.ts';
import { openDataDirectory } from '../data-directory.ts';
import { printable } from './output.ts';
import { standardInput, type Terminal } from './terminal.ts';

/** Runs an operation through the running app, or directly on the core if no app runs. */
export async function askCore<Name extends OperationName>(
  dist: string,
  name: Name,
  ...[input, terminal]: null extends OperationInput<Name> ? [] : [OperationInput<Name>, Terminal?]
): Promise<OperationResult<Name>> {
  return withPassphrase(
    async (passphrase) =>
      (await askOnce(dist, name, { input: input ?? null, passphrase })) as OperationResult<Name>,
    { passphrase: null, ...(terminal && { terminal }) },
  );
}

/** The passphrase that was typed during a command. */
export interface Typed {
  passphrase: string | null;
  /** Opens the terminal if standard input carries something else. Defaults to: only standard input is asked. */
  terminal?: Terminal;
}

/** Calls `ask` again with the administrator passphrase if the act needs it. */
export async function withPassphrase<T>(
  ask: (passphrase: string | null) => Promise<T>,
  typed: Typed = { passphrase: null },
): Promise<T> {
  try {
    return await ask(null);
  } catch (error) {
    // The passphrase is typed, never piped: a program with a shell must not act for the person.
    const { terminal = standardInput } = typed;
    if (!isNeeded(error) || !terminal.isThere()) throw error;
    const { promptSecret } = await import('./prompt-secret.ts');
    const passphrase = await terminal.use((input) => {
      process.stderr.write(`${printable(error.message)}.\n`);
      return promptSecret('Administrator passphrase: ', input);
    });
    return ask(passphrase).then(
      (result) => {
        typed.passphrase = passphrase;
        return result;
      },
      (problem: unknown) => {
        // Any other error means that the passphrase was right.
        if (!isNeeded(problem)) typed.passphrase = passphrase;
        throw problem;
      },
    );
  }
}

function isNeeded(error: unknown): error is Error {
  return isAppError(error) && error.code === 'passphrase_needed';
}

interface Given {
  input: unknown;
  passphrase: string | null;
}

export async function askOnce(dist: string, name: OperationName, given: Given): Promise<unknown> {
  const dataDirectory = openDataDirectory();
  // If the app starts after `callRunningApp` and before `runHere`, both return `notRunning`. Then both are tried again.
  for (;;) {
    let answer = await callRunningApp(dataDirectory, name, given.input, { passphrase: given.passphrase });
    if (answer === notRunning) answer = await runHere(dist, dataDirectory, name, given);
    if (answer !== notRunning) return answer;
  }
}

async function runHere(
  dist: string,
  dataDirectory: string,
  name: OperationName,
  { input, passphrase }: Given,
): Promise<unknown> {
  const { claimInstance } = await import('../single-instance.ts');
  const claim = await claimInstance(dataDirectory, {
    onWait: () => process.stderr.write('Waiting for another Trestle process …\n'),
  });
  if (!claim.owner) return notRunning;
  try {
    // Opening the core would set a damaged trestle.db aside. Doctor reports it instead.
    if (name === 'doctor.look') assertUndamaged(dataDirectory);
    const { openCore } = await import('../open-core.ts');
    const { runOperation } = await import('../control/core-operations.ts');
    const { openLog } = await import('../log.ts');
    const log = openLog(dataDirectory);
    const core = await openCore({ dist, dataDirectory, log });
    if (core.damage.found) process.stderr.write(`${core.damage.found}\n`);
    const { signal, release } = interrupted();
    try {
      return await runOperation(core, name, input, {
        signal,
        passphrase,
        async resetSample(id) {
          const { openSamples } = await import('../samples/samples.ts');
          const samples = await openSamples(core, { dist, dataDirectory, log });
          await samples.reset(id).finally(() => samples.close());
        },
      });
    } finally {
      await core.close();
      release();
    }
  } finally {
    claim.lock.release();
  }
}

/** Ctrl-C cancels the operation, so the core still closes in order. After `release`, Ctrl-C ends the command again. */
export function interrupted(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, abort);
  return {
    signal: controller.signal,
    release() {
      for (const signal of signals) process.off(signal, abort);
    },
  };
}
