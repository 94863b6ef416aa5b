import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '@trestle/core';

export interface ExportFile {
  readonly bytes: number;
  write(piece: string | Uint8Array): Promise<void>;
  /** Puts the whole file in its place. */
  finish(): Promise<void>;
  /** Removes what was written; does nothing after `finish`. */
  giveUp(): Promise<void>;
}

/** Written beside its place under another name, so that nobody takes a part for the whole. */
export async function openExportFile(out: string, { replace }: { replace: boolean }): Promise<ExportFile> {
  if (out === '-') return standardOutput();
  const path = resolve(out);
  const assertFree = () => {
    if (replace || !existsSync(path)) return;
    throw new AppError({
      code: 'conflict',
      message: `${path} exists already`,
      hint: 'Name another file, or put this one in its place with --replace.',
    });
  };
  assertFree();
  const part = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.part`);
  // The rows may be nobody else's to read.
  const handle = await open(part, 'wx', 0o600).catch((error: Error) => {
    throw new AppError({ code: 'invalid_argument', message: `${path} cannot be written: ${error.message}` });
  });
  let isOver = false;
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    async write(piece) {
      if (piece.length === 0) return;
      const data = typeof piece === 'string' ? Buffer.from(piece) : piece;
      await handle.appendFile(data).catch((error: Error) => {
        throw new AppError({
          code: 'storage_failed',
          message: `${path} cannot be written: ${error.message}`,
        });
      });
      bytes += data.length;
    },
    async finish() {
      await handle.sync();
      await handle.close();
      // Another program may have made one meanwhile.
      assertFree();
      await rename(part, path);
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

function standardOutput(): ExportFile {
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    async write(piece) {
      if (piece.length === 0) return;
      bytes += piece.length;
      await new Promise<void>((done, fail) =>
        process.stdout.write(piece, (error) => (error ? fail(error) : done())),
      );
    },
    finish: async () => {},
    giveUp: async () => {},
  };
}
