import { type Cell, cellToJson, cellToText, distinctNames } from '@trestle/driver-kit';

export type CopyFormat = 'text' | 'headers' | 'json' | 'markdown';

export interface CopyTable {
  columns: string[];
  rows: Cell[][];
}

/** The clipboard text of a copy. As `text`, a single cell gets no quotes, and a range becomes tab-separated lines. */
export function copyText({ columns, rows }: CopyTable, format: CopyFormat): string {
  switch (format) {
    case 'text':
      if (rows.length === 1 && rows[0]?.length === 1) return cellToText(rows[0][0] ?? null);
      return rows.map(tsvLine).join('\n');
    case 'headers':
      return [columns.map(tsvField).join('\t'), ...rows.map(tsvLine)].join('\n');
    case 'json': {
      const names = distinctNames(columns);
      const objects = rows.map((row) =>
        Object.fromEntries(names.map((name, at) => [name, cellToJson(row[at] ?? null)])),
      );
      return JSON.stringify(objects, null, 2);
    }
    case 'markdown':
      return [
        markdownLine(columns.map(markdownField)),
        markdownLine(columns.map(() => '---')),
        ...rows.map((row) =>
          markdownLine(row.map((cell) => (cell === null ? 'NULL' : markdownField(cellToText(cell))))),
        ),
      ].join('\n');
  }
}

/** Estimates the length of a copy from a few of its rows. */
export function estimateCopy(rowCount: number, sample: Cell[][]): number {
  if (sample.length === 0) return 0;
  const characters = sample.reduce((sum, row) => sum + tsvLine(row).length + 1, 0);
  return Math.round((characters / sample.length) * rowCount);
}

function tsvLine(row: Cell[]): string {
  return row.map((cell) => tsvField(cellToText(cell))).join('\t');
}

/** Spreadsheets read a quoted field with tabs and line ends inside as one cell. */
function tsvField(text: string): string {
  return /[\t\r\n]/.test(text) || text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text;
}

function markdownLine(fields: string[]): string {
  return `| ${fields.join(' | ')} |`;
}

function markdownField(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replace(/\r\n|\r|\n/g, '<br>');
}
