/** A search that the first screen offers to click. */
export interface SampleSearch {
  connectionId: string;
  table: string;
  text: string;
  /** Where the table has several vectors. */
  targetVector?: string;
}

/** The tests of the sample node hold what each of them finds first. */
const searches: Omit<SampleSearch, 'connectionId'>[] = [
  { table: 'Mission', text: 'looking for planets around other stars' },
  { table: 'Species', text: 'hot, dry places', targetVector: 'habitat' },
  { table: 'Invention', text: 'musical instruments' },
];

export function sampleSearches(connectionId: string): SampleSearch[] {
  return searches.map((search) => ({ connectionId, ...search }));
}
