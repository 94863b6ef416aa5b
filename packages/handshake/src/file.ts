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

/** Replaces the file atomically, so no reader sees half of it. Never writes through a link. */
export function writeHandshake(home: string, handshake: Handshake): void {
  const path = handshakePath(home);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    makeFolder(home);
    removeLeftovers(path);
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, `${JSON.stringify(handshake, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // The umask may have removed the owner's bits. This sets them again.
    chmodSync(temporary, 0o600);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmdirSync(path);
    renameSync(temporary, path);
  } catch (error) {
    remove(temporary);
    throw unwritten(path, error as NodeJS.ErrnoException);
  }
}

/**
 * Removes the file if it still belongs to this instance: another copy of the app may have written its own. Never throws:
 * the server must stop even if the file stays, and the file becomes stale when the process exits.
 */
export function removeHandshake(home: string, instanceId: string): void {
  const reading = readHandshake(handshakePath(home));
  if (reading.trusted && reading.handshake.instanceId === instanceId) remove(handshakePath(home));
}

/** Removes the partial files of processes that were killed while writing. Such a file may contain a token. */
function removeLeftovers(path: string): void {
  const folder = dirname(path);
  try {
    const left = readdirSync(folder).filter((name) => leftover.test(name));
    for (const path of left.map((name) => join(folder, name))) {
      // Another copy of the app may be writing a recent file now.
      const written = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (Date.now() - written > leftoverMs) remove(path);
    }
  } catch {
    // A folder that cannot be listed may still be writable.
  }
}

function makeFolder(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    throw new Error('a part of its path is not a folder', { cause: error });
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The disk may be read-only now. Leaving a file behind is better than failing here.
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
  EACCES: 'Trestle has no permission to write to its folder',
  EPERM: 'Trestle has no permission to write to its folder',
  ENOTEMPTY: 'a folder is in its place',
  EEXIST: 'a folder is in its place',
};

const leftoverMs = 60_000;
const leftover = /^mcp-handshake\.json\.[0-9a-f]{12}$/;
