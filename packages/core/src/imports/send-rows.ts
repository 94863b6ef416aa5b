import {
  type Cell,
  type Change,
  type ChangeOutcome,
  cellToText,
  type RowKey,
  type RowSet,
  rowAt,
  type SaveReport,
} from '@trestle/driver-kit';
import { type AppErrorDetails, appErrorDetails, isAppError } from '../errors.ts';
import type { ImportBatch, ImportedRow, ImportOutcome } from '../types.ts';

export interface Means {
  key: string[];
  replace: boolean;
  /** Stores new rows. A row whose id exists is skipped (`existing`), or fails with `conflict`. */
  insert(changes: Change[]): AsyncIterable<SaveReport>;
  apply(changes: Change[]): AsyncIterable<SaveReport>;
  /** Returns those of the given keys that exist in the table. */
  find(keys: RowKey[]): Promise<RowSet>;
}

/**
 * Inserts rows. If a row with the same key exists, the driver skips the new row, or the database refuses it. Refused
 * rows are looked up by their key. With `replace`, rows that exist are updated.
 */
export async function sendRows(rows: ImportedRow[], means: Means): Promise<ImportBatch> {
  const inserts = rows.map(({ id, values }): Change => ({ kind: 'insert', id, values }));
  const inserted = await applyAll(inserts, means.insert);
  const refused = rows.filter(({ id }) => inserted.outcomes.get(id)?.error?.code === 'conflict');
  const { existing, lost } = await existingOf(refused, means);
  for (const { id, existing: isThere } of inserted.outcomes.values()) if (isThere) existing.add(id);
  const outcomes = new Map<string, ImportOutcome>();
  for (const [id, outcome] of inserted.outcomes) {
    outcomes.set(id, existing.has(id) ? { id, status: 'existing' } : toOutcome(outcome, 'stored'));
  }
  const end = (reason: AppErrorDetails | undefined): ImportBatch => ({
    outcomes: [...outcomes.values()],
    ...(reason && { stopped: reason }),
  });
  const stopped = inserted.stopped ?? lost;
  if (!means.replace || stopped || existing.size === 0) return end(stopped);

  const updates = rows.filter(({ id }) => existing.has(id)).flatMap((row) => updateOf(row, means.key));
  const updated = await applyAll(updates, means.apply);
  for (const [id, outcome] of updated.outcomes) outcomes.set(id, toOutcome(outcome, 'replaced'));
  // A row whose update has no outcome must not count as `existing`: the user asked to replace it.
  for (const { id } of updates) if (!updated.outcomes.has(id)) outcomes.delete(id);
  return end(updated.stopped);
}

interface Applied {
  outcomes: Map<string, ChangeOutcome>;
  stopped?: AppErrorDetails;
}

async function applyAll(changes: Change[], apply: Means['apply']): Promise<Applied> {
  const outcomes = new Map<string, ChangeOutcome>();
  if (changes.length === 0) return { outcomes };
  try {
    for await (const report of apply(changes)) for (const one of report.outcomes) outcomes.set(one.id, one);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { outcomes, stopped: appErrorDetails(error) };
  }
  const stopped = reasonGone([...outcomes.values()]);
  return { outcomes, ...(stopped && { stopped }) };
}

/** The reason not to send another batch: every row failed because the database cannot be used. */
export function reasonGone(outcomes: ChangeOutcome[]): AppErrorDetails | undefined {
  // If only some rows failed this way, the server may be back. The next batch is then sent.
  const isGone = outcomes.every(({ error }) => error && goneCodes.has(error.code));
  return isGone ? outcomes.at(-1)?.error : undefined;
}

const goneCodes = new Set([
  'connection_failed',
  'authentication_failed',
  'timeout',
  'driver_crashed',
  'disk_full',
  'locked',
  'permission_denied',
  'endpoint_unapproved',
]);

/** Keys per lookup. Some servers answer with whole rows, so the answer to more keys could be too large. */
const keysAtOnce = 200;

interface Found {
  existing: Set<string>;
  /** Why the lookup failed. The refused rows then count as failed, with the database's error. */
  lost?: AppErrorDetails;
}

/**
 * A row may be refused for another reason than its key, such as a second unique column. Only a row that was found
 * counts as existing.
 */
async function existingOf(refused: ImportedRow[], { key, find }: Means): Promise<Found> {
  const keyed = refused.filter(({ values }) => key.length > 0 && key.every((name) => values[name] != null));
  const there = new Set<string>();
  try {
    for (let from = 0; from < keyed.length; from += keysAtOnce) {
      const found = await find(keyed.slice(from, from + keysAtOnce).map(({ values }) => keyOf(values, key)));
      for (let row = 0; row < found.rowCount; row++) there.add(nameOf(rowAt(found, row), key));
    }
  } catch (error) {
    if (!isAppError(error)) throw error;
    // A driver that cannot look up rows is no reason to stop the import. The refused rows then stay refused.
    return { existing: new Set(), ...(error.code !== 'unsupported' && { lost: appErrorDetails(error) }) };
  }
  const existing = keyed.filter(({ values }) => there.has(nameOf(values, key)));
  return { existing: new Set(existing.map(({ id }) => id)) };
}

function keyOf(values: Record<string, Cell>, key: string[]): RowKey {
  return Object.fromEntries(key.map((name) => [name, values[name]!]));
}

/** Identifies a row within its table. */
export function nameOf(values: Record<string, Cell>, key: string[]): string {
  return JSON.stringify(key.map((name) => cellToText(values[name] ?? null)));
}

/** Empty if the row has only its key: there is nothing to update. */
function updateOf({ id, values }: ImportedRow, key: string[]): Change[] {
  const rest = Object.entries(values).filter(([name]) => !key.includes(name));
  if (rest.length === 0) return [];
  return [{ kind: 'update', id, key: keyOf(values, key), values: Object.fromEntries(rest) }];
}

function toOutcome(
  { id, status, error, warning }: ChangeOutcome,
  applied: 'stored' | 'replaced',
): ImportOutcome {
  if (status === 'applied') return { id, status: applied, ...(warning && { problem: warning }) };
  const problem = error?.message ?? 'The driver skipped the row';
  return { id, status: status === 'unknown' ? 'unknown' : 'failed', problem };
}
