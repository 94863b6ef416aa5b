export { discardStaged, stagedIn, useStagedCounts } from './staged-store.ts';
export { isTable, openTable, openTableWith, previewTable, tableTabs } from './table-tabs.tsx';
export { requestView } from './view-requests.ts';
