import { counted } from '../shared/counted.ts';

/** The note about the rows in `Scan.without`. `dimensions`: see `Scan.dimensions`. */
export function withoutWords(rows: number, dimensions: number | undefined): string {
  const lacks = dimensions === undefined ? 'this vector' : `a vector of ${counted(dimensions, 'dimension')}`;
  return rows === 1
    ? `1 row does not have ${lacks}. A search by this vector does not find it.`
    : `${rows.toLocaleString('en')} rows do not have ${lacks}. A search by this vector does not find them.`;
}
