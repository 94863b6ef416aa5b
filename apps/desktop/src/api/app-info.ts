import type { McpStatus } from '@trestle/mcp-server';
import type { ListedClient } from '../client-list.ts';
import type { SampleQuerySet } from '../samples/sample-query-sets.ts';
import type { SampleSearch } from '../samples/sample-searches.ts';
import type { TableToOpen } from '../table-opener.ts';

export interface AppInfo {
  version: string;
  dataDirectory: string;
  /** The MCP server's state, for Settings → Integrations. */
  mcp(): McpStatus;
  /** Clients that are connected, or that called since the app started. Most recent first. */
  clients(): ListedClient[];
  /** Moves the MCP server back to the port in the settings, if that port is free. Otherwise returns false. */
  tryPreferredMcpPort(): Promise<boolean>;
  quit(): void;
  /** Makes the key of every window invalid, also the key of the window that asks. */
  endWindows(): void;
  /** Counts an open page. Call the returned function when the page's event stream ends. */
  pageOpened(): () => void;
  /** Calls `listener` when a client asks to show a table. The returned function removes `listener`. */
  onOpenTable(listener: (table: TableToOpen) => void): () => void;
  /** Restores a sample's original data. Refuses a connection that is not a sample. */
  resetSample(connectionId: string): Promise<void>;
  /** Suggested searches in the tables of the sample node. Empty if the node or its connection is missing. */
  sampleSearches(): SampleSearch[];
  /**
   * Queries for the tables of the sample node, with the rows that a person judged as right. Empty if the node or its
   * connection is missing.
   */
  sampleQuerySets(): SampleQuerySet[];
  /** Logs an unexpected error. */
  reportError(error: unknown, where: string): void;
}
