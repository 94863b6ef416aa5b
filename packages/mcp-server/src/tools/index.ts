import { browseTable } from './browse-table.ts';
import { confirmDestructiveOperation } from './confirm-destructive-operation.ts';
import { connect } from './connect.ts';
import { countRows } from './count-rows.ts';
import { deleteRows } from './delete-rows.ts';
import { describeTable } from './describe-table.ts';
import { disconnect } from './disconnect.ts';
import { executeQuery } from './execute-query.ts';
import { exportData } from './export-data.ts';
import { getConnectionStatus } from './get-connection-status.ts';
import { insertRows } from './insert-rows.ts';
import { listConnections } from './list-connections.ts';
import { listTables } from './list-tables.ts';
import { openTableTab } from './open-table-tab.ts';
import { searchQueryHistory } from './search-query-history.ts';
import { searchSchema } from './search-schema.ts';
import type { Tool } from './tool.ts';
import { updateRows } from './update-rows.ts';
import { vectorSearch } from './vector-search.ts';

/** In the order in which a client lists them. */
export const tools: readonly Tool[] = [
  listConnections,
  connect,
  disconnect,
  getConnectionStatus,
  listTables,
  describeTable,
  searchSchema,
  browseTable,
  countRows,
  vectorSearch,
  executeQuery,
  insertRows,
  updateRows,
  deleteRows,
  exportData,
  searchQueryHistory,
  openTableTab,
  confirmDestructiveOperation,
];
