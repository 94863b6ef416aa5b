import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Handshake } from './format.ts';
import { readHandshake } from './trust.ts';

export function handshakePath(home: string): string {
  return join(home, 'mcp-handshake.json');
}

/** Replaces the file in one step, so that no reader ever sees half of it, and never through a link. */
export function writeHandshake(home: string, handshake: Handshake): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = handshakePath(home);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(file, `${JSON.stringify(handshake, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // A umask can only take bits away; the owner's own must be there.
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes the file if it is still this instance's: another copy of the app may have written its own. */
export function removeHandshake(home: string, instanceId: string): void {
  const reading = readHandshake(handshakePath(home));
  if (reading.trusted && reading.handshake.instanceId === instanceId) {
    rmSync(handshakePath(home), { force: true });
  }
}
