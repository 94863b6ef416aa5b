import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
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

/** A project may come from a stranger, and its file is read and parsed whole. */
const maxBytes = 8 * 1024 * 1024;

/** The bytes of a client's configuration; null where there is no file. */
export function readConfigFile(path: string): Buffer | null {
  try {
    const found = statSync(path);
    // Opening a pipe would wait for somebody to write to it.
    if (!found.isFile()) throw new Error('it is not a file');
    if (found.size > maxBytes)
      throw new Error(`it is larger than ${maxBytes / 1024 / 1024} MB. Add the entry by hand`);
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw failed('read', path, error);
    if (isLink(path)) throw failed('read', path, new Error('it is a link to a file that is not there'));
    return null;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/**
 * Replaces the file in one step, with its mode, through a link where one leads to it: dotfiles are often linked
 * from elsewhere. Gives the first folder it had to make.
 */
export function replaceConfigFile(path: string, bytes: Buffer, expected: Buffer | null): string | null {
  let made: string | undefined;
  let temporary: string | undefined;
  try {
    made = mkdirSync(dirname(path), { recursive: true });
    const target = expected === null ? path : realpathSync(path);
    temporary = `${target}.${randomBytes(6).toString('hex')}`;
    const mode = expected === null ? 0o600 : statSync(target).mode & 0o777;
    // The folder's rights would let us replace it; whoever made it read-only wanted to keep it.
    if ((mode & 0o200) === 0) throw new Error('it is read-only. Make it writable, or add the entry by hand');
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
    return made ?? null;
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

/** From the folder upwards to the one that was made first, as long as nothing else has come to be in them. */
function removeEmptyFolders(folder: string, first: string): void {
  try {
    for (let at = folder; at.startsWith(first); at = dirname(at)) rmdirSync(at);
  } catch {
    // Somebody has put something there.
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
