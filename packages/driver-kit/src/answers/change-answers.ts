import type { ChangeOutcome, ChangeSet, SaveReport } from '../changes.ts';
import type { DriverErrorCode } from '../errors.ts';
import type { RowKey } from '../values.ts';
import { isSameKey } from './same-name.ts';
import {
  AnswerMismatch,
  anyText,
  figure,
  list,
  mapOf,
  oneOf,
  orNull,
  plainData,
  quoted,
  record,
  type Shape,
  type Spent,
  wholeNumber,
} from './shape.ts';

const errorCodes: Record<Exclude<DriverErrorCode, 'driver_crashed'>, true> = {
  disk_full: true,
  authentication_failed: true,
  connection_failed: true,
  permission_denied: true,
  not_found: true,
  invalid_argument: true,
  filter_unrunnable: true,
  paging_limit: true,
  above_ceiling: true,
  over_budget: true,
  loss_changed: true,
  mask_outdated: true,
  endpoint_unapproved: true,
  refused: true,
  conflict: true,
  locked: true,
  query_failed: true,
  unsupported: true,
  cancelled: true,
  timeout: true,
  internal: true,
};

/** The rows that a statement or a save wrote. */
export const written = record({ changed: wholeNumber, inserted: wholeNumber });

const endpoint = record({ table: anyText, setting: anyText, value: anyText });

/** More than a collection has. The user reads all of them in one question. */
const endpointNeed = record({ endpoints: list(endpoint, 50), keys: list(anyText, 50) });

/** The details of an error. `driver_crashed` is Trestle's own code: it says that the process of the driver ended. */
export const errorDetails = record(
  { code: oneOf(Object.keys(errorCodes)), message: anyText },
  { hint: anyText, needs: oneOf(['read', 'write', 'destroy']), written, endpoints: endpointNeed },
);

const rowKey = mapOf(plainData);

const outcomeRecord = record(
  { id: anyText, status: oneOf(['applied', 'failed', 'skipped', 'conflict', 'unknown']) },
  {
    existing: exactlyTrue,
    error: errorDetails,
    warning: anyText,
    stored: list(anyText),
    key: rowKey,
    theirs: orNull(mapOf(plainData)),
  },
);

const outcome: Shape = (value, spent) => {
  outcomeRecord(value, spent);
  const { existing, status, stored } = value as ChangeOutcome;
  if (existing && status !== 'skipped') {
    throw new AnswerMismatch(`the row exists, and its status is ${status}, not skipped`);
  }
  if (stored && status !== 'failed' && status !== 'unknown') {
    throw new AnswerMismatch(`a part of the row is stored, and its status is ${status}`);
  }
};

function exactlyTrue(value: unknown, spent: Spent): void {
  if (value !== true) throw new AnswerMismatch('it is not true');
  spent.add(8);
}

/** One outcome for each change. */
export function outcomesOf({ changes }: ChangeSet): Shape {
  const each = oncePerChange(outcome, changes, 'outcome');
  return (value, spent) => {
    each(value, spent);
    const expected = expectedColumns(changes);
    for (const one of value as ChangeOutcome[]) assertTheirs(one, expected);
  };
}

type ExpectedColumns = ReadonlyMap<string, ReadonlySet<string>>;

function expectedColumns(changes: ChangeSet['changes']): ExpectedColumns {
  return new Map(
    changes.flatMap((change): [string, Set<string>][] =>
      change.kind !== 'insert' && change.expected ? [[change.id, new Set(Object.keys(change.expected))]] : [],
    ),
  );
}

/** A conflict needs a change that expects something, and shows nothing but the columns that this change named. */
function assertTheirs({ id, status, theirs }: ChangeOutcome, expected: ExpectedColumns): void {
  const columns = expected.get(id);
  if (status === 'conflict' && (!columns || theirs === undefined)) {
    const why = columns ? 'without theirs' : 'that expects nothing';
    throw new AnswerMismatch(`the outcome conflict for the change ${quoted(id)} ${why}`);
  }
  if (status !== 'conflict' && theirs !== undefined) {
    throw new AnswerMismatch(`theirs for the change ${quoted(id)}, which is no conflict`);
  }
  const other = Object.keys(theirs ?? {}).find((name) => !columns?.has(name));
  if (other !== undefined)
    throw new AnswerMismatch(
      `theirs has the column ${quoted(other)}, which the change ${quoted(id)} does not expect`,
    );
}

