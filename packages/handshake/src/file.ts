import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Handshake } from './format.ts';
import { readHandshake } from './trust.ts';

const fileName = 'mcp-handshake.json';

export function handshakePath(home: string): string {
  return join(home, fileName);
}

/** Replaces the file in one step, so that no reader ever sees half of it, and never through a link. */
export function writeHandshake(home: string, handshake: Handshake): void {
  const path = handshakePath(home);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    removeLeftovers(path);
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, `${JSON.stringify(handshake, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // A umask can only take bits away; the owner's own must be there.
    chmodSync(temporary, 0o600);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmdirSync(path);
    renameSync(temporary, path);
  } catch (error) {
    remove(temporary);
    throw unwritten(path, error as NodeJS.ErrnoException);
  }
}

/**
 * Removes the file if it is still this instance's: another copy of the app may have written its own. One that
 * cannot be removed stays, and is stale as soon as the process is gone; the server must stop all the same.
 */
export function removeHandshake(home: string, instanceId: string): void {
  const reading = readHandshake(handshakePath(home));
  if (reading.trusted && reading.handshake.instanceId === instanceId) remove(handshakePath(home));
}

/** A process killed while it wrote has left its half of a file, with a token in it. */
function removeLeftovers(path: string): void {
  const folder = dirname(path);
  try {
    const left = readdirSync(folder).filter((name) => leftover.test(name));
    for (const name of left) remove(join(folder, name));
  } catch {
    // A folder that cannot be listed can still be written to.
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The disk has become read-only; what is being done is more important than a file that stays.
  }
}

function unwritten(path: string, error: NodeJS.ErrnoException): Error {
  const words = reasons[error.code ?? ''] ?? error.message;
  return new Error(`The handshake ${path} cannot be written: ${words}`, { cause: error });
}

const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'its folder may not be written to',
  EPERM: 'its folder may not be written to',
  ENOTEMPTY: 'a folder is in its place',
  EEXIST: 'a folder is in its place',
};

const leftover = /^mcp-handshake\.json\.[0-9a-f]{12}$/;
