import type { StatementSync } from 'node:sqlite';
import {
  answerLeftOut,
  answerTooLarge,
  assertBudget,
  assertCeiling,
  assertReach,
  type Classification,
  type ColumnHead,
  DriverError,
  type Loss,
  type MeasureRequest,
  maxAnswerBytes,
  type RunOutcome,
  type RunRequest,
  type RunResult,
  weigh,
} from '@trestle/driver-kit';
import { assertPlainUse, withOrigins } from './assert-unguarded.ts';
import { columnType } from './column-types.ts';
import type { DatabaseFile } from './database-file.ts';
import { translateError } from './errors.ts';
import { type Examined, examine, refused } from './examine.ts';
import type { Handle } from './handle.ts';
import { assertKindsGuarded, type Masked, masks } from './masked-kinds.ts';
import { namedTables } from './named-tables.ts';
import { queryRows } from './query.ts';
import { ReachCounter, schemaDigest } from './reach.ts';
import { statementPlan } from './reach-plan.ts';
import { sql } from './sql.ts';
import { cutRow, type Stored, toRowSet } from './values.ts';

export function classify(file: DatabaseFile, text: string): Classification {
  const handle = file.reader();
  const { effect, summary, actions } = examine(handle, text);
  const tables = namedTables(handle, actions);
  return { effect, summary, ...(tables && { tables }) };
}

/**
 * Runs the statement and rolls it back. The run also shows the rows that triggers, conflicts and foreign keys affect. A
 * read and a VACUUM lose no rows, so they do not run.
 */
export function measure(file: DatabaseFile, request: MeasureRequest): Loss {
  return file.write((writer) => {
    const examined = examine(writer, request.text);
    if (examined.effect === 'read' || !isTransactional(examined)) {
      assertPlainUse(writer, examined.text, request);
      return nothingLost(writer);
    }
    return inTransaction(file, writer, (mark) => {
      const again = examine(writer, request.text);
      assertKept(writer, again, { ...request, mark });
      const counter = new ReachCounter(writer, statementPlan(writer, again));
      const { changes } = execute(writer, again, { limit: 0 });
      return { value: counter.loss(changes), commit: false };
    });
  });
}

/** Reads run on the read-only handle, whatever the ceiling, so a write that is wrongly classified as a read fails. */
export function run(file: DatabaseFile, request: RunRequest): RunOutcome {
  if (!Number.isSafeInteger(request.limit) || request.limit < 0) {
    throw new DriverError({
      code: 'invalid_argument',
      message: `The limit must be a whole number of 0 or more, not ${request.limit}`,
    });
  }
  const reader = file.reader();
  const tryRead = () => {
    const examined = examine(reader, request.text);
    assertCeiling(examined, request.ceiling);
    assertPlainUse(reader, examined.text, request);
    return examined.effect === 'read' ? execute(reader, examined, request).value : null;
  };
  const read = masks(request) ? onOneSchema(reader, tryRead) : tryRead();
  if (read) return read;
  return file.write((writer) => {
    // The statement is compiled again on the handle that runs it, because the schema may have changed.
    const again = examine(writer, request.text);
    assertCeiling(again, request.ceiling);
    const isLimited = request.reach !== undefined || request.approved !== undefined;
    if (!isLimited && !masks(request)) return execute(writer, again, request).value;
    if (!isTransactional(again)) {
      assertPlainUse(writer, again.text, request);
      assertReach(nothingLost(writer), request);
      return { ...execute(writer, again, request).value, written: { changed: 0, inserted: 0 } };
    }
    return inTransaction(file, writer, (mark) => {
      // And again, because no other program can change the schema or the data from now on.
      const last = examine(writer, request.text);
      assertCeiling(last, request.ceiling);
      assertKept(writer, last, { ...request, mark });
      if (!isLimited) return { value: execute(writer, last, request).value, commit: true };
      const counter = new ReachCounter(writer, statementPlan(writer, last));
      const { value, changes } = execute(writer, last, request);
      const loss = counter.loss(changes);
      assertReach(loss, request);
      const written = counter.written(loss);
      assertBudget(written, request);
      return { value: { ...value, written }, commit: true };
    });
  });
}

/** The checks of a statement that writes, inside its transaction. */
function assertKept(
  writer: Handle,
  { text, actions }: Examined,
  request: Masked & { mark: string | null },
): void {
  if (!masks(request)) return;
  assertPlainUse(writer, text, request);
  assertKindsGuarded(writer, namedTables(writer, actions), request);
}

