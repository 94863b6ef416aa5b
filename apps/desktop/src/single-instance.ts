import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@trestle/core';
import { callRunningApp, notRunning } from './control/client.ts';
import { type InstanceLock, tryInstanceLock } from './instance-lock.ts';

/** Either this process owns the core now, or a running app does. */
type Claim = { owner: true; lock: InstanceLock } | { owner: false };

/**
 * Takes the instance lock, unless a running app answers. Waits for states that pass soon: an app that has the lock but
 * does not listen yet, one that is stopping, or a command that has the core open briefly.
 */
export async function claimInstance(
  dataDirectory: string,
  options: { timeoutMs?: number; onWait?: () => void } = {},
): Promise<Claim> {
  const started = Date.now();
  let told = false;
  for (;;) {
    const lock = tryInstanceLock(dataDirectory);
    if (lock) return { owner: true, lock };
    if ((await callRunningApp(dataDirectory, 'status').catch(() => notRunning)) !== notRunning) {
      return { owner: false };
    }
    const waited = Date.now() - started;
    if (waited > (options.timeoutMs ?? 45_000)) {
      throw new AppError({
        code: 'timeout',
        message: `Another Trestle process holds ${dataDirectory} and does not answer`,
        hint: 'It may be a long command, such as an import. Wait until it ends, or end that process, and try again.',
      });
    }
    if (!told && waited > 1000) {
      told = true;
      options.onWait?.();
    }
    await delay(25);
  }
}