/** One text for each change. */
export function previewsOf({ changes }: ChangeSet): Shape {
  return oncePerChange(record({ id: anyText, text: anyText }), changes, 'preview');
}

function oncePerChange(shape: Shape, changes: ChangeSet['changes'], noun: string): Shape {
  const items = list(shape, changes.length);
  return (value, spent) => {
    items(value, spent);
    const ids = new Ids(changes);
    for (const { id } of value as { id: string }[]) ids.use(id, noun);
    ids.assertAllUsed(noun);
  };
}

const report = record({ sent: list(anyText), outcomes: list(outcome) }, { keys: mapOf(rowKey), written });

/** Checks the reports of one save or import, in their order. */
export class CheckedSave {
  readonly #sent: Ids;
  readonly #ended: Ids;
  /** The keys that the driver chose for new rows. */
  readonly #keys = new Map<string, RowKey>();
  readonly #expected: ExpectedColumns;

  constructor({ changes }: ChangeSet) {
    this.#expected = expectedColumns(changes);
    this.#sent = new Ids(changes);
    this.#ended = new Ids(changes);
  }

  item(value: unknown, spent: Spent): void {
    report(value, spent);
    const { sent, keys = {}, outcomes } = value as SaveReport;
    for (const id of sent) this.#sent.use(id, 'announcement');
    for (const [id, key] of Object.entries(keys)) {
      this.#sent.assertUsed(id, 'a key');
      this.#assertKey(id, key);
      this.#keys.set(id, key);
    }
    for (const one of outcomes) this.#end(one);
  }

  #end(one: ChangeOutcome): void {
    const { id, status, key } = one;
    this.#ended.use(id, 'outcome');
    assertTheirs(one, this.#expected);
    if (key) this.#assertKey(id, key);
    // The app notes a change before it is sent. A change that the app has not noted could be made twice.
    if (status === 'applied' || status === 'unknown') this.#sent.assertUsed(id, `the outcome ${status}`);
  }

  #assertKey(id: string, key: RowKey): void {
    const known = this.#keys.get(id);
    if (known && !isSameKey(known, key)) {
      throw new AnswerMismatch(`another key for the change ${quoted(id)} than the one that was announced`);
    }
  }

  /** After the last report, when the save was neither cancelled nor ended by an error. */
  end(): void {
    this.#ended.assertAllUsed('outcome');
  }
}

/** The ids of changes, each of which an answer names once. */
class Ids {
  readonly #left = new Map<string, number>();
  readonly #total: number;
  #used = 0;

  constructor(changes: ChangeSet['changes']) {
    this.#total = changes.length;
    for (const { id } of changes) this.#left.set(id, (this.#left.get(id) ?? 0) + 1);
  }

  use(id: string, noun: string): void {
    const left = this.#known(id);
    if (left === 0) throw new AnswerMismatch(`a second ${noun} for the change ${quoted(id)}`);
    this.#left.set(id, left - 1);
    this.#used++;
  }

  assertUsed(id: string, what: string): void {
    if (this.#known(id) > 0)
      throw new AnswerMismatch(`${what} for the change ${quoted(id)}, which was not announced`);
  }

  assertAllUsed(noun: string): void {
    if (this.#used === this.#total) return;
    const missing = this.#total - this.#used;
    throw new AnswerMismatch(`${figure(missing)} of ${figure(this.#total)} changes have no ${noun}`);
  }

  #known(id: string): number {
    const left = this.#left.get(id);
    if (left === undefined) throw new AnswerMismatch(`the change ${quoted(id)} is not one of the request`);
    return left;
  }
}
