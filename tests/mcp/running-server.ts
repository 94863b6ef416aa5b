import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Connection, type ConnectionDraft, type Core, createCore } from '@trestle/core';
import { type McpServerOptions, type RunningMcpServer, startMcpServer } from '@trestle/mcp-server';

export const root = join(import.meta.dirname, '..', '..');
export const bridgeFile = join(root, 'dist', 'trestle-mcp.js');

/** A statement that does not end by itself. */
export const endless =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

/** Every tool, in the order in which clients hear of them. */
export const toolNames = [
  'list_connections',
  'connect',
  'disconnect',
  'get_connection_status',
  'list_tables',
  'describe_table',
  'search_schema',
  'browse_table',
  'count_rows',
  'vector_search',
  'execute_query',
  'insert_rows',
  'update_rows',
  'delete_rows',
  'export_data',
  'search_query_history',
  'open_table_tab',
  'confirm_destructive_operation',
];

export interface RunningServer {
  home: string;
  core: Core;
  server: RunningMcpServer;
  /** A user's token with every right a token can have. */
  token: string;
  connections: Record<'open' | 'readOnly' | 'blocked' | 'never' | 'asks', Connection>;
  restart(options?: Partial<McpServerOptions>): Promise<void>;
  close(): Promise<void>;
}

/** The real server on a real core with the SQLite driver, one connection for each level of access. */
export async function runServer(options: Partial<McpServerOptions> = {}): Promise<RunningServer> {
  const home = mkdtempSync(join(tmpdir(), 'trestle-mcp-'));
  const core = await createCore({
    home,
    hostEntry: join(root, 'dist', 'driver-host.js'),
    bundledDrivers: [join(root, 'dist', 'drivers', 'sqlite')],
    secretStore: 'file',
  });
  const file = join(home, 'planets.db');
  writeDatabase(file);
  const connect = (name: string, changes: Partial<ConnectionDraft>) =>
    core.connections.create({ ...draft, name, fields: { file }, ...changes });
  const connections = {
    open: await connect('Open', {}),
    readOnly: await connect('Read only', { externalClients: 'readOnly' }),
    blocked: await connect('Blocked', { externalClients: 'blocked' }),
    never: await connect('Never', { aiPolicy: 'never' }),
    asks: await connect('Asks', { aiPolicy: 'askEachTime' }),
  };
  const { secret } = core.tokens.create({
    name: 'test',
    permission: 'fullAccess',
    allowlist: null,
    expiresAt: null,
  });
  const start = (more: Partial<McpServerOptions> = {}) =>
    startMcpServer({ core, home, appVersion: '0.1.0', log: () => {}, port: 0, ...options, ...more });
  const running: RunningServer = {
    home,
    core,
    server: await start(),
    token: secret,
    connections,
    async restart(more) {
      await running.server.close();
      running.server = await start(more);
    },
    async close() {
      await running.server.close();
      await core.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
  return running;
}

const draft: ConnectionDraft = {
  name: '',
  driver: 'sqlite',
  fields: {},
  externalClients: 'readWrite',
  aiPolicy: 'alwaysAllow',
  safeMode: 'off',
  color: null,
};

function writeDatabase(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE planets (name TEXT PRIMARY KEY, moons INTEGER NOT NULL);
    INSERT INTO planets VALUES ('Mercury', 0), ('Venus', 0), ('Earth', 1), ('Mars', 2);
  `);
  database.close();
}
