import type { Connection } from '@trestle/core';
import { expect } from 'vitest';
import { untilAtWork } from '../faults/busy-host.ts';
import type { RunningServer } from './running-server.ts';

/** Waits until a statement runs in the driver of a connection: what is cancelled before that cancels nothing. */
export async function untilRunning({ core }: RunningServer, { id }: Connection): Promise<void> {
  await expect.poll(() => core.sessions.status(id).pid).toBeDefined();
  await untilAtWork(core.sessions.status(id).pid!);
}
