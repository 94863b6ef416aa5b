import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, createFailedFile, type ImportFile, isAppError, surveyFile } from '@trestle/core';

/** A file to import: a window sent it, or `retry` made it from the failed rows of another file. */
export interface KeptFile {
  id: string;
  name: string;
  file: ImportFile;
  /** The file with the rows that failed or got no answer in the last import. Null if there are no such rows. */
  failed: { path: string } | null;
  /** No window shows the file. */
  isLeft?: boolean;
}

/** The maximum size of a file that a window sends. */
const mostBytes = 4 * 1024 * 1024 * 1024;

/**
 * How many files are kept. A closed window does not remove its files. So a file beyond this number replaces the oldest
 * file whose import is not running.
 */
const mostFiles = 8;

/**
 * Files to import. They are in the data directory. A file is deleted when the window is done with it, when it is the
 * oldest of too many, or when the app stops.
 */
export class ImportFiles {
  readonly #folder: () => string;
  readonly #kept = new Map<string, KeptFile>();
  readonly #running = new Set<KeptFile>();
  #isReady = false;

  constructor(folder: () => string) {
    this.#folder = folder;
  }

  get(id: string): KeptFile {
    const found = this.#kept.get(id);
    if (found) return found;
    throw new AppError({
      code: 'not_found',
      message: 'Trestle no longer has this file',
      hint: 'Choose it again.',
    });
  }

  /** Writes the bytes as they arrive. Then reads the whole file, to find a broken file before its import begins. */
  async receive(name: string, body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<KeptFile> {
    const { id, path } = this.#place();
    try {
      const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
      await pipeline(source, counted(), createWriteStream(path, { mode: 0o600 }), { signal });
      return await this.#keep(id, name, path, signal);
    } catch (error) {
      await rm(path, { force: true });
      throw named(error, path, name);
    }
  }

  /** Copies the failed rows of the last import to a new file, which the window can import. */
  async retry({ name, failed }: KeptFile, signal: AbortSignal): Promise<KeptFile> {
    if (!failed) throw new AppError({ code: 'not_found', message: 'No row of this file failed' });
    const { id, path } = this.#place();
    const from = await open(failed.path);
    try {
      await pipeline(from.createReadStream(), createWriteStream(path, { mode: 0o600 }), { signal });
      return await this.#keep(id, name, path, signal);
    } catch (error) {
      await rm(path, { force: true });
      throw named(error, path, name);
    } finally {
      await from.close();
    }
  }

  /**
   * Creates the file for the rows that fail in an import. Call `close` of the result when the import has ended: until
   * then, `kept` is not dropped as the oldest file.
   */
  async openFailed(kept: KeptFile) {
    await this.#dropFailed(kept);
    this.#running.add(kept);
    const path = `${kept.file.path}.failed`;
    const file = createFailedFile(path, kept.file);
    return {
      write: file.write,
      close: async () => {
        this.#running.delete(kept);
        // Set before `file.close`, which may fail on a full disk. Then the next import still removes the file.
        if (file.rows > 0) kept.failed = { path };
        try {
          await file.close();
        } finally {
          // If `forget` ran during the import, it did not delete the failed rows.
          if (this.#kept.get(kept.id) !== kept) await this.#dropFailed(kept);
          else if (kept.isLeft) await this.leave(kept.id);
        }
      },
    };
  }

  /**
   * No window shows the file any more. It stays while its import runs, or while it has failed rows: the import's job
   * offers them until it is dismissed.
   */
  async leave(id: string): Promise<void> {
    const kept = this.#kept.get(id);
    if (!kept) return;
    kept.isLeft = true;
    if (!kept.failed && !this.#running.has(kept)) await this.forget(id);
  }

  async forget(id: string): Promise<void> {
    const kept = this.#kept.get(id);
    if (!kept) return;
    this.#kept.delete(id);
    await this.#dropFailed(kept);
    await rm(kept.file.path, { force: true });
  }

  /** Removes all files, also those that a killed app left. */
  clear(): void {
    this.#kept.clear();
    this.#isReady = false;
    rmSync(this.#folder(), { recursive: true, force: true });
  }

  async #dropFailed(kept: KeptFile): Promise<void> {
    if (kept.failed) await rm(kept.failed.path, { force: true });
    kept.failed = null;
  }

  async #keep(id: string, name: string, path: string, signal: AbortSignal): Promise<KeptFile> {
    const kept: KeptFile = { id, name, file: await surveyFile(path, { signal }), failed: null };
    this.#kept.set(id, kept);
    // If the oldest file cannot be deleted now, for example because it is open on Windows, the new file is still
    // accepted. `clear` deletes the oldest file later.
    const oldest = this.#kept.values().find((other) => other !== kept && !this.#running.has(other));
    if (oldest && this.#kept.size > mostFiles) await this.forget(oldest.id).catch(() => {});
    return kept;
  }

  #place(): { id: string; path: string } {
    if (!this.#isReady) {
      this.clear();
      mkdirSync(this.#folder(), { mode: 0o700, recursive: true });
      this.#isReady = true;
    }
    const id = randomUUID();
    return { id, path: join(this.#folder(), id) };
  }
}

function counted(): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      bytes += chunk.length;
      if (bytes <= mostBytes) return next(null, chunk);
      const message = 'The file has more than 4 GB';
      next(new AppError({ code: 'invalid_argument', message, hint: 'Split it, or use `trestle import`.' }));
    },
  });
}

/** Replaces the stored file's path, which the user does not know, with the file's name. Explains a full disk. */
function named(error: unknown, path: string, name: string): unknown {
  if (!isAppError(error)) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC') return error;
    return new AppError({
      code: 'storage_failed',
      message: `${name} does not fit on the disk of Trestle’s data`,
    });
  }
  const { code, message, hint } = error;
  return new AppError({ code, message: message.replaceAll(path, name), ...(hint !== undefined && { hint }) });
}
