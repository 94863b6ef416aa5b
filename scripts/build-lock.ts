import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from './stale.mjs';

/**
 * Two commands must not write the same bundle at the same time, so the second command waits for the lock. Returns the
 * function that frees the lock.
 */
export async function lockBuild(path: string): Promise<() => void> {
  for (;;) {
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw new UnwritableFolder(code);
      const holder = holderOf(path);
      if (holder !== undefined && isDead(holder)) removeLock(path, holder.text);
      else await setTimeout(100);
    }
  }
}

/** Nothing can be built in this folder. A retry would fail too. */
export class UnwritableFolder extends Error {
  constructor(code: string | undefined) {
    super(
      `Trestle must be built, and ${root} cannot be written (${code}). Make it writable, or copy it to a place that is.`,
    );
  }
}

/**
 * The writer of an empty lock has not written its process id yet. If the lock is still empty after this time, the
 * writer counts as dead.
 */
const writeMs = 5_000;

interface Holder {
  text: string;
  ageMs: number;
}

function holderOf(path: string): Holder | undefined {
  try {
    return { text: readFileSync(path, 'utf8'), ageMs: Date.now() - statSync(path).mtimeMs };
  } catch {
    return undefined;
  }
}

function isDead({ text, ageMs }: Holder): boolean {
  if (text === '') return ageMs > writeMs;
  try {
    return !process.kill(Number(text), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

/**
 * Removes the lock of a dead process. Another waiting command may have replaced the lock since it was read. So
 * the lock is renamed and read again. A lock with other text gets its name back.
 */
function removeLock(path: string, dead: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') === dead) rmSync(aside);
    else renameSync(aside, path);
  } catch {
    // Another command was faster.
  }
}
