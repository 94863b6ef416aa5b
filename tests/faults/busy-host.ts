import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import type { TestApp } from '../e2e/app.ts';

/** A statement that does not end by itself. */
export const endless =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

/** Waits until the one driver process is at work, and gives its id. */
export async function busyHost(app: TestApp): Promise<number> {
  await expect.poll(() => app.hosts().length, { timeout: 20_000 }).toBe(1);
  const host = app.hosts()[0]!;
  const before = processorSeconds(host);
  await expect.poll(() => processorSeconds(host), { timeout: 20_000 }).toBeGreaterThan(before);
  return host;
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
  const text = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return text.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0);
}
