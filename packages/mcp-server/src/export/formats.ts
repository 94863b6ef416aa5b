import { type Cell, cellAt, cellToJson, cellToText, type RowSet } from '@trestle/driver-kit';
import type { ExportFormat } from './write-export.ts';

export interface Formatter {
  batch(rows: RowSet): string;
  /** What closes the file; also all there is of an export without rows. */
  end(): string;
}

export const formatters: Record<ExportFormat, () => Formatter> = {
  csv: () => {
    let hasHeader = false;
    return {
      batch(rows) {
        const lines = hasHeader ? [] : [rows.columns.map((column) => csvField(column.name))];
        hasHeader = true;
        for (let row = 0; row < rows.rowCount; row++) {
          lines.push(rows.columns.map((_, column) => csvField(cellAt(rows, column, row))));
        }
        return lines.map((fields) => `${fields.join(',')}\r\n`).join('');
      },
      end: () => '',
    };
  },
  jsonl: () => ({
    batch: (rows) =>
      objects(rows)
        .map((line) => `${line}\n`)
        .join(''),
    end: () => '',
  }),
  json: () => {
    let isEmpty = true;
    return {
      batch(rows) {
        const lines = objects(rows);
        if (lines.length === 0) return '';
        const start = isEmpty ? '[\n' : ',\n';
        isEmpty = false;
        return start + lines.join(',\n');
      },
      end: () => (isEmpty ? '[]\n' : '\n]\n'),
    };
  },
};

function objects(rows: RowSet): string[] {
  return Array.from({ length: rows.rowCount }, (_, row) =>
    JSON.stringify(
      Object.fromEntries(
        rows.columns.map((column, index) => [column.name, cellToJson(cellAt(rows, index, row))]),
      ),
    ),
  );
}

/** RFC 4180. An empty field is NULL, so the empty text stands in quotes. */
function csvField(cell: Cell): string {
  const text = cellToText(cell);
  return cell === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
