export { requestRow } from './row-requests.ts';
export { adoptStaged, discardStaged, followStaged, stagedIn, useStagedCounts } from './staged-store.ts';
export { TableTab } from './table-tab.tsx';
export type { PersistedTable, TableTabProps } from './types.ts';
export { requestView } from './view-requests.ts';
