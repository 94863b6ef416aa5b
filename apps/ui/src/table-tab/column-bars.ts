import {
  type AggregateRequest,
  type Cell,
  type ColumnDescription,
  type CountRequest,
  cellAt,
  countName,
  type Filter,
  type Measure,
  measureName,
  type RowSet,
} from '@trestle/driver-kit';
import { filterForCell } from '../panels/filter-bar/index.ts';

/** The rows that a summary is about. */
export type Summarised = Pick<CountRequest, 'table' | 'partition' | 'filters' | 'match'>;

/** One bar of a summary: rows with equal values, or with values in a range. */
export interface Bar {
  of: { value: Cell } | { from: number | string; to: number | string };
  rows: number;
  /** The filters that find these rows, or the reason why none do. */
  filters: Filter[] | { refusal: string };
}

/** Of more values, the most frequent are shown. Numbers and dates become ranges instead. */
export const mostValues = 12;

export function valuesRequest(of: Summarised, column: string): AggregateRequest {
  return { ...of, by: [column], measured: [], groups: mostValues };
}

/** A list in one cell has no NULL of its own: databases count its elements. */
const measuresOf: Partial<Record<ColumnDescription['type'], Measure[]>> = {
  int: ['count', 'min', 'max', 'mean'],
  number: ['count', 'min', 'max', 'mean'],
  date: ['count', 'min', 'max'],
  text: ['count'],
  boolean: ['count'],
};

export function factsRequest(of: Summarised, { name, type }: ColumnDescription): AggregateRequest {
  const measures = measuresOf[type] ?? [];
  return { ...of, by: [], measured: measures.map((measure) => ({ column: name, measure })), groups: 1 };
}

export interface ColumnFacts {
  rows: number;
  nulls?: number;
  min?: Cell;
  max?: Cell;
  mean?: Cell;
}

export function readFacts(rows: RowSet, column: string): ColumnFacts {
  const cell = (name: string): Cell | undefined => {
    const at = rows.columns.findIndex((known) => known.name === name);
    return at < 0 ? undefined : (cellAt(rows, at, 0) ?? undefined);
  };
  const of = (measure: Measure) => cell(measureName({ column, measure }));
  const all = Number(cell(countName([])) ?? 0);
  const [count, min, max, mean] = [of('count'), of('min'), of('max'), of('mean')];
  return {
    rows: all,
    ...(count !== undefined && { nulls: all - Number(count) }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(mean !== undefined && { mean }),
  };
}

/** The bars of the most frequent values. NULL is left out: the facts have it. */
export function valueBars(rows: RowSet, column: ColumnDescription): Bar[] {
  return Array.from({ length: rows.rowCount }, (_, row) => {
    const value = cellAt(rows, 0, row) ?? null;
    return valueBar(column, value, Number(cellAt(rows, 1, row)));
  }).filter(({ of }) => !('value' in of) || of.value !== null);
}

export function valueBar(column: ColumnDescription, value: Cell, rows: number): Bar {
  const read = filterForCell(column, value);
  return { of: { value }, rows, filters: read.ok ? [read.filter] : { refusal: read.problem } };
}

/** Ranges with round limits, from the smallest value to the largest. Null if the values have none. */
export function rangesOf(column: ColumnDescription, { min, max }: ColumnFacts): Omit<Bar, 'rows'>[] | null {
  const offers = (operator: string) =>
    column.operators.some((known) => known.operator === operator && !known.refusal);
  if (!offers('greater_or_equal') || !offers('less_than')) return null;
  const limits = typeof min === 'number' && typeof max === 'number' ? numbers() : dates();
  return (
    limits &&
    Array.from({ length: limits.length - 1 }, (_, at) => {
      const [from, to] = [limits[at]!, limits[at + 1]!];
      return {
        of: { from, to },
        filters: [
          { column: column.name, operator: 'greater_or_equal', value: from },
          { column: column.name, operator: 'less_than', value: to },
        ],
      };
    })
  );

  function numbers() {
    return roundNumbers(Number(min), Number(max), column.type === 'int' ? 1 : 0);
  }
  function dates() {
    return isTime(min) && isTime(max) ? roundTimes(Date.parse(min), Date.parse(max)) : null;
  }
}

/** About eight ranges are wanted. */
const wanted = 8;

function roundNumbers(min: number, max: number, least: number): number[] | null {
  if (!(max > min)) return null;
  const step = Math.max(roundStep((max - min) / wanted), least);
  const limit = (at: number) => Number((at * step).toPrecision(12));
  let [first, last] = [Math.floor(min / step), Math.floor(max / step) + 1];
  if (!Number.isFinite(step) || limit(first) === limit(first + 1)) return null;
  // The division is not exact.
  if (limit(first) > min) first--;
  if (limit(last) <= max) last++;
  return Array.from({ length: last - first + 1 }, (_, at) => limit(first + at));
}

/** The next 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}

const months = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200];

/** Limits at the start of a month or of a year, in UTC. Null if all times are within a few months. */
function roundTimes(min: number, max: number): string[] | null {
  const monthOf = (time: number) => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth();
  const [low, high] = [monthOf(min), monthOf(max)];
  const step = months.find((count) => (high - low) / count <= wanted * 1.5);
  if (step === undefined || high - low < 3) return null;
  const first = Math.floor(low / step) * step;
  const count = Math.floor(high / step) - first / step + 1;
  return Array.from({ length: count + 1 }, (_, at) =>
    new Date(Date.UTC(2000, first + at * step - 24_000)).toISOString().replace('.000Z', 'Z'),
  );
}

/** Another text may stand for a time, but would not be compared as one. */
function isTime(cell: Cell | undefined): cell is string {
  return typeof cell === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(cell) && cell >= '0100';
}
