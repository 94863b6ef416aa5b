import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AppError } from '@trestle/core';
import { dataDirectory as configuredDirectory } from '@trestle/handshake';

export function dataDirectory(): string {
  return resolve(configuredDirectory());
}

/** Creates the data directory if it is missing. Closes it to other users, except on Windows. */
export function openDataDirectory(): string {
  const folder = dataDirectory();
  try {
    makeFolder(folder);
    if (process.platform !== 'win32' && statSync(folder).mode & 0o077) chmodSync(folder, 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(folder, error as NodeJS.ErrnoException);
  }
  return folder;
}

/**
 * Creates one folder at a time. Node's recursive mkdir never returns if the parent exists but refuses a new folder with
 * ENOENT, as /proc does.
 */
function makeFolder(folder: string): void {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // The folder may exist already.
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (!isThere || !statSync(folder).isDirectory()) throw error;
  }
}

/** A clear message: the storage would only say that it cannot open a file. */
function unusable(folder: string, error: NodeJS.ErrnoException): AppError {
  const reasons: Record<string, string> = {
    EROFS: 'its disk is read-only',
    ENOSPC: 'its disk is full',
    EACCES: 'this user may not write there',
    // For example, the folder belongs to another user, so its mode cannot be changed.
    EPERM: 'this user may not create or change it',
    ENOTDIR: 'a part of its path is not a folder',
    EEXIST: 'it is not a folder',
    ENOENT: 'no folder can be created there',
    ENAMETOOLONG: 'its name is too long',
  };
  const words = reasons[error.code ?? ''] ?? error.message;
  return new AppError(
    {
      code: 'storage_failed',
      message: `The data directory ${folder} cannot be used: ${words}`,
      hint: 'Fix that, or name another one in TRESTLE_HOME.',
    },
    { cause: error },
  );
}
