import { oneLine } from '@trestle/core';
import type { ColumnDescription, TableDescription, TableSummary } from '@trestle/driver-kit';
import { nameText } from '../answer/cell-text.ts';

/** A column as a model needs it for a query: `planet_id INTEGER not null -> planets.id`. */
export function columnText(column: ColumnDescription, table: TableDescription): string {
  const { name, nativeType, type, nullable, readOnly, insertable, defaultText, comment } = column;
  const words = [nameText(name), oneLine(nativeType) || type];
  // A column that may be NULL gets no word, because nearly every column of a vector database may be NULL.
  if (!nullable && !table.key.includes(name)) words.push('not null');
  if (isUnique(name, table)) words.push('unique');
  // The default of a vector names the module that makes the vector. A query does not need the module.
  if (defaultText !== undefined && type !== 'vector' && !table.key.includes(name))
    words.push(`default ${oneLine(defaultText)}`);
  const target = targetOf(name, table);
  if (target) words.push(`-> ${target}`);
  if (column.masked) words.push('masked');
  if (type !== 'vector' && readOnly !== undefined && !insertable) words.push('read only');
  return words.join(' ') + (comment ? `: ${oneLine(comment)}` : '');
}

/** The visible columns, and the key columns even if they are hidden. */
export function shownColumns({ columns, key }: TableDescription): ColumnDescription[] {
  return columns.filter((column) => !column.hidden || key.includes(column.name));
}

/** The kind of a table, and whether it needs a tenant: `view`, `needs tenant`. Empty for a plain table. */
export function kindText({ kind, partitioned }: TableSummary): string {
  return [...(kind === 'table' ? [] : [kind]), ...(partitioned ? ['needs tenant'] : [])].join(', ');
}

function isUnique(name: string, { indexes, key }: TableDescription): boolean {
  return (
    !key.includes(name) &&
    indexes.some(
      ({ unique, partial, columns }) => unique && !partial && columns.length === 1 && columns[0] === name,
    )
  );
}

function targetOf(name: string, { foreignKeys }: TableDescription): string | undefined {
  const found = foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === name);
  return found && [found.table, ...found.references.slice(0, 1)].map(nameText).join('.');
}
