import { counted } from '../../controls/text/counted.ts';

/** The note about the rows in `Scan.without`. `dimensions` is undefined if the database compares the vectors. */
export function withoutWords(rows: number, dimensions: number | undefined): string {
  const [some, them] = rows === 1 ? ['1 row does', 'it'] : [`${rows.toLocaleString('en')} rows do`, 'them'];
  // With `dimensions`, this window compared the vectors. No search ran, so the note must not speak of one.
  if (dimensions !== undefined) {
    return `${some} not have a vector of ${counted(dimensions, 'dimension')}. Trestle does not compare ${them}.`;
  }
  return `${some} not have this vector. A search by this vector does not find ${them}.`;
}
