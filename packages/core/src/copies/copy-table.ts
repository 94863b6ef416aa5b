import { amount, type TableDescription } from '@trestle/driver-kit';
import { AppError, appErrorDetails, isAppError } from '../errors.ts';
import { isWritable } from '../imports/plan-import.ts';
import type { CopyCounts, CopyReport, CopyRequest, Data, DataAccess, ProgramRights } from '../types.ts';
import { compareSample } from './compare-sample.ts';
import { type CopyCursor, countHere, enterPartition, finishPartition, newCursor } from './copy-cursor.ts';
import { columnsOf, copyRows } from './copy-rows.ts';
import type { Place } from './copy-writer.ts';

interface Parts {
  data: Data;
  request: CopyRequest;
  /** The driver of the source runs one call at a time. */
  isSerial: boolean;
  /** The cursor of an earlier run. Null starts at the first row. */
  cursor: CopyCursor | null;
  signal: AbortSignal;
  /** Undefined if a person copies. */
  rights?: Pick<ProgramRights, 'assertOpen'>;
  onProgress(counts: CopyCounts): void;
  /** Must store or clone the cursor before it returns: `copyTable` changes this object later. */
  onCursor(cursor: CopyCursor): void;
}

/**
 * Copies a table with its ids and vectors, partition by partition. Rows that the target already has do not change, so
 * an interrupted copy can be started again. With a usable cursor, the copy continues after its row.
 */
export async function copyTable(parts: Parts): Promise<CopyReport> {
  const { data, request, signal, onProgress } = parts;
  const isProgram = parts.rights !== undefined;
  const of = (connectionId: string): DataAccess => ({
    caller: { kind: 'person' },
    isProgram,
    connectionId,
    signal,
  });
  const from: Place = { access: of(request.from.connectionId), table: request.from.table };
  const to: Place = { access: of(request.to.connectionId), table: request.to.table };
  const source = await data.describe(from.access, from.table);
  assertKey(source);
  const partitions = source.partitioned ? await data.partitions(from.access, from.table) : [];
  const open = partitions.filter(({ unavailable }) => unavailable === undefined).map(({ name }) => name);
  const names = { all: partitions.map(({ name }) => name), open };
  const isNew = await prepareTarget(data, { source, to, partitions: names, request });
  const places = source.partitioned ? open : [''];
  const cursor = isNew ? newCursor() : await usable(data, to, parts.cursor, places);
  const ownTarget = isNew || parts.cursor?.ownTarget === true;
  if (ownTarget) cursor.ownTarget = true;
  // A kill during the first batch must not make the copy forget that it created the target.
  if (isNew) parts.onCursor(cursor);
  const finished = new Set(cursor.finished.map(({ partition }) => partition));
  const first = places.find((place) => !finished.has(place));
  if (first !== undefined && first !== cursor.partition) enterPartition(cursor, first);
  const counts: CopyCounts = { ...cursor.counts, failed: 0, unknown: 0, total: 0 };
  for (const place of places) counts.total += await count(data, from, place);
  onProgress(counts);
  const report: CopyReport = {
    ...counts,
    isNew,
    unavailable: partitions.flatMap(({ name, unavailable }) => (unavailable === undefined ? [] : [name])),
    ended: 'complete',
    inTarget: sum(cursor.finished.map(({ rows }) => rows)),
    compared: sum(cursor.finished.map(({ compared }) => compared)),
    different: cursor.finished.flatMap(({ different }) => different),
    problems: [],
  };
  try {
    for (const place of places) {
      if (finished.has(place)) continue;
      if (cursor.partition !== place) enterPartition(cursor, place);
      const partition = place === '' ? undefined : place;
      const before = { ...counts };
      const earlier = cursor.here ?? { copied: 0, existing: 0 };
      const here = () => ({
        copied: earlier.copied + counts.copied - before.copied,
        existing: earlier.existing + counts.existing - before.existing,
      });
      await copyRows(data, {
        ...{ source, from, to, partition, counts, signal },
        inTurns: parts.isSerial,
        after: cursor.after,
        stored: earlier.copied + earlier.existing,
        keys: cursor.keys,
        ownRows: ownTarget && !isNew,
        assertOpen: () => parts.rights?.assertOpen(),
        onProblem: (problem) => void (report.problems.length < 20 && report.problems.push(problem)),
        onProgress: () => onProgress(counts),
        onWritten(after) {
          cursor.after = after;
          countHere(cursor, here());
          parts.onCursor(cursor);
        },
      });
      if (signal.aborted) break;
      const rows = await count(data, to, place);
      const at = { source, from, to, partition, keys: cursor.keys };
      const { rows: compared, different } = await compareSample(data, at);
      report.inTarget += rows;
      report.compared += compared;
      report.different.push(...different);
      // If a row failed or has no answer, the partition is not finished: the next copy reads that row again.
      if (counts.failed + counts.unknown > before.failed + before.unknown) continue;
      countHere(cursor, here());
      finishPartition(cursor, { rows, compared, different });
      parts.onCursor(cursor);
    }
  } catch (error) {
    if (!isAppError(error)) throw error;
    report.ended = signal.aborted ? 'cancelled' : 'stopped';
    if (!signal.aborted) report.error = appErrorDetails(error);
  }
  if (signal.aborted) report.ended = 'cancelled';
  if (report.ended === 'complete') report.problems.push(...missingRows(counts, source.name));
  return { ...report, ...counts };
}

