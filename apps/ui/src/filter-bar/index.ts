export { FilterBar, type FilterBarHandle, type FilterBarProps } from './filter-bar.tsx';
export { filterForCell } from './filter-draft.ts';
