import type { ColumnType } from '../values.ts';
import { placeOf } from './same-name.ts';
import {
  AnswerMismatch,
  anyText,
  figure,
  inside,
  list,
  oneOf,
  plainData,
  plainObject,
  quoted,
  record,
  type Shape,
  type Spent,
  truth,
  wholeNumber,
  wrong,
} from './shape.ts';

/** The rows that a request allows. */
export interface ExpectedRows {
  most: number;
  /** Columns that the answer must contain. */
  columns?: readonly string[] | undefined;
  /** Each column has another name. In the result of a statement, two columns may have the same name. */
  distinct?: boolean;
}

const columnTypes: Record<ColumnType, true> = {
  text: true,
  int: true,
  number: true,
  boolean: true,
  date: true,
  uuid: true,
  bytes: true,
  json: true,
  vector: true,
  any: true,
};

export const headMembers = {
  required: { name: anyText, type: oneOf(Object.keys(columnTypes)), nativeType: anyText },
  optional: {
    origin: record({ table: anyText, column: anyText }),
    masked: truth,
    apart: truth,
    isMeasure: truth,
    isDistance: truth,
  },
};

const heads = list(record(headMembers.required, headMembers.optional));

export function rowSet(expected: ExpectedRows): Shape {
  return (value, spent) => checkRows(value, spent, expected);
}

/** Returns the names of the columns. */
export function checkRows(value: unknown, spent: Spent, expected: ExpectedRows): string[] {
  const { rowCount, columns, values, ...others } = plainObject(value);
  at('rowCount', () => wholeNumber(rowCount, spent));
  const count = rowCount as number;
  if (count > expected.most) {
    throw new AnswerMismatch(
      `${figure(count)} rows announced, and at most ${figure(expected.most)} were asked for`,
    );
  }
  at('columns', () => heads(columns, spent));
  const names = (columns as { name: string }[]).map(({ name }) => name);
  if (expected.distinct) assertDistinct(names, 'column');
  assertContains(names, expected.columns ?? []);
  if (!Array.isArray(values)) throw wrong(values, 'a list').inside('values');
  if (values.length !== names.length) {
    throw new AnswerMismatch(`${figure(names.length)} columns announced, ${figure(values.length)} sent`);
  }
  // Without columns, only the number of rows says how many there are, so nothing else limits it.
  if (names.length === 0 && count > mostWithoutColumns) {
    throw new AnswerMismatch(`${figure(count)} rows announced, and no column sent`);
  }
  for (let column = 0; column < values.length; column++) {
    try {
      checkColumn(values[column], count, spent);
    } catch (error) {
      throw inside(error, `the column ${quoted(names[column]!)}`);
    }
  }
  plainData(others, spent);
  return names;
}

const mostWithoutColumns = 10_000;

function checkColumn(value: unknown, rowCount: number, spent: Spent): void {
  const { kind, cells, dimensions, floats, present } = plainObject(value);
  if (kind === 'cells') {
    if (!Array.isArray(cells)) throw wrong(cells, 'a list').inside('cells');
    if (cells.length !== rowCount) throw otherCount(rowCount, cells.length);
    checkCells(cells, spent);
  } else if (kind === 'vectors') {
    at('dimensions', () => wholeNumber(dimensions, spent));
    if (!(floats instanceof Float32Array)) throw wrong(floats, 'a Float32Array').inside('floats');
    if (!(present instanceof Uint8Array)) throw wrong(present, 'a Uint8Array').inside('present');
    if (present.length !== rowCount) throw otherCount(rowCount, present.length);
    if (floats.length !== rowCount * (dimensions as number)) {
      throw new AnswerMismatch(
        `${figure(rowCount)} vectors of ${figure(dimensions)} numbers announced, ${figure(floats.length)} numbers sent`,
      );
    }
    spent.add(floats.byteLength + present.byteLength);
  } else throw wrong(kind, 'cells or vectors').inside('kind');
}

/** One pass, and no call for a plain cell: a page has thousands of them. */
function checkCells(cells: readonly unknown[], spent: Spent): void {
  let plain = 0;
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row];
    if (typeof cell === 'string') plain += 8 + cell.length;
    else if (typeof cell === 'number' || cell === null) plain += 8;
    else {
      try {
        plainData(cell, spent);
      } catch (error) {
        throw inside(error, `row ${row}`);
      }
    }
  }
  spent.add(plain);
}

function otherCount(announced: number, sent: number): AnswerMismatch {
  return new AnswerMismatch(`${figure(announced)} rows announced, ${figure(sent)} sent`);
}

export function assertContains(names: readonly string[], asked: readonly string[], noun = 'column'): void {
  const known = new Set(names);
  const missing = asked.find((name) => !known.has(name) && placeOf(name, names) < 0);
  if (missing !== undefined) throw new AnswerMismatch(`the ${noun} ${quoted(missing)} is missing`);
}

export function assertDistinct(names: readonly string[], noun: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new AnswerMismatch(`two ${noun}s are called ${quoted(name)}`);
    seen.add(name);
  }
}

function at(part: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw inside(error, part);
  }
}
