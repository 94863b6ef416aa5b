import { type Cell, type ColumnHead, cellAt, distinctNames, type RowSet } from '@trestle/driver-kit';
import { csvCell, csvName, escapeFormula } from '@trestle/driver-kit/csv-field';
import { typedJson } from '../imports/typed-json.ts';
import type { ExportWriter } from './export-writer.ts';

const textFormats = ['csv', 'json', 'jsonl'] as const;
export const exportFormats = [...textFormats, 'parquet'] as const;
export type TextFormat = (typeof textFormats)[number];
export type ExportFormat = (typeof exportFormats)[number];

interface ExportOptions {
  /** The columns of a CSV or Parquet file, if `rows` is never called. */
  columns: string[];
  /** CSV only: put an apostrophe before text that a spreadsheet would run as a formula. */
  escapeFormulas: boolean;
  /** Parquet only: the columns to write as text. See `inexactValues`. */
  asText?: string[];
}

export async function exportWriter(format: ExportFormat, options: ExportOptions): Promise<ExportWriter> {
  if (format !== 'parquet') return textWriter(format, options);
  // Loaded with the first Parquet export.
  const { parquetThread } = await import('./parquet-thread.ts');
  return parquetThread(options);
}

export function textWriter(format: TextFormat, options: ExportOptions): ExportWriter<string> {
  switch (format) {
    case 'csv':
      return csvWriter(options);
    case 'json':
      return jsonWriter();
    case 'jsonl':
      return { rows: (rows, from, to) => objects(rows, from, to).join(''), end: () => '' };
  }
}

function csvWriter({ columns, escapeFormulas }: ExportOptions): ExportWriter<string> {
  let hasHeader = false;
  const header = (names: string[]) => {
    hasHeader = true;
    return `${names.map((name) => csvName(escapeFormulas ? escapeFormula(name) : name)).join(',')}\r\n`;
  };
  return {
    rows(rows, from, to) {
      let text = hasHeader ? '' : header(rows.columns.map(({ name }) => name));
      for (let row = from; row < to; row++) {
        text += `${rows.columns.map((head, column) => csvCell(wholeCell(cellAt(rows, column, row), head), { escapeFormulas })).join(',')}\r\n`;
      }
      return text;
    },
    end: () => (hasHeader ? '' : header(columns)),
  };
}

/** An integer with all its digits. A large double prints with zeros in place of its last digits. */
export function wholeCell(cell: Cell, { type }: ColumnHead): Cell {
  const isRounded = type === 'int' && typeof cell === 'number' && !Number.isSafeInteger(cell);
  return isRounded && Number.isInteger(cell) ? BigInt(cell) : cell;
}

function jsonWriter(): ExportWriter<string> {
  let isEmpty = true;
  return {
    rows(rows, from, to) {
      const lines = objects(rows, from, to).map((line) => line.trimEnd());
      if (lines.length === 0) return '';
      const start = isEmpty ? '[\n' : ',\n';
      isEmpty = false;
      return start + lines.join(',\n');
    },
    end: () => (isEmpty ? '[]\n' : '\n]\n'),
  };
}

function objects(rows: RowSet, from: number, to: number): string[] {
  const names = distinctNames(rows.columns.map(({ name }) => name)).map((name) => JSON.stringify(name));
  return Array.from({ length: to - from }, (_, step) => {
    const members = names.map(
      (name, column) => `${name}:${typedJson(cellAt(rows, column, from + step), rows.columns[column]!)}`,
    );
    return `{${members.join(',')}}\n`;
  });
}
