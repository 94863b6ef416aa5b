import { aggregateTable } from './aggregate-table.ts';
import { browseTable } from './browse-table.ts';
import { confirmDestructiveOperation } from './confirm-destructive-operation.ts';
import { deleteRows } from './delete-rows.ts';
import { describeTable } from './describe-table.ts';
import { executeQuery } from './execute-query.ts';
import { exportData } from './export-data.ts';
import { insertRows } from './insert-rows.ts';
import { listConnections } from './list-connections.ts';
import { listTables } from './list-tables.ts';
import { openTableTab } from './open-table-tab.ts';
import { searchQueryHistory } from './search-query-history.ts';
import type { Tool } from './tool.ts';
import { updateRows } from './update-rows.ts';
import { vectorSearch } from './vector-search.ts';

/** All tools, in the order of `tools/list`. */
export const tools: readonly Tool[] = [
  listConnections,
  listTables,
  describeTable,
  executeQuery,
  confirmDestructiveOperation,
  browseTable,
  aggregateTable,
  vectorSearch,
  insertRows,
  updateRows,
  deleteRows,
  exportData,
  searchQueryHistory,
  openTableTab,
];
