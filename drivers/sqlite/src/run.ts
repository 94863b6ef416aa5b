import type { StatementSync } from 'node:sqlite';
import {
  type Classification,
  type ColumnHead,
  DriverError,
  type Effect,
  exceeds,
  type RunOutcome,
  type RunRequest,
  type RunResult,
} from '@trestle/driver-kit';
import { assertPlainUse, withOrigins } from './assert-unguarded.ts';
import { columnType } from './column-types.ts';
import type { DatabaseFile } from './database-file.ts';
import { translateError } from './errors.ts';
import { type Examined, examine, refused } from './examine.ts';
import type { Handle } from './handle.ts';
import { type Stored, toRowSet } from './values.ts';

export function classify(file: DatabaseFile, text: string): Classification {
  const { effect, summary, loses } = examine(file.reader(), text);
  return { effect, summary, ...(loses && { loses }) };
}

/** Reads run on the read-only handle, whatever the ceiling: a wrong classification cannot write there. */
export function run(file: DatabaseFile, request: RunRequest): RunOutcome {
  if (!Number.isSafeInteger(request.limit) || request.limit < 0) {
    throw new DriverError({
      code: 'invalid_argument',
      message: `The limit must be a whole number, not ${request.limit}`,
    });
  }
  const reader = file.reader();
  const examined = examine(reader, request.text);
  assertWithin(examined, request.ceiling);
  assertPlainUse(reader, request.text.toWellFormed(), request.guarded);
  if (examined.effect === 'read') return execute(reader, examined, request);
  return file.write((writer) => {
    // Compiled again on the handle that runs it: the schema may have changed since.
    const again = examine(writer, request.text);
    assertWithin(again, request.ceiling);
    assertPlainUse(writer, request.text.toWellFormed(), request.guarded);
    return execute(writer, again, request);
  });
}

function assertWithin({ effect, summary }: Classification, ceiling: Effect): void {
  if (!exceeds(effect, ceiling)) return;
  throw new DriverError({
    code: 'above_ceiling',
    message: `This statement ${effect === 'destroy' ? 'destroys data' : 'writes'} (${summary}), and only ${ceilingPhrase[ceiling]} allowed here`,
    hint: `It needs the right to ${effect}.`,
    needs: effect,
  });
}

const ceilingPhrase: Record<Effect, string> = {
  read: 'reading is',
  write: 'reading and writing are',
  destroy: 'everything is',
};

function execute(
  handle: Handle,
  { effect, statement, shape }: Examined,
  { limit, guarded = [] }: RunRequest,
): RunOutcome {
  const plain = statement.columns().map(resultHead);
  const heads = guarded.length > 0 ? withOrigins(handle, plain, guarded) : plain.map(withoutOrigin);
  const watched = handle.guard.watch('execute', () =>
    resultOf(statement, heads, { limit, drain: effect !== 'read' }),
  );
  if (watched.refusal !== null && !watched.ok) throw refused(watched.refusal);
  if (!watched.ok) throw translateError(watched.error);
  const { value } = watched;
  // The count of a statement that changes no rows is the one left over from the last that did.
  const result = value.kind === 'affected' && !countsRows.has(shape.verb) ? { ...value, rows: 0 } : value;
  return { effect, results: [result], messages: [] };
}

const countsRows = new Set(['INSERT', 'REPLACE', 'UPDATE', 'DELETE']);

function resultOf(
  statement: StatementSync,
  heads: ColumnHead[],
  options: { limit: number; drain: boolean },
): RunResult {
  if (heads.length === 0) return { kind: 'affected', rows: Number(statement.run().changes) };
  const kept: Stored[][] = [];
  let truncated = false;
  for (const row of statement.iterate() as unknown as Iterable<Stored[]>) {
    if (kept.length < options.limit) kept.push(row);
    else {
      truncated = true;
      // A write with RETURNING is taken to its end, so that nothing depends on where reading stopped.
      if (!options.drain) break;
    }
  }
  return { kind: 'rows', rows: toRowSet(heads, kept), truncated };
}

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
