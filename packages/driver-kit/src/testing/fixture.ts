import { expect } from 'vitest';
import {
  type BrowseRequest,
  type Call,
  type ColumnDescription,
  type DriverErrorDetails,
  driverErrorDetails,
  type FilterOperator,
  type RowKey,
  type RowSet,
  rowAt,
  type Session,
  type TableDescription,
} from '../index.ts';
import type { Cell } from '../values.ts';
import type { ContractDatabase, ContractTarget, TableSpec } from './target.ts';

/** The objects that all parts of the contract use. Filled before the first test. */
export interface Fixture {
  target: ContractTarget;
  database: ContractDatabase;
  session: Session;
  /** The name of the sample table. No test changes that table. */
  table: string;
  spec: TableSpec;
  description: TableDescription;
  createTable(spec: TableSpec): Promise<string>;
  /** A new table with the sample's rows, for a test that changes them. */
  freshTable(): Promise<string>;
}

export type Row = Record<string, Cell>;

export function call(): Call {
  return { signal: new AbortController().signal };
}

export function browseAll(table: string, changes: Partial<BrowseRequest> = {}): BrowseRequest {
  return { table, filters: [], match: 'all', sort: [], limit: 1000, offset: 0, ...changes };
}

export async function readRows(session: Session, request: BrowseRequest): Promise<Row[]> {
  return rowsOf((await session.browse(request, call())).rows);
}

/** All rows of a table, by their ordinal. */
export async function rowsByOrdinal(session: Session, table: string): Promise<Map<number, Row>> {
  const request = browseAll(table, { sort: [{ column: 'ordinal', order: 'asc' }], limit: 10_000 });
  return new Map((await readRows(session, request)).map((row) => [Number(row.ordinal), row]));
}

export function rowsOf(rows: RowSet): Row[] {
  return Array.from({ length: rows.rowCount }, (_, index) => rowAt(rows, index));
}

export function ordinals(rows: Row[]): number[] {
  return rows.map((row) => Number(row.ordinal));
}

export function ascending(numbers: number[]): number[] {
  return [...numbers].sort((a, b) => a - b);
}

export function columnNamed(description: TableDescription, name: string): ColumnDescription {
  const column = description.columns.find((candidate) => candidate.name === name);
  if (!column) throw new Error(`${description.name} has no column ${name}`);
  return column;
}

/** Whether filters with this operator run on a column. */
export function takes(description: TableDescription, column: string, operator: FilterOperator): boolean {
  const support = columnNamed(description, column).operators.find((entry) => entry.operator === operator);
  return support !== undefined && support.refusal === undefined;
}

export function keyOf(description: TableDescription, row: Row): RowKey {
  return Object.fromEntries(description.key.map((name) => [name, row[name] ?? null]));
}

/** The error of a call that must fail with one of the given codes. */
export async function failure(work: Promise<unknown>, ...codes: DriverErrorDetails['code'][]) {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error: driverErrorDetails(error) }),
  );
  if (!('error' in outcome)) throw new Error(`Expected a failure, got ${inspect(outcome.value)}`);
  expect(codes, outcome.error.message).toContain(outcome.error.code);
  expect(outcome.error.message).not.toBe('');
  return outcome.error;
}

function inspect(value: unknown): string {
  const text = JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? String(inner) : inner));
  return (text ?? 'nothing').slice(0, 500);
}
