import { csvField, csvName } from '@trestle/driver-kit/csv-field';
import { jsonRowText } from './parse-json-row.ts';
import type { ReportColumns } from './plan-import.ts';
import type { SourceRow, SourceValue } from './source-row.ts';
import type { ImportFile } from './survey-file.ts';

/**
 * Writes failed rows in the format of the imported file. The line, the reason and the derived id precede the row's own
 * columns. A JSON row that could not be read is written as it was.
 */
export interface FailedRows {
  row(row: SourceRow, failure: RowFailure): string;
  end(): string;
}

export interface RowFailure {
  problem: string;
  derivedId?: string | undefined;
}

export function failedRows({ format, delimiter, columns }: ImportFile, names: ReportColumns): FailedRows {
  const ours = new Set(Object.values(names));
  if (format === 'csv') return csvReport(columns, delimiter, names);
  let count = 0;
  const text: FailedRows['row'] = (row, { problem, derivedId }) => {
    if (typeof row.unread === 'string') return row.unread;
    const own = Array.from(row.values).filter(([name]) => !ours.has(name));
    const report: [string, SourceValue][] = [
      [names.line, row.line],
      [names.error, problem],
      ...(derivedId === undefined ? [] : [[names.id, derivedId] as [string, string]]),
    ];
    return jsonRowText([...report, ...own]);
  };
  if (format === 'jsonl') return { row: (row, failure) => `${text(row, failure)}\n`, end: () => '' };
  return {
    row: (row, failure) => `${count++ === 0 ? '[\n' : ',\n'}${text(row, failure)}`,
    end: () => (count === 0 ? '[]\n' : '\n]\n'),
  };
}

function csvReport(all: string[], delimiter: string, ours: ReportColumns): FailedRows {
  const isOurs = (name: string) => Object.values(ours).includes(name);
  const own = all.filter((name) => !isOurs(name));
  let hasHeader = false;
  const record = (fields: SourceValue[]) =>
    `${fields.map((field) => csvField(field === null ? null : String(field), delimiter)).join(delimiter)}\r\n`;
  const header = () => {
    if (hasHeader) return '';
    hasHeader = true;
    const names = [ours.line, ours.error, ours.id, ...own];
    return `${names.map((name) => csvName(name, delimiter)).join(delimiter)}\r\n`;
  };
  return {
    row(row, { problem, derivedId = null }) {
      // The columns of the report come first, where a row with too few or too many fields does not shift them. Such a
      // row fails again if the report is imported.
      const ownFields = Array.isArray(row.unread)
        ? row.unread.filter((_, index) => !isOurs(all[index] ?? ''))
        : own.map((name) => row.values.get(name) ?? null);
      return header() + record([String(row.line), problem, derivedId, ...ownFields]);
    },
    end: header,
  };
}
