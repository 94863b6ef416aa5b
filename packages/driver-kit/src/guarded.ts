import type { ColumnOrigin } from './values.ts';

/**
 * Columns whose values the caller may not learn; `*` in a name stands for any characters. A driver that is given
 * them marks every result column that comes from one as `masked`, fills `origin`, and refuses, before it touches
 * the database, every other use: expressions, filters, sorts, joins, copies. Where it cannot tell, it refuses.
 */
export type Guarded = readonly ColumnOrigin[];

/** Case and Unicode form make no difference: hiding too much is the smaller mistake. */
export function isGuarded(guarded: Guarded | undefined, table: string, column: string): boolean {
  return (guarded ?? []).some((one) => fits(one.table, table) && fits(one.column, column));
}

/** Reads `column` or `table.column`. A name may itself hold dots, so every reading counts. */
export function maskedColumn(text: string): ColumnOrigin[] {
  const readings: ColumnOrigin[] = [{ table: '*', column: text }];
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', dot + 1)) {
    const table = text.slice(0, dot);
    const column = text.slice(dot + 1);
    if (table !== '' && column !== '') readings.push({ table, column });
  }
  return readings;
}

function fits(pattern: string, name: string): boolean {
  const wanted = plain(pattern);
  if (!wanted.includes('*')) return wanted === plain(name);
  const parts = wanted.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'su').test(plain(name));
}

function plain(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
