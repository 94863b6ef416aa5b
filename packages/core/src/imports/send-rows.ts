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
  apply(changes: Change[]): AsyncIterable<SaveReport>;
  /** Those of the rows with these keys that are there. */
  find(keys: RowKey[]): Promise<RowSet>;
}

/**
 * Inserts, each with its id: a server that has the id refuses the row, where a batch would overwrite it. Only refused
 * rows are looked up, so a first run pays nothing for it. With `replace` the rows found become updates.
 */
export async function sendRows(rows: ImportedRow[], means: Means): Promise<ImportBatch> {
  const inserts = rows.map(({ id, values }): Change => ({ kind: 'insert', id, values }));
  const inserted = await applyAll(inserts, means);
  const refused = rows.filter(({ id }) => inserted.outcomes.get(id)?.error?.code === 'conflict');
  const existing = await existingOf(refused, means);
  const outcomes = new Map<string, ImportOutcome>();
  for (const [id, outcome] of inserted.outcomes) {
    outcomes.set(id, existing.has(id) ? { id, status: 'existing' } : toOutcome(outcome, 'stored'));
  }
  const end = (stopped: AppErrorDetails | undefined): ImportBatch => ({
    outcomes: [...outcomes.values()],
    ...(stopped && { stopped }),
  });
  if (!means.replace || inserted.stopped || existing.size === 0) return end(inserted.stopped);

  const updates = rows.filter(({ id }) => existing.has(id)).flatMap((row) => updateOf(row, means.key));
  const updated = await applyAll(updates, means);
  for (const [id, outcome] of updated.outcomes) outcomes.set(id, toOutcome(outcome, 'replaced'));
  // Neither replaced nor found to be right: a second run takes it up.
  for (const { id } of updates) if (!updated.outcomes.has(id)) outcomes.delete(id);
  return end(updated.stopped);
}

interface Applied {
  outcomes: Map<string, ChangeOutcome>;
  stopped?: AppErrorDetails;
}

async function applyAll(changes: Change[], { apply }: Means): Promise<Applied> {
  const outcomes = new Map<string, ChangeOutcome>();
  if (changes.length === 0) return { outcomes };
  try {
    for await (const report of apply(changes)) for (const one of report.outcomes) outcomes.set(one.id, one);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { outcomes, stopped: appErrorDetails(error) };
  }
  const last = outcomes.get(changes.at(-1)!.id)?.error;
  // The last row too: a server that came back meanwhile takes the next batch.
  const isGone = Array.from(outcomes.values()).every(({ error }) => error && goneCodes.has(error.code));
  return { outcomes, ...(isGone && last && { stopped: last }) };
}

const goneCodes = new Set([
  'connection_failed',
  'authentication_failed',
  'timeout',
  'driver_crashed',
  'locked',
  'permission_denied',
]);

/** Keys in one look: their rows come back whole from some servers. */
const keysAtOnce = 200;

/** A refusal may have another reason, such as a second unique column: only a row that is there counts as existing. */
async function existingOf(refused: ImportedRow[], { key, find }: Means): Promise<Set<string>> {
  const keyed = refused.filter(({ values }) => key.length > 0 && key.every((name) => values[name] != null));
  if (keyed.length === 0) return new Set();
  const keyOf = (values: Record<string, Cell>): RowKey =>
    Object.fromEntries(key.map((name) => [name, values[name]!]));
  const there = new Set<string>();
  for (let from = 0; from < keyed.length; from += keysAtOnce) {
    const found = await find(keyed.slice(from, from + keysAtOnce).map(({ values }) => keyOf(values)));
    for (let row = 0; row < found.rowCount; row++) there.add(nameOf(rowAt(found, row), key));
  }
  return new Set(keyed.filter(({ values }) => there.has(nameOf(values, key))).map(({ id }) => id));
}

function nameOf(values: Record<string, Cell>, key: string[]): string {
  return JSON.stringify(key.map((name) => cellToText(values[name] ?? null)));
}

/** None where the file has nothing but the id. */
function updateOf({ id, values }: ImportedRow, key: string[]): Change[] {
  const rest = Object.entries(values).filter(([name]) => !key.includes(name));
  if (rest.length === 0) return [];
  const rowKey = Object.fromEntries(key.map((name) => [name, values[name]!]));
  return [{ kind: 'update', id, key: rowKey, values: Object.fromEntries(rest) }];
}

function toOutcome({ id, status, error }: ChangeOutcome, applied: 'stored' | 'replaced'): ImportOutcome {
  if (status === 'applied') return { id, status: applied };
  const problem = error?.message ?? 'The driver skipped the row';
  return { id, status: status === 'unknown' ? 'unknown' : 'failed', problem };
}
