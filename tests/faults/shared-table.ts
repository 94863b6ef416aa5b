import type { Cell, Change, ChangeOutcome } from '@trestle/driver-kit';

/** A table that two people change, and how the test itself reads it. */
export interface SharedTable {
  table: string;
  keyColumn: string;
  columns: SharedColumn[];
  /** The connection that each person imports. */
  connection: { driver: string; fields: object };
  /** The cells of each row as the database itself has them, in the form of `textOf`, by the text of the key. */
  readRaw(): Promise<Rows>;
  newKey(serial: number): Cell;
}

export interface SharedColumn {
  name: string;
  /** Nobody can change it in a stored row, such as a vector. */
  isFixed?: true;
  value(serial: number): Cell;
  /** One text for all forms of a value: as the app shows it, as the app was given it, as the database has it. */
  textOf(value: unknown): string;
}

export type Rows = Map<string, Record<string, string>>;

type Row = Record<string, string> | null;

/** The result of one change by the rules: the row after it, and what the person hears. */
function obey({ columns }: SharedTable, row: Row, change: Change): { row: Row; said: string } {
  const text = (cells: Record<string, Cell>, name: string) =>
    columns.find((column) => column.name === name)!.textOf(cells[name]);
  const rendered = (cells: Record<string, Cell>) =>
    Object.fromEntries(
      columns.flatMap(({ name }) => (Object.hasOwn(cells, name) ? [[name, text(cells, name)]] : [])),
    );
  if (change.kind === 'insert') return { row: rendered(change.values), said: 'applied' };
  if (!row) return { row, said: 'conflict: gone' };
  const expected = change.expected ?? {};
  const wanted = change.kind === 'update' ? rendered(change.values) : {};
  const isOther = Object.keys(expected).some(
    (name) => row[name] !== text(expected, name) && row[name] !== wanted[name],
  );
  if (isOther) return { row, said: conflictText(Object.keys(expected), row) };
  return { row: change.kind === 'delete' ? null : { ...row, ...wanted }, said: 'applied' };
}

function conflictText(names: string[], row: Record<string, string>): string {
  return `conflict: ${names
    .sort()
    .map((name) => `${name}=${row[name]}`)
    .join(', ')}`;
}

function saidText({ columns }: SharedTable, { status, theirs, error }: ChangeOutcome): string {
  if (status !== 'conflict') return error ? `${status}: ${error.message}` : status;
  if (!theirs) return 'conflict: gone';
  const texts = columns.flatMap(({ name, textOf }) =>
    Object.hasOwn(theirs, name) ? [[name, textOf(theirs[name])]] : [],
  );
  return conflictText(Object.keys(theirs), Object.fromEntries(texts));
}

/** The changes of one save with their outcomes, in the same order. */
export interface Saved {
  changes: Change[];
  outcomes: ChangeOutcome[];
}

/**
 * Compares what the savers heard and what the table holds with what the rules allow: for each row, the result of its
 * changes one after the other, in some order. Other rows are `overlapped` if both changes were compared with the row as it
 * was before, and both were made. The rest is `wrong`.
 */
export function judge(
  shared: SharedTable,
  { before, after, saves }: { before: Rows; after: Rows; saves: Saved[] },
): { overlapped: string[]; wrong: string[] } {
  const changesOf = new Map<string, Said[]>();
  for (const { changes, outcomes } of saves) {
    changes.forEach((change, at) => {
      const id = change.kind === 'insert' ? String(change.values[shared.keyColumn]) : change.id;
      const said = saidText(shared, outcomes[at]!);
      changesOf.set(id, [...(changesOf.get(id) ?? []), { change, said }]);
    });
  }
  const overlapped: string[] = [];
  const wrong: string[] = [];
  for (const id of new Set([...before.keys(), ...after.keys(), ...changesOf.keys()])) {
    const given = changesOf.get(id) ?? [];
    const row = { first: before.get(id) ?? null, last: after.get(id) ?? null, given };
    if (isInTurns(shared, row)) continue;
    (isOverlap(shared, row) ? overlapped : wrong).push(describe(id, row));
  }
  return { overlapped, wrong };
}

interface Said {
  change: Change;
  said: string;
}

interface RowHistory {
  first: Row;
  last: Row;
  given: Said[];
}

function isInTurns(shared: SharedTable, { first, last, given }: RowHistory): boolean {
  const orders = given.length < 2 ? [given] : [given, given.toReversed()];
  return orders.some((order) => {
    let row = first;
    const isAsSaid = order.every(({ change, said }) => {
      const result = obey(shared, row, change);
      row = result.row;
      return result.said === said;
    });
    return isAsSaid && sameRow(row, last);
  });
}

function isOverlap(shared: SharedTable, { first, last, given }: RowHistory): boolean {
  const results = given.map(({ change }) => obey(shared, first, change));
  if (given.length < 2 || results.some(({ said }, at) => said !== 'applied' || given[at]!.said !== said))
    return false;
  const rows = results.map(({ row }) => row);
  if (!last || rows.includes(null)) return rows.some((row) => sameRow(row, last));
  return Object.keys(last).every((name) => {
    const writers = given.flatMap(({ change }, at) =>
      change.kind === 'update' && Object.hasOwn(change.values, name) ? [rows[at]!] : [],
    );
    return (writers.length > 0 ? writers : [first!]).some((row) => row[name] === last[name]);
  });
}

function sameRow(one: Row, other: Row): boolean {
  if (!one || !other) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}

function describe(id: string, { first, last, given }: RowHistory): string {
  const changes = given.map(({ change: { id: _, ...change }, said }) => `${print(change)}\n    ${said}`);
  return [`row ${id} was ${print(first)}`, ...changes, `is now ${print(last)}`].join('\n  ');
}

const print = (value: unknown) =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one));
