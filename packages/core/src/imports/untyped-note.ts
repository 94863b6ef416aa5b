import { isApart } from './fit-row.ts';
import type { ImportPlan } from './plan-import.ts';
import type { ImportFile } from './survey-file.ts';

/** What the user must know before the import: a CSV file does not say which type a value had. */
export function untypedNote(
  { table, columns }: ImportPlan,
  format: ImportFile['format'],
): string | undefined {
  if (format !== 'csv') return undefined;
  const names = [...columns.values()].filter((column) => isApart(table, column)).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return `CSV does not keep the types of values in ${names.join(', ')}: a text such as 5 becomes a number. JSON and JSON lines keep them.`;
}
