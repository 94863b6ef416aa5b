import type { Caller, Connection } from '@trestle/core';
import { expect } from 'vitest';
import { untilAtWork } from '../faults/busy-host.ts';
import type { RunningServer } from './running-server.ts';

/** Waits until a client's statement runs in the driver: what is cancelled before that cancels nothing. */
export async function untilRunning({ core }: RunningServer, { id }: Connection): Promise<void> {
  // A driver that runs one call at a time has a process of its own for clients.
  const pid = () => core.sessions.status(id, { kind: 'client' } as Caller).pid;
  await expect.poll(pid).toBeDefined();
  await untilAtWork(pid()!);
}
