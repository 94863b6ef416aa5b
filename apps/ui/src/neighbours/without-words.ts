import { counted } from '../shared/counted.ts';

/** The note about the rows in `Scan.without`. `dimensions`: see `Scan.dimensions`. */
export function withoutWords(rows: number, dimensions: number | undefined): string {
  const [some, them] = rows === 1 ? ['1 row does', 'it'] : [`${rows.toLocaleString('en')} rows do`, 'them'];
  // The window itself compares the rows of a table without an index, and no search runs there.
  if (dimensions !== undefined) {
    return `${some} not have a vector of ${counted(dimensions, 'dimension')}. Trestle does not compare ${them}.`;
  }
  return `${some} not have this vector. A search by this vector does not find ${them}.`;
}
