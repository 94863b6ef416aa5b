import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@trestle/core';
import { callRunningApp, notRunning } from '../control/client.ts';
import { dataDirectory } from '../data-directory.ts';
import { tryInstanceLock } from '../instance-lock.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';

const help = `Usage: trestle stop

Stops the running Trestle and returns when it has stopped.`;

export async function execute({ args }: CommandContext): Promise<number> {
  if (!parse(args, help, {})) return 0;
  if ((await callRunningApp(dataDirectory(), 'stop')) === notRunning) {
    console.log('Trestle is not running.');
    return 0;
  }
  await untilReleased(dataDirectory());
  console.log('Trestle has stopped.');
  return 0;
}

/** The app gives up its lock last of all. */
async function untilReleased(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const lock = tryInstanceLock(folder);
    if (lock) return lock.release();
    await delay(50);
  }
  throw new AppError({ code: 'timeout', message: 'Trestle was told to stop but is still running' });
}
