import { type OwnText, oneLine, own } from '@trestle/core';
import { cellAt, type RowSet } from '@trestle/driver-kit';
import type { AnswerBudget } from './answer-budget.ts';
import { cellText } from './cell-text.ts';

/**
 * Rows as text for a model: without vectors unless requested, and as many as fit. `lines`: the header if this is the
 * first part, then one line per row. `shown`: the number of these rows. `cut`: whether some rows did not fit.
 */
export function rowsText(
  set: RowSet,
  {
    budget,
    includeVectors,
    only = rowNumbers(set),
    isFirst = true,
  }: {
    budget: AnswerBudget;
    includeVectors: boolean;
    /** The indexes of the rows to show. */
    only?: number[];
    /** Whether this is the first part of its table. Only that part has the header. */
    isFirst?: boolean;
  },
) {
  const columns = set.columns
    .map((_, index) => index)
    .filter((index) => includeVectors || !isVector(set, index));
  const header = columns.map((index) => cellText(set.columns[index]?.name ?? '')).join('\t');
  const lines = isFirst ? [budget.takeStart(header)] : [];
  const notes: OwnText[] = [];
  if (isFirst && columns.length < set.columns.length) notes.push(vectorsNote);
  let shown = 0;
  if (isFirst && lines[0] !== header) {
    notes.push(own`Column names were cut: ask for fewer columns.`);
    return { lines, shown, cut: only.length > 0, notes };
  }
  for (const row of only) {
    const line = lineOf(set, row, columns);
    if (budget.take(line)) lines.push(line);
    else if (isFirst && shown === 0) {
      // Without its first row the answer would be empty, and the next page would begin with the same row.
      const start = takeShortened(line, columns.length, budget);
      if (start === '') return { lines, shown, cut: true, notes };
      lines.push(start);
      notes.push(own`Long values were cut; export_data writes them whole.`);
    } else return { lines, shown, cut: true, notes };
    shown++;
  }
  return { lines, shown, cut: false, notes };
}

/** What a driver says about a page, as a line below its rows. */
export function remarkText(note: string): string {
  return `note: ${oneLine(note)}`;
}

export function rowNumbers({ rowCount }: RowSet): number[] {
  return Array.from({ length: rowCount }, (_, row) => row);
}

export const vectorsNote = own`Vectors left out; include_vectors shows them.`;

function lineOf(set: RowSet, row: number, columns: number[]): string {
  const shown = columns.map((column) => {
    const head = set.columns[column];
    const cell = cellAt(set, column, row);
    const isLong = head?.isMeasure && typeof cell === 'number';
    return cellText(isLong ? Number(cell.toPrecision(4)) : cell, head?.type);
  });
  return shown.join('\t');
}

function takeShortened(line: string, columns: number, budget: AnswerBudget): string {
  let shortened = line;
  for (let length = Math.max(20, 8_000 / Math.max(1, columns)); length >= 20; length /= 2) {
    shortened = shorten(line, Math.floor(length));
    if (budget.take(shortened)) return shortened;
  }
  return budget.takeStart(shortened);
}

function shorten(line: string, length: number): string {
  return line
    .split('\t')
    .map((text) =>
      text.length > length ? `${text.slice(0, length).toWellFormed()}… (${text.length} characters)` : text,
    )
    .join('\t');
}

function isVector(set: RowSet, column: number): boolean {
  return set.values[column]?.kind === 'vectors' || set.columns[column]?.type === 'vector';
}
