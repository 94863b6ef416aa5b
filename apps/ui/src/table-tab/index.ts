export { isTable, openTable, openTableWith, previewTable, tableTabs } from './table-tabs.tsx';
export { requestView } from './view-requests.ts';
