import { lstat, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, type OwnText, own } from '@trestle/core';

const exportsKeptDays = 7;

/** The disk space that an export must leave free, for the log and the user's databases. */
const leftFree = 200 * 1024 ** 2;
/** Bytes written between two checks of the disk. */
const lookEvery = 8 * 1024 ** 2;

/** The exports that this process is writing. */
const underWay = new Set<ExportRoom>();

/** Removes old exports, and no other files. If one cannot be removed, removes the others, then throws. */
export async function pruneExports(folder: string, now = Date.now(), remove = removeFile): Promise<void> {
  const oldest = now - exportsKeptDays * 24 * 60 * 60_000;
  const old = (await exportsIn(folder)).filter(({ at }) => at < oldest);
  const results = await Promise.allSettled(old.map(({ file }) => remove(file)));
  const failure = results.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}

function removeFile(file: string): Promise<void> {
  return rm(file, { force: true });
}

export async function exportsUse(folder: string): Promise<{ files: number; bytes: number }> {
  const files = await exportsIn(folder);
  return { files: files.length, bytes: total(files) };
}

/**
 * Keeps one export within the limits of the folder and the disk. Older exports are removed only after this export is
 * complete, so that a failed export removes no other export.
 */
export class ExportRoom {
  readonly #folder: string;
  readonly #file: string;
  readonly #limit: number;
  readonly #freeBytes: (folder: string) => Promise<number>;
  readonly #remove: (file: string) => Promise<void>;
  /** The exports that were under way at some time during this export, by file. This export never removes them. */
  readonly #parallel = new Map<string, ExportRoom>();
  /** The size of the file, with the part that is being written. 0 after a failure. */
  #bytes = 0;
  #isComplete = false;
  /** The file may grow to this size before the next check of the disk. */
  #granted = 0;

  constructor(options: {
    folder: string;
    file: string;
    limitMegabytes: number;
    freeBytes?: (folder: string) => Promise<number>;
    remove?: (file: string) => Promise<void>;
  }) {
    this.#folder = options.folder;
    this.#file = options.file;
    this.#limit = options.limitMegabytes * 1024 ** 2;
    this.#freeBytes = options.freeBytes ?? freeBytes;
    this.#remove = options.remove ?? removeFile;
    for (const other of underWay) {
      if (other.#folder !== this.#folder) continue;
      other.#parallel.set(this.#file, this);
      this.#parallel.set(other.#file, other);
    }
    underWay.add(this);
  }

  /** Call this before the file grows to `bytes`. Throws if the folder or the disk has no space for it. */
  async take(bytes: number): Promise<void> {
    // An `await` between the check and the change of `#bytes` would let two exports take the same space.
    const kept = this.#parallel.values().reduce((sum, other) => sum + other.#bytes, 0);
    if (kept + bytes > this.#limit) {
      // The caller removes the file later. Without this line, a parallel export would count these bytes and could fail.
      this.#bytes = 0;
      throw overLimit(this.#limit);
    }
    this.#bytes = bytes;
    if (bytes <= this.#granted) return;
    const free = await this.#freeBytes(this.#folder);
    if (free - (bytes - this.#granted) < leftFree) throw diskFull(free);
    this.#granted = bytes + lookEvery;
  }

  /** Call this when the file is complete. Removes other exports beyond the limit, oldest first. Returns how many. */
  async removeOldest(bytes: number): Promise<number> {
    this.#isComplete = true;
    // The new export is complete, so a failure to list the other exports is ignored.
    const others = await this.#others().catch(() => []);
    let used = total(others) + bytes;
    let removed = 0;
    for (const one of others.sort((a, b) => a.at - b.at)) {
      if (used <= this.#limit) break;
      if (this.#parallel.has(one.file)) continue;
      try {
        await this.#remove(one.file);
      } catch {
        // Windows may refuse to remove a file that another program has open. The new export is complete all the same.
        continue;
      }
      for (const room of underWay) room.#parallel.delete(one.file);
      used -= one.bytes;
      removed++;
    }
    return removed;
  }

  release(): void {
    underWay.delete(this);
    this.#parallel.clear();
    if (!this.#isComplete) this.#bytes = 0;
  }

  async #others(): Promise<ExportedFile[]> {
    return (await exportsIn(this.#folder)).filter(({ file }) => file !== this.#file);
  }
}

interface ExportedFile {
  file: string;
  bytes: number;
  at: number;
}

function total(files: ExportedFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function overLimit(limit: number): AppError {
  return new AppError({
    code: 'invalid_argument',
    message: own`The export was stopped: it would make the exports folder larger than the ${megabytes(limit)} that Settings allow. Nothing was saved`,
    hint: own`Filter the rows or choose fewer columns, or ask the user to raise the limit in Settings → Storage.`,
  });
}

function diskFull(free: number): AppError {
  return new AppError({
    code: 'storage_failed',
    message: own`The export was stopped: the disk of the exports folder has only ${megabytes(free)} left. Nothing was saved`,
    hint: own`Ask the user to make room on that disk.`,
  });
}

function megabytes(bytes: number): OwnText {
  return own`${Math.floor(bytes / 1024 ** 2)} MB`;
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Matches the file names that write-export.ts creates. */
const exportName = /-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-f]{8}\.(csv|json|jsonl)$/;

async function exportsIn(folder: string): Promise<ExportedFile[]> {
  const found = [];
  for (const name of await namesIn(folder)) {
    if (!exportName.test(name)) continue;
    const file = join(folder, name);
    const stats = await lstat(file).catch(() => undefined);
    if (stats?.isFile()) found.push({ file, bytes: stats.size, at: stats.mtimeMs });
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
