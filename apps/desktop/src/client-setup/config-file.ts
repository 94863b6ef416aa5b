import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '@trestle/core';

/** The maximum size of a configuration. It may be in a project from an attacker, and it is parsed completely. */
const maxBytes = 8 * 1024 * 1024;

/** The bytes of a client's configuration. Null if there is no file. */
export function readConfigFile(path: string): Buffer | null {
  try {
    const found = statSync(path);
    // Opening a pipe would wait for a writer.
    if (!found.isFile()) throw new Error('it is not a file');
    if (found.size > maxBytes)
      throw new Error(`it is larger than ${maxBytes / 1024 / 1024} MB. Change the entry by hand`);
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw failed('read', path, error);
    if (isLink(path)) throw failed('read', path, new Error('it is a link to a file that does not exist'));
    return null;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** The outermost folder that must be created for the file. Null if there is none. */
export function missingFolder(path: string): string | null {
  let missing: string | null = null;
  for (let at = dirname(path); !existsSync(at) && at !== missing; at = dirname(at)) missing = at;
  return missing;
}

/**
 * Replaces the file atomically and keeps its mode. Throws if its content is no longer `expected` (null: no file).
 * Follows a link, since dotfiles are often linked.
 */
export function replaceConfigFile(path: string, bytes: Buffer, expected: Buffer | null): void {
  let made: string | undefined;
  let temporary: string | undefined;
  try {
    made = mkdirSync(dirname(path), { recursive: true });
    const target = expected === null ? path : realpathSync(path);
    temporary = `${target}.${randomBytes(6).toString('hex')}`;
    const mode = expected === null ? 0o600 : statSync(target).mode & 0o777;
    // The folder's rights would allow the replacement. But a read-only file is meant to stay unchanged.
    if ((mode & 0o200) === 0) throw new Error('it is read-only. Make it writable');
    const file = openSync(temporary, 'wx', mode);
    try {
      writeFileSync(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    chmodSync(temporary, mode);
    if (!isSame(readConfigFile(path), expected))
      throw new Error('it has just been changed by another program');
    renameSync(temporary, target);
  } catch (error) {
    if (temporary) rmSync(temporary, { force: true });
    if (made) removeEmptyFolders(dirname(path), made);
    throw failed('written', path, error);
  }
}

export function removeConfigFile(path: string, madeFolder: string | null): void {
  try {
    rmSync(path);
  } catch (error) {
    throw failed('removed', path, error);
  }
  if (madeFolder) removeEmptyFolders(dirname(path), madeFolder);
}

/** Removes the created folders from the inside out, as long as they are empty. */
function removeEmptyFolders(folder: string, first: string): void {
  try {
    for (let at = folder; at.startsWith(first); at = dirname(at)) rmdirSync(at);
  } catch {
    // A folder that cannot be removed stays, such as one that is not empty.
  }
}

export function isSame(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

function failed(what: string, path: string, error: unknown): AppError {
  return new AppError(
    { code: 'invalid_argument', message: `${path} could not be ${what}: ${(error as Error).message}` },
    { cause: error },
  );
}
