import { DriverError } from './errors.ts';
import type { Guarded } from './guarded.ts';
import { holdsPersonal, isPersonalNumber, type MaskPattern } from './personal-text.ts';
import type { Cell, ColumnType, Json } from './values.ts';

/**
 * The kinds of value that the caller may not see. `guarded` names each column that held such a value when its table had
 * this mark. Another program may have written one since. So before a driver makes a change whose condition or answer
 * could use a value of another column, it makes sure that the table has not changed, or reads the column again. If it
 * cannot, or finds such a value, it changes nothing and throws `mask_outdated`.
 */
export interface MaskedKinds {
  patterns: readonly MaskPattern[];
  /** Columns in which the user allows such values. */
  open: Guarded;
  /** The `changeMark` of each table. A table without one counts as changed. */
  marks: readonly { table: string; mark: string }[];
}

export function maskOutdated(table: string): DriverError {
  return new DriverError({
    code: 'mask_outdated',
    message: `Another program changed ${table} after Trestle looked there for masked kinds of value`,
  });
}

/** Digits in values of these types may look like a phone number, but are not one. */
export function mayHoldKinds(type: ColumnType): boolean {
  return !['uuid', 'boolean', 'date', 'vector'].includes(type);
}

/** A table with more rows or bytes is not read completely. All its columns then count as holding masked kinds. */
export const mostKindRows = 200_000;
export const mostKindBytes = 256 * 1024 * 1024;

/** Replaces a masked value. NULL stays NULL. */
export const maskText = '•••';

export function holdsPattern(cell: Cell, patterns: readonly MaskPattern[]): boolean {
  const masked = maskCell(cell, patterns);
  if (masked === cell) return false;
  // `maskCell` copies an object even if it masks nothing. Any other cell that differs was masked.
  return typeof masked !== 'object' || JSON.stringify(masked) !== JSON.stringify(cell);
}

export function maskCell(cell: Cell, patterns: readonly MaskPattern[]): Cell {
  if (typeof cell === 'string') return holdsPersonal(cell, patterns) ? maskText : cell;
  if (typeof cell === 'number' || typeof cell === 'bigint') {
    return isPersonalNumber(cell, patterns) ? maskText : cell;
  }
  if (cell instanceof Uint8Array) {
    return holdsPersonal(Buffer.from(cell).toString('latin1'), patterns) ? maskText : cell;
  }
  return cell === null || typeof cell === 'boolean' ? cell : (maskJson(cell, patterns) as Cell);
}

/** Member names are checked too: an object may be keyed by email address. */
export function maskJson(value: Json, patterns: readonly MaskPattern[]): Json {
  if (patterns.length === 0) return value;
  if (Array.isArray(value)) return value.map((inner) => maskJson(inner, patterns));
  if (typeof value !== 'object' || value === null) return maskCell(value, patterns) as Json;
  // A phone number of Weaviate is an object. It also contains the number as an integer, which the patterns could miss.
  if (patterns.includes('phone') && 'internationalFormatted' in value) return maskText;
  let hidden = 0;
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
    const name = holdsPersonal(key, patterns) ? `${maskText}${hidden++ > 0 ? ` ${hidden}` : ''}` : key;
    return [name, maskJson(inner, patterns)];
  });
  return Object.fromEntries(entries);
}