/**
 * Runs `work` in a transaction, with the mark of its data. Rolls back unless `work` asks for a commit. If the commit fails, the value is not
 * returned, because it may hold rows of RETURNING that were not stored.
 */
function inTransaction<T>(
  file: DatabaseFile,
  writer: Handle,
  work: (mark: string | null) => { value: T; commit: boolean },
): T {
  const { db } = writer;
  const mark = file.begin(writer, 'IMMEDIATE');
  try {
    const { value, commit } = work(mark);
    if (commit) db.exec('COMMIT');
    return value;
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK');
  }
}

/**
 * Runs `work` again if the schema changed meanwhile, because the checks may have seen another schema than the
 * statement. There is no transaction around `work`, because it could block other writes until the statement ends.
 */
function onOneSchema<T>(handle: Handle, work: () => T): T {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const before = schemaVersion(handle);
    const value = work();
    if (schemaVersion(handle) === before) return value;
  }
  throw new DriverError({
    code: 'query_failed',
    message: 'Another process changes the schema again and again',
    hint: 'Run the statement again later.',
  });
}

/** SQLite counts each change of the schema. */
function schemaVersion(handle: Handle): number {
  return Number(queryRows(handle, sql`PRAGMA schema_version`)[0]![0]);
}

function isTransactional({ shape }: Examined): boolean {
  return shape.verb !== 'VACUUM';
}

function nothingLost(handle: Handle): Loss {
  return { tables: [], cascades: false, schema: schemaDigest(handle) };
}

function execute(
  handle: Handle,
  { effect, statement, shape }: Examined,
  { limit, ...masked }: Pick<RunRequest, 'limit'> & Masked,
): { value: RunOutcome; changes: number } {
  const plain = statement.columns().map(resultHead);
  const heads = masks(masked) ? withOrigins(handle, plain, masked) : plain.map(withoutOrigin);
  const watched = handle.authorizer.watch('execute', () =>
    resultOf(statement, heads, { limit, drain: effect !== 'read' }),
  );
  if (watched.refusal !== null && !watched.ok) throw refused(watched.refusal);
  if (!watched.ok) throw translateError(watched.error);
  const { returned, fits, ...result } = watched.value;
  if (!fits) {
    if (effect === 'read') throw answerTooLarge();
    return { value: { effect, results: [], messages: [answerLeftOut()] }, changes: returned };
  }
  // After a statement without a row count, such as CREATE TABLE, SQLite still reports the count of an earlier
  // statement.
  if (result.kind === 'affected' && !countsRows.has(shape.verb)) result.rows = 0;
  const changes = result.kind === 'affected' ? result.rows : returned;
  return { value: { effect, results: [result], messages: [] }, changes };
}

const countsRows = new Set(['INSERT', 'REPLACE', 'UPDATE', 'DELETE']);

function resultOf(
  statement: StatementSync,
  heads: ColumnHead[],
  options: { limit: number; drain: boolean },
): Extract<RunResult, { kind: 'rows' | 'affected' }> & { returned: number; fits: boolean } {
  if (heads.length === 0)
    return { kind: 'affected', rows: Number(statement.run().changes), returned: 0, fits: true };
  let returned = 0;
  const kept: Stored[][] = [];
  let weight = frameBytes + weigh(toRowSet(heads, []));
  let truncated = false;
  for (const row of statement.iterate() as unknown as Iterable<Stored[]>) {
    returned++;
    if (!truncated && kept.length < options.limit) {
      const cut = cutRow(row);
      weight += weigh(cut);
      if (weight <= maxAnswerBytes) {
        kept.push(cut);
        continue;
      }
    }
    truncated = true;
    // A write with RETURNING is read to its end, whatever the limits are: `returned` is the number of rows it wrote.
    if (!options.drain) break;
  }
  const fits = kept.length > 0 || weight <= maxAnswerBytes;
  return { kind: 'rows', rows: toRowSet(heads, kept), truncated, returned, fits };
}

/** An upper bound for the weight of an outcome without its columns and rows. */
const frameBytes = 1024;

type ResultColumn = Pick<ReturnType<StatementSync['columns']>[number], 'name' | 'type' | 'table' | 'column'>;

function resultHead({ name, type, table, column }: ResultColumn) {
  return {
    name,
    type: type === null ? ('any' as const) : columnType(type),
    nativeType: type ?? '',
    table,
    column,
  };
}

function withoutOrigin({ name, type, nativeType }: ColumnHead): ColumnHead {
  return { name, type, nativeType };
}
