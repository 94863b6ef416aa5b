import { setTimeout as delay } from 'node:timers/promises';
import { AppError, isAppError } from '@trestle/core';
import { callRunningApp, notRunning } from './control/client.ts';
import { type InstanceLock, tryInstanceLock } from './instance-lock.ts';

/** Either this process owns the core now, or a running app does. */
type Claim = { owner: true; lock: InstanceLock } | { owner: false };

/**
 * Takes the instance lock, unless a running app answers. Retries for about 45 seconds: an app may have the lock but not
 * listen yet, an app may be stopping, or a command may have the core open briefly.
 */
export async function claimInstance(
  dataDirectory: string,
  { onWait }: { onWait?: () => void } = {},
): Promise<Claim> {
  const until = Date.now() + 45_000;
  const timer = onWait && setTimeout(onWait, 1000);
  try {
    for (;;) {
      const lock = tryInstanceLock(dataDirectory);
      if (lock) return { owner: true, lock };
      if (await isAnswering(dataDirectory)) return { owner: false };
      if (Date.now() > until) throw noAnswer(dataDirectory);
      await delay(25);
    }
  } finally {
    clearTimeout(timer);
  }
}

async function isAnswering(dataDirectory: string): Promise<boolean> {
  try {
    return (await callRunningApp(dataDirectory, 'status')) !== notRunning;
  } catch (error) {
    // Waiting does not help: the running app refuses our control secret. For example, the secret's file was deleted.
    if (isAppError(error) && error.code === 'forbidden') throw error;
    return false;
  }
}

function noAnswer(dataDirectory: string): AppError {
  return new AppError({
    code: 'timeout',
    message: `Another Trestle process holds ${dataDirectory} and does not answer`,
    hint: 'It may be a long command, such as an import. Wait until it ends, or end that process, and try again.',
  });
}
