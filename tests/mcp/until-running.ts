import type { Caller, Connection } from '@trestle/core';
import { expect } from 'vitest';
import { untilAtWork } from '../faults/busy-host.ts';
import type { RunningServer } from './running-server.ts';

/** Waits until a client's statement runs in the driver. Before the statement runs, there is nothing to cancel. */
export async function untilRunning({ core }: RunningServer, { id }: Connection): Promise<void> {
  // A driver that runs one call at a time has a separate process for clients.
  const pid = () => core.sessions.status(id, { kind: 'client' } as Caller).pid;
  await expect.poll(pid).toBeDefined();
  await untilAtWork(pid()!);
}
