import { type Cell, type Change, cellAt, type RowSet, type TableDescription } from '@trestle/driver-kit';
import { AppError, type AppErrorDetails, appErrorDetails, isAppError } from '../errors.ts';
import { isWritable } from '../imports/plan-import.ts';
import type { CopyCounts, CopyReport, CopyRequest, Data, DataAccess } from '../types.ts';
import { compareSample } from './compare-sample.ts';

interface Parts {
  data: Data;
  request: CopyRequest;
  signal: AbortSignal;
  onProgress(counts: CopyCounts): void;
}

interface Place {
  access: DataAccess;
  table: string;
}

/** Keys of the rows to compare at the end, spread over the table. */
const sampleRows = 50;

/**
 * Copies a table with its ids and vectors, partition by partition. Rows that exist in the target are left alone, so
 * an interrupted copy can be started again and continues.
 */
export async function copyTable({ data, request, signal, onProgress }: Parts): Promise<CopyReport> {
  const of = (connectionId: string): DataAccess => ({ caller: { kind: 'person' }, connectionId, signal });
  const from: Place = { access: of(request.from.connectionId), table: request.from.table };
  const to: Place = { access: of(request.to.connectionId), table: request.to.table };
  const source = await data.describe(from.access, from.table);
  const partitions = source.partitioned ? await data.partitions(from.access, from.table) : [];
  const open = partitions.filter(({ unavailable }) => unavailable === undefined).map(({ name }) => name);
  const isNew = await prepareTarget(data, { source, to, partitions: open, request });
  const counts: CopyCounts = { copied: 0, existing: 0, failed: 0, total: 0 };
  const places = source.partitioned ? open : [undefined];
  for (const partition of places) counts.total += await count(data, from, partition);
  onProgress(counts);
  const report: CopyReport = {
    ...counts,
    isNew,
    unavailable: partitions.flatMap(({ name, unavailable }) => (unavailable === undefined ? [] : [name])),
    ended: 'complete',
    inTarget: 0,
    compared: 0,
    different: [],
    problems: [],
  };
  try {
    for (const partition of places) {
      const keys = await copyRows(data, { source, from, to, partition, counts, report, onProgress, signal });
      if (signal.aborted) break;
      report.inTarget += await count(data, to, partition);
      const compared = await compareSample(data, { source, from, to, partition, keys });
      report.compared += compared.rows;
      report.different.push(...compared.different);
    }
  } catch (error) {
    if (!isAppError(error)) throw error;
    report.ended = signal.aborted ? 'cancelled' : 'stopped';
    if (!signal.aborted) report.error = appErrorDetails(error);
  }
  if (signal.aborted) report.ended = 'cancelled';
  return { ...report, ...counts };
}

/** True if the table was created now. A table that exists already must be an earlier, interrupted copy. */
async function prepareTarget(
  data: Data,
  {
    source,
    to,
    partitions,
    request,
  }: { source: TableDescription; to: Place; partitions: string[]; request: CopyRequest },
): Promise<boolean> {
  const tables = await data.tables(to.access);
  if (!tables.some(({ name }) => name === to.table)) {
    if (source.definition === undefined)
      throw new AppError({
        code: 'unsupported',
        message: `${source.name} has no definition that could be copied`,
      });
    const { definition } = source;
    await data.createTable(to.access, { name: to.table, definition, partitions });
    return true;
  }
  if (!request.goOn) {
    throw new AppError({
      code: 'conflict',
      message: `${to.table} exists already`,
      hint: 'Choose another name, or go on with a copy that was begun before.',
    });
  }
  const target = await data.describe(to.access, to.table);
  const missing = columnsOf(source).filter((name) => !target.columns.some((column) => column.name === name));
  if (missing.length > 0) {
    throw new AppError({
      code: 'conflict',
      message: `${to.table} is no copy of ${source.name}: it has no column ${missing.join(', ')}`,
    });
  }
  return false;
}

export function columnsOf({ columns, key }: TableDescription): string[] {
  return columns.filter((column) => isWritable(column) || key.includes(column.name)).map(({ name }) => name);
}

interface Copying {
  source: TableDescription;
  from: Place;
  to: Place;
  partition: string | undefined;
  counts: CopyCounts;
  report: CopyReport;
  onProgress(counts: CopyCounts): void;
  signal: AbortSignal;
}

/** Reads a batch while the previous one is written. Returns the keys of some rows, to compare. */
async function copyRows(data: Data, copying: Copying): Promise<Record<string, Cell>[]> {
  const { source, from, to, partition, counts, report, onProgress, signal } = copying;
  const at = partition === undefined ? {} : { partition };
  const columns = columnsOf(source);
  const request = { table: from.table, ...at, columns, filters: [], match: 'all' as const, sort: [] };
  const keys: Record<string, Cell>[] = [];
  let writing: Promise<void> = Promise.resolve();
  let seen = 0;
  try {
    for await (const rows of data.exportRows(from.access, request)) {
      await writing;
      if (signal.aborted) break;
      // Every 37th row: small tables are compared almost completely, large ones at places far apart.
      for (let row = 0; row < rows.rowCount; row++) {
        if (seen++ % 37 !== 0) continue;
        const key = keyAt(rows, row, source.key);
        if (keys.length < sampleRows) keys.push(key);
        else keys[Math.floor(Math.random() * sampleRows)] = key;
      }
      writing = write(rows);
      writing.catch(() => {});
    }
  } finally {
    // When the export fails, the batch that is being written still counts.
    await writing.catch(() => {});
  }
  await writing;
  return keys;

  async function write(rows: RowSet): Promise<void> {
    const changes = Array.from(
      { length: rows.rowCount },
      (_, row): Change => ({ kind: 'insert', id: String(row), values: valuesAt(rows, row) }),
    );
    if (changes.length === 0) return;
    for await (const { outcomes } of data.importRows(to.access, { table: to.table, ...at, changes })) {
      for (const { id, status, existing, error } of outcomes) {
        if (status === 'applied') counts.copied++;
        else if (existing) counts.existing++;
        else {
          counts.failed++;
          if (report.problems.length < 20)
            report.problems.push(problemOf(keyAt(rows, Number(id), source.key), error));
        }
      }
      onProgress(counts);
    }
  }
}

function problemOf(
  key: Record<string, Cell>,
  error: AppErrorDetails | { message: string } | undefined,
): string {
  return `${Object.values(key).join(', ')}: ${error?.message ?? 'not stored'}`;
}

function keyAt(rows: RowSet, row: number, key: string[]): Record<string, Cell> {
  return Object.fromEntries(
    rows.columns.flatMap(({ name }, index) => (key.includes(name) ? [[name, cellAt(rows, index, row)]] : [])),
  );
}

/** Includes NULL: a column that is left out gets its default. */
function valuesAt(rows: RowSet, row: number): Record<string, Cell> {
  return Object.fromEntries(rows.columns.map(({ name }, index) => [name, cellAt(rows, index, row)]));
}

function count(data: Data, { access, table }: Place, partition: string | undefined): Promise<number> {
  return data.count(access, {
    table,
    ...(partition !== undefined && { partition }),
    filters: [],
    match: 'all',
  });
}
