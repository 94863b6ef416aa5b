export { requestRow } from './row-requests.ts';
export { adoptStaged, discardStaged, followStaged, stagedIn, useStagedCounts } from './staged-store.ts';
export type { PersistedTable, TableTabProps } from './types.ts';
export { requestView } from './view-requests.ts';
