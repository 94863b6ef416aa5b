import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { TestApp } from '../e2e/app.ts';

/** A statement that does not end by itself. */
export const endless =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

/** Waits until the only driver process is busy, and returns its id. */
export async function busyHost(app: TestApp): Promise<number> {
  await expect.poll(() => app.hosts().length).toBe(1);
  const host = app.hosts()[0]!;
  await untilAtWork(host);
  return host;
}

/** An idle driver is expected to use less processor time than this. */
const workSeconds = 0.3;

/**
 * Waits until a process has used `workSeconds` more of processor time, a sign that it runs a statement. Unlike a fixed
 * delay, this wait suits a machine of any speed.
 */
export async function untilAtWork(pid: number): Promise<void> {
  const before = processorSeconds(pid);
  await expect.poll(() => processorSeconds(pid)).toBeGreaterThan(before + workSeconds);
}

/** Waits until a process runs a statement. Then suspends the process until `awaited` settles. */
export async function heldStill<T>(pid: number, awaited: Promise<T>): Promise<T> {
  await untilAtWork(pid);
  process.kill(pid, 'SIGSTOP');
  try {
    return await awaited;
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function processorSeconds(pid: number): number {
  if (process.platform === 'linux') return linuxSeconds(pid);
  const text = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return text.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** On Linux, `ps` counts whole seconds. `/proc/<pid>/stat` counts hundredths (proc_pid_stat(5), utime and stime). */
function linuxSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
