import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError, isAppError } from '@trestle/core';

export interface ExportFile {
  readonly bytes: number;
  /** True after the reader of the standard output, such as `head`, has closed it. The reader needs no more rows. */
  readonly isClosed: boolean;
  write(piece: string | Uint8Array): Promise<void>;
  /** Gives the finished file its final name. */
  finish(): Promise<void>;
  /** Removes the unfinished file. Does nothing after a `finish` that succeeded. */
  giveUp(): Promise<void>;
}

/**
 * The file has another name in the same folder until it is complete, so that nobody takes a part of the file for the
 * whole. `-` is the standard output.
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
 * Refuses a device, a folder and a link that leads nowhere.
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

/** Another program may have created a file at `path` meanwhile. Linking then fails. Renaming would replace it. */
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
