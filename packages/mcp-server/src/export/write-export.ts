import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, type ExportFormat, exportWriter, own } from '@trestle/core';
import type { RowSet } from '@trestle/driver-kit';
import { ExportRoom } from './exports-folder.ts';

interface ExportFile {
  file: string;
  rows: number;
  bytes: number;
  /** The number of older exports that were removed to make room. */
  removed: number;
}

/** Writes the batches to a new file that only its owner can read. A failed export leaves no file. */
export async function writeExport(options: {
  folder: string;
  /**
   * The name of the table, or `query`. The file name begins with it, cut to 60 characters. Each run of characters other
   * than letters, digits, `_` and `-` becomes one `_`.
   */
  name: string;
  format: ExportFormat;
  escapeFormulas?: boolean;
  /** Parquet only: the columns to write as text. */
  asText?: string[];
  batches: AsyncIterable<RowSet>;
  /** The limit of the whole folder. */
  limitMegabytes: number;
  freeBytes?: (folder: string) => Promise<number>;
  remove?: (file: string) => Promise<void>;
}): Promise<ExportFile> {
  const file = join(options.folder, fileName(options.name, options.format));
  // Registers the file before it exists: otherwise another export could remove it to make room.
  const room = new ExportRoom({ ...options, file });
  try {
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    const written = await writeBatches({ ...options, file, room });
    return { file, ...written, removed: await room.removeOldest(written.bytes) };
  } catch (error) {
    throw isFileError(error) ? unwritten(error) : error;
  } finally {
    room.release();
  }
}

async function writeBatches({
  file,
  room,
  format,
  escapeFormulas = false,
  asText = [],
  batches,
}: {
  file: string;
  room: ExportRoom;
  format: ExportFormat;
  escapeFormulas?: boolean;
  asText?: string[];
  batches: AsyncIterable<RowSet>;
}): Promise<{ rows: number; bytes: number }> {
  // `wx`: never overwrites a file or follows a link.
  const handle = await open(file, 'wx', 0o600);
  let rows = 0;
  let bytes = 0;
  const write = async (piece: string | Uint8Array) => {
    const data = typeof piece === 'string' ? Buffer.from(piece) : piece;
    bytes += data.length;
    await room.take(bytes);
    await handle.writeFile(data);
  };
  let writer: Awaited<ReturnType<typeof exportWriter>> | undefined;
  try {
    writer = await exportWriter(format, { columns: [], escapeFormulas, asText });
    for await (const batch of batches) {
      await write(await writer.rows(batch, 0, batch.rowCount));
      rows += batch.rowCount;
    }
    await write(await writer.end());
    await handle.close();
    return { rows, bytes };
  } catch (error) {
    writer?.close?.();
    await handle.close().catch(() => {});
    await rm(file, { force: true });
    throw error;
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function unwritten(error: Error): AppError {
  return new AppError(
    {
      code: 'storage_failed',
      message: `The export could not be written: ${error.message}. Nothing was saved`,
      hint: own`Ask the user to make room on that disk, or to make the folder writable.`,
    },
    { cause: error },
  );
}

function fileName(name: string, format: ExportFormat): string {
  const short = name.replace(/[^\p{L}\p{N}_-]+/gu, '_').slice(0, 60);
  // The cut may have left half of a character, which would be stored as another character.
  const safe = short.replace(/\p{Cs}$/u, '') || 'export';
  const at = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return `${safe}-${at}-${randomBytes(4).toString('hex')}.${format}`;
}