/** Why the copy has fewer rows than the source had when it began, if no row was refused. */
function missingRows({ copied, existing, failed, unknown, total }: CopyCounts, source: string): string[] {
  const read = copied + existing + failed + unknown;
  if (read >= total) return [];
  return [
    `${source} had ${amount(total, 'row')} when the copy began, and ${read} were left to read: others deleted rows meanwhile`,
  ];
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Rows are found again by their keys. Without keys, a second attempt would store rows twice. */
function assertKey(source: TableDescription): void {
  const key = source.columns.filter(({ name }) => source.key.includes(name));
  if (key.length > 0 && key.every((column) => isWritable(column))) return;
  throw new AppError({
    code: 'unsupported',
    message: `The rows of ${source.name} have no key that a copy could keep`,
    hint: 'Give the table a primary key, or export it to a file and import that.',
  });
}

/**
 * Returns the cursor from which the copy continues. If the target has fewer rows in `places` than the cursor counted,
 * some of them are gone, so a new cursor starts at the first row.
 */
async function usable(
  data: Data,
  to: Place,
  cursor: CopyCursor | null,
  places: string[],
): Promise<CopyCursor> {
  if (!cursor) return newCursor();
  // A partition that cannot be read now counts as before: its rows are probably still in the target.
  const open = new Set(places);
  const isClosed = ({ partition }: { partition: string }) => !open.has(partition);
  const { copied, existing } = (isClosed(cursor) && cursor.here) || { copied: 0, existing: 0 };
  let rows = copied + existing + sum(cursor.finished.filter(isClosed).map((one) => one.rows));
  for (const place of places) rows += await count(data, to, place);
  return rows >= cursor.counts.copied + cursor.counts.existing ? structuredClone(cursor) : newCursor();
}

/**
 * True if the table was created now. An existing table is used only to continue a copy. It must have the columns that
 * are copied, and the source's partitions that can be read now.
 */
async function prepareTarget(
  data: Data,
  {
    source,
    to,
    partitions,
    request,
  }: {
    source: TableDescription;
    to: Place;
    /** `open`: the partitions that can be read now. */
    partitions: { all: string[]; open: string[] };
    request: CopyRequest;
  },
): Promise<boolean> {
  const tables = await data.tables(to.access);
  if (!tables.some(({ name }) => name === to.table)) {
    if (source.definition === undefined)
      throw new AppError({
        code: 'unsupported',
        message: `${source.name} has no definition that could be copied`,
      });
    const { definition } = source;
    // Also creates partitions that cannot be read now. A later copy fills them.
    await data.createTable(to.access, { name: to.table, definition, partitions: partitions.all });
    return true;
  }
  if (!request.goOn) {
    throw new AppError({
      code: 'conflict',
      message: `${to.table} exists already`,
      hint: 'Choose another name, or continue the earlier copy.',
    });
  }
  const target = await data.describe(to.access, to.table);
  const missing = columnsOf(source).filter((name) => !target.columns.some((column) => column.name === name));
  if (missing.length > 0) {
    throw new AppError({
      code: 'conflict',
      message: `${to.table} is not a copy of ${source.name}: it has no column ${missing.join(', ')}`,
    });
  }
  if (source.partitioned) await assertPartitions(data, to, partitions.open);
  return false;
}

/** Fails early. Otherwise every single row of a missing tenant would fail. */
async function assertPartitions(data: Data, { access, table }: Place, wanted: string[]): Promise<void> {
  const there = new Set((await data.partitions(access, table)).map(({ name }) => name));
  const missing = wanted.filter((name) => !there.has(name));
  if (missing.length === 0) return;
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : '';
  throw new AppError({
    code: 'conflict',
    message: `${table} has no tenant ${missing.slice(0, 5).join(', ')}${more}`,
    hint: `Add the tenants, or delete ${table} and copy again.`,
  });
}

function count(data: Data, { access, table }: Place, partition: string): Promise<number> {
  return data.count(access, {
    table,
    ...(partition !== '' && { partition }),
    filters: [],
    match: 'all',
  });
}
