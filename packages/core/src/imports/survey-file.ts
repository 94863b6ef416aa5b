import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { type ImportFormat, type RowReader, readRows } from './read-rows.ts';
import { readText } from './read-text.ts';
import type { SourceRow } from './source-row.ts';

/** A file that was read once from start to end, so a broken file is found before any row is sent. */
export interface ImportFile {
  path: string;
  format: ImportFormat;
  delimiter: string;
  columns: string[];
  rows: number;
  /** SHA-256 of the file's bytes. */
  digest: string;
  /** Usually changes when the file changes. */
  stamp: string;
  /** The first rows, for a preview. */
  sample: SourceRow[];
}

const sampleRows = 5;

export async function surveyFile(path: string, { signal }: { signal: AbortSignal }): Promise<ImportFile> {
  await expectFile(path);
  const stamp = await stampOf(path);
  const hash = createHash('sha256');
  let reader: RowReader | undefined;
  let rows = 0;
  const sample: SourceRow[] = [];
  const text = readText(path, { signal, onBytes: (bytes) => hash.update(bytes) });
  const found = readRows(text, (chosen) => {
    reader = chosen;
  });
  for await (const some of found) {
    rows += some.length;
    if (sample.length < sampleRows) sample.push(...some.slice(0, sampleRows - sample.length));
  }
  if (!reader) throw new AppError({ code: 'invalid_argument', message: `${path} is empty` });
  const { format, delimiter = ',' } = reader;
  const digest = hash.digest('hex');
  return { path, format, delimiter, columns: reader.columns(), rows, digest, stamp, sample };
}

/** The import reads the file a second time. A pipe would then have no rows left. */
async function expectFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.isFile() || found.isDirectory()) return;
  throw new AppError({
    code: 'invalid_argument',
    message: `${path} is not a regular file`,
    hint: 'The import reads the file twice. Save the rows in a file first.',
  });
}

export async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : 'gone';
}
