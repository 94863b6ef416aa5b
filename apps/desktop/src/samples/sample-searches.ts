/** A suggested search on the first screen. */
export interface SampleSearch {
  connectionId: string;
  table: string;
  text: string;
  /** Set if the table has several vectors. */
  targetVector?: string;
}

/** The tests of the sample node check the first result of each search. */
const searches: Omit<SampleSearch, 'connectionId'>[] = [
  { table: 'Mission', text: 'looking for planets around other stars' },
  { table: 'Species', text: 'hot, dry places', targetVector: 'habitat' },
  { table: 'Invention', text: 'musical instruments' },
];

export function sampleSearches(connectionId: string): SampleSearch[] {
  return searches.map((search) => ({ connectionId, ...search }));
}
