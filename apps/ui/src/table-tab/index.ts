export { TableTab } from './table-tab.tsx';
export type { PersistedTable, TableTabProps } from './types.ts';
