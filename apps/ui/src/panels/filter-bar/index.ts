export { FilterBar, type FilterBarHandle } from './filter-bar.tsx';
export { filterForCell } from './filter-draft.ts';
export { entriesOf, type FilterEntry, type OffFilter, storedEntries } from './filter-entries.ts';
export { filterText } from './filter-text.ts';
