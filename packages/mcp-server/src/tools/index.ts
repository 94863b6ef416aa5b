import { describeTable } from './describe-table.ts';
import { executeQuery } from './execute-query.ts';
import { listConnections } from './list-connections.ts';
import { listTables } from './list-tables.ts';
import type { Tool } from './tool.ts';

/** In the order in which a client lists them. */
export const tools: readonly Tool[] = [listConnections, listTables, describeTable, executeQuery];
