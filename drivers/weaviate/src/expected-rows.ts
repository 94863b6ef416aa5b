import {
  type Change,
  type ChangeOutcome,
  type DriverErrorDetails,
  driverErrorDetails,
  isDriverError,
  maskedUse,
} from '@trestle/driver-kit';
import type { WeaviateObject } from './cells.ts';
import type { CollectionReader } from './collection-reader.ts';
import { conflictOf, type Expecting, expectedColumns, expectsVectors, isExpecting } from './conflict.ts';
import { refusals } from './existing-ids.ts';
import { idsIn } from './requests/model/where.ts';
import type { SecretCells } from './secret-cells.ts';
import { sharedItems } from './shared-items.ts';
import { isReplicated, readSurely } from './sure-read.ts';
import { lacksUuid, uuidOf } from './write-request.ts';

/** How many rows one request reads. */
export const rowsPerLook = 100;

/**
 * A row that was read longer ago is read again before its change is sent. The server cannot compare and write in one
 * step, so a change by another program between this read and the write is overwritten.
 */
const freshMs = 250;

/** How many rows are read at the same time, if each needs its own request. */
const width = 8;

interface Look {
  /** A conflict, or the failure of the look. Null if the change may be sent. */
  outcome: ChangeOutcome | null;
  /** When the row was read. A change with an outcome is not sent, so its look stays valid. */
  at: number;
}

/** Compares the rows of a save with what their changes expect, many rows in one request, just before they are sent. */
export class ExpectedRows {
  readonly #looks = new Map<string, Look>();
  readonly #secret: SecretCells;

  constructor(secret: SecretCells) {
    this.#secret = secret;
  }

  /** Whether the row must be read before this change is sent. */
  needsLook(change: Change): boolean {
    if (!isExpecting(change) || !hasUuid(change)) return false;
    const look = this.#looks.get(change.id);
    return !look || performance.now() - look.at > freshMs;
  }

  /** What the last look found: a conflict or a failure. Forgets it. */
  take(change: Change): ChangeOutcome | null {
    const look = this.#looks.get(change.id);
    this.#looks.delete(change.id);
    return look?.outcome ?? null;
  }

  /** Reads the rows of these changes. */
  async look(reader: CollectionReader, changes: Change[]): Promise<void> {
    const known = changes.filter(isExpecting).filter((change) => {
      try {
        expectedColumns(change, reader.collection);
        return true;
      } catch (error) {
        this.#set(change, { id: change.id, status: 'failed', error: driverErrorDetails(error) });
        return false;
      }
    });
    if (known.length === 0) return;
    const outcomes = await conflictsOf(reader, known, this.#secret);
    for (const [at, change] of known.entries()) this.#set(change, outcomes[at] ?? null);
  }

  /** Says of changes whose look failed that they are not sent. */
  fail(changes: Change[], cause: DriverErrorDetails): void {
    const message = `Not sent, because the row could not be read first: ${cause.message}`;
    for (const change of changes) {
      this.#set(change, { id: change.id, status: 'failed', error: { ...cause, message } });
    }
  }

  #set({ id }: Change, outcome: ChangeOutcome | null): void {
    this.#looks.set(id, { outcome, at: outcome ? Number.POSITIVE_INFINITY : performance.now() });
  }
}

/** One for each change: its conflict, or null. */
async function conflictsOf(
  reader: CollectionReader,
  changes: Expecting[],
  secret: SecretCells,
): Promise<(ChangeOutcome | null)[]> {
  const compare = (change: Expecting, object: WeaviateObject | null) =>
    refusalOf(change, object, secret) ?? conflictOf(change, object, reader.collection);
  const ids = changes.map(({ key }) => uuidOf(key));
  const found = await readTogether(reader, changes, ids);
  const outcomes = changes.map((change, at) => {
    const object = found?.get(ids[at]!);
    return object ? compare(change, object) : undefined;
  });
  // A query may leave out a reference to a deleted object, and the user may have seen it over REST. So a row counts as
  // changed or gone only if its own request says so too.
  const open = sharedItems(outcomes.entries());
  const again = async () => {
    for (const [at, outcome] of open) {
      if (outcome === null) continue;
      const change = changes[at]!;
      const withVectors = wantVectors(reader, [change]);
      outcomes[at] = compare(change, await readSurely(reader, ids[at]!, { withVectors }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, changes.length) }, again));
  return outcomes as (ChangeOutcome | null)[];
}

/** The comparison would tell whether the caller guessed a value that it may not see. */
function refusalOf(
  change: Expecting,
  object: WeaviateObject | null,
  secret: SecretCells,
): ChangeOutcome | null {
  const column = object && secret.find(object, Object.keys(change.expected));
  if (!column) return null;
  const error = driverErrorDetails(maskedUse(`${column} cannot be used to compare`));
  return { id: change.id, status: 'failed', error };
}

/**
 * The objects by id, from one query. Undefined if each object needs its own request: a query may be refused, GraphQL
 * reads vectors slowly, and a query may ask a replica that has not heard of the latest change.
 */
async function readTogether(
  reader: CollectionReader,
  changes: Expecting[],
  ids: string[],
): Promise<Map<string, WeaviateObject> | undefined> {
  if (ids.length < 2 || isReplicated(reader) || wantVectors(reader, changes)) return undefined;
  const columns = changes.flatMap((change) => expectedColumns(change, reader.collection));
  try {
    const rows = await reader.find({ columns: [...new Set(columns)], where: idsIn(ids), limit: ids.length });
    return new Map(rows.map(({ object }) => [object.id, object]));
  } catch (error) {
    if (!isDriverError(error) || !refusals.has(error.code)) throw error;
    return undefined;
  }
}

function wantVectors({ collection }: CollectionReader, changes: Expecting[]): boolean {
  return changes.some((change) => expectsVectors(change, collection));
}

/** A change whose uuid is missing or invalid is refused later. */
function hasUuid(change: Expecting): boolean {
  try {
    return !lacksUuid(change) && uuidOf(change.key) !== '';
  } catch {
    return false;
  }
}
