import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError, isAppError } from '@trestle/core';

export interface ExportFile {
  readonly bytes: number;
  /** The reader of the standard output is gone, such as `head`. That is not a failure, but no row is needed any more. */
  readonly isClosed: boolean;
  write(piece: string | Uint8Array): Promise<void>;
  /** Renames the finished file to its final name. */
  finish(): Promise<void>;
  /** Removes the unfinished file. Does nothing after a `finish` that succeeded. */
  giveUp(): Promise<void>;
}

/**
 * The file is written next to its final path under another name, so that nobody mistakes a part for the whole. `-` is
 * the standard output.
 */
export async function openExportFile(out: string, { replace }: { replace: boolean }): Promise<ExportFile> {
  if (out === '-') return standardOutput();
  const path = await placeOf(resolve(out), replace);
  // A random name: the final name with one more ending could be too long for the file system.
  const part = join(dirname(path), `.${randomBytes(8).toString('hex')}.part`);
  // Only the owner can read the file: other users may have no right to see the rows.
  const handle = await open(part, 'wx', 0o600).catch((error: Error) => {
    throw new AppError({ code: 'invalid_argument', message: `${path} cannot be written: ${error.message}` });
  });
  let isOver = false;
  let bytes = 0;
  return {
    isClosed: false,
    get bytes() {
      return bytes;
    },
    async write(piece) {
      if (piece.length === 0) return;
      const data = typeof piece === 'string' ? Buffer.from(piece) : piece;
      await handle.appendFile(data).catch((error: Error) => {
        throw unwritten(path, error);
      });
      bytes += data.length;
    },
    async finish() {
      try {
        await handle.sync();
        await handle.close();
        await (replace ? rename(part, path) : putNew(part, path));
      } catch (error) {
        throw isAppError(error) ? error : unwritten(path, error as Error);
      }
      isOver = true;
    },
    async giveUp() {
      if (isOver) return;
      isOver = true;
      await handle.close().catch(() => {});
      await rm(part, { force: true });
    },
  };
}

/**
 * The path of the file to write. Refuses an existing file without `replace`. With `replace`, follows a link to its file.
 * Never replaces a device or folder.
 */
async function placeOf(path: string, replace: boolean): Promise<string> {
  const there = await lstat(path).catch(() => null);
  if (!there) return path;
  const target = await realpath(path).catch(() => null);
  if (target && (await stat(target)).isFile()) {
    if (replace) return target;
    throw taken(path);
  }
  throw new AppError({
    code: 'invalid_argument',
    message: `${path} is not a plain file`,
    hint: 'Name another file, or - for the standard output.',
  });
}

/** Another program may have created this file meanwhile. Linking then fails; renaming would replace the file. */
async function putNew(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(path)) throw taken(path);
    // Some file systems have no hard links.
    return rename(part, path);
  }
  await rm(part, { force: true });
}

function unwritten(path: string, { message }: Error): AppError {
  return new AppError({ code: 'storage_failed', message: `${path} cannot be written: ${message}` });
}

function taken(path: string): AppError {
  return new AppError({
    code: 'conflict',
    message: `${path} exists already`,
    hint: 'Name another file, or replace this one with --replace.',
  });
}

function standardOutput(): ExportFile {
  let bytes = 0;
  let isClosed = false;
  return {
    get bytes() {
      return bytes;
    },
    get isClosed() {
      return isClosed;
    },
    async write(piece) {
      if (piece.length === 0 || isClosed) return;
      bytes += Buffer.byteLength(piece);
      await new Promise<void>((done, fail) =>
        process.stdout.write(piece, (error: NodeJS.ErrnoException | null | undefined) => {
          isClosed = error?.code === 'EPIPE';
          if (error && !isClosed) fail(error);
          else done();
        }),
      );
    },
    finish: async () => {},
    giveUp: async () => {},
  };
}
