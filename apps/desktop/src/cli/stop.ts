import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@trestle/core';
import type { AppStatus } from '../control/app-commands.ts';
import { callRunningApp, notRunning } from '../control/client.ts';
import { dataDirectory } from '../data-directory.ts';
import { parse } from './parse.ts';
import type { CommandContext } from './run-command.ts';

const help = `Usage: trestle stop

Stops the running Trestle and returns when it has stopped.`;

export async function execute({ args }: CommandContext): Promise<number> {
  if (!parse(args, help, {})) return 0;
  const status = (await callRunningApp(dataDirectory(), 'status')) as AppStatus | typeof notRunning;
  if (status === notRunning || (await callRunningApp(dataDirectory(), 'stop')) === notRunning) {
    console.log('Trestle is not running.');
    return 0;
  }
  await untilGone(status.pid);
  console.log('Trestle has stopped.');
  return 0;
}

export async function untilGone(pid: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (!isAlive(pid)) return;
    await delay(25);
  }
  throw new AppError({ code: 'timeout', message: `Trestle was told to stop, but process ${pid} still runs` });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
