import {
  cellAt,
  cellToText,
  type Page,
  type RowKey,
  rowAt,
  type SearchExplanation,
  type TableDescription,
} from '@trestle/driver-kit';
import { type BarLength, barLengthsOf } from '../../data/rows/measure.ts';
import { titleColumn, titleText } from '../../data/rows/row-title.ts';

/** One result of a column. */
export interface LabRow {
  /** The key as text. */
  key: string;
  /** Unique in the column. The key is not, because a search grouped by a list can put a row into several groups. */
  id: string;
  rowKey: RowKey;
  title: string;
  /** The values of the visible text columns besides the title, joined and cut after 160 characters. */
  detail: string;
  /** The score or distance of the row; null if the search gives none. */
  value: number | null;
  explanation: SearchExplanation | undefined;
}

export interface LabRows {
  rows: LabRow[];
  isDistance: boolean;
  lengthOf: BarLength;
  /** The value of each group, by the index of the group's first row. */
  groups: Map<number, string>;
  note: string | undefined;
}

export function labRows(page: Page, description: TableDescription): LabRows {
  const { rows: set } = page;
  const measureAt = set.columns.findIndex(({ isMeasure }) => isMeasure);
  const title = titleColumn(description.columns, description.key);
  const details = description.columns
    .filter(({ name, type, hidden }) => type === 'text' && !hidden && name !== title?.name)
    .map(({ name }) => set.columns.findIndex((column) => column.name === name))
    .filter((at) => at >= 0);
  const titleAt = set.columns.findIndex(({ name }) => name === title?.name);
  const textAt = (column: number, row: number) => {
    const cell = cellAt(set, column, row);
    return cell === null ? '' : cellToText(cell);
  };
  const seen = new Map<string, number>();
  const rows = Array.from({ length: set.rowCount }, (_, row): LabRow => {
    const whole = rowAt(set, row);
    const rowKey = Object.fromEntries(description.key.map((name) => [name, whole[name] ?? null]));
    const key = Object.values(rowKey)
      .map((cell) => (cell === null ? '' : cellToText(cell)))
      .join(' ');
    const value = measureAt < 0 ? null : cellAt(set, measureAt, row);
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return {
      key,
      id: `${key} ${times}`,
      rowKey,
      title: titleText(titleAt < 0 ? null : cellAt(set, titleAt, row)) ?? key,
      detail: details
        .map((at) => textAt(at, row))
        .filter(Boolean)
        .join(' · ')
        .slice(0, 160),
      value: value === null ? null : Number(value),
      explanation: page.explanations?.[row],
    };
  });
  const isDistance = set.columns[measureAt]?.isDistance === true;
  const lengthOf = barLengthsOf(set, measureAt);
  return { rows, isDistance, lengthOf, groups: groupStarts(page), note: page.note };
}

function groupStarts({ groups = [] }: Page): Map<number, string> {
  const starts = new Map<number, string>();
  let at = 0;
  for (const { value, rows } of groups) {
    starts.set(at, value);
    at += rows;
  }
  return starts;
}
