import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type Connection,
  type ConnectionDraft,
  type Core,
  type CoreOptions,
  createCore,
} from '@trestle/core';
import { handshakePath, type RunningHandshake, readHandshake } from '@trestle/handshake';
import { type McpServerOptions, type RunningMcpServer, startMcpServer } from '@trestle/mcp-server';

export const root = join(import.meta.dirname, '..', '..');
export const bridgeFile = join(root, 'dist', 'trestle-mcp.cjs');

/** A statement that does not end by itself. */
export const endless =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

/** The names of all tools, in the order of `tools/list`. */
export const toolNames = [
  'list_connections',
  'list_tables',
  'describe_table',
  'execute_query',
  'confirm_destructive_operation',
  'browse_table',
  'aggregate_table',
  'vector_search',
  'insert_rows',
  'update_rows',
  'delete_rows',
  'export_data',
  'search_query_history',
  'open_table_tab',
];

export interface RunningServer {
  home: string;
  core: Core;
  server: RunningMcpServer;
  /** A user's token with every right a token can have. */
  token: string;
  connections: Record<'open' | 'readOnly' | 'blocked' | 'never' | 'asks', Connection>;
  /** Creates a token of the user. Returns its id and its secret. */
  createToken(changes?: Partial<Parameters<Core['tokens']['create']>[0]>): { id: string; secret: string };
  connectSqlite(name: string, file: string, changes?: Partial<ConnectionDraft>): Promise<Connection>;
  /** The first call installs the plugin. */
  connectWeaviate(name: string, port: number, changes?: Partial<ConnectionDraft>): Promise<Connection>;
  restart(options?: Partial<McpServerOptions>): Promise<void>;
  close(): Promise<void>;
}

/** The real server on a real core with the SQLite driver, one connection for each level of access. */
export async function runServer(
  options: Partial<McpServerOptions> & { coreOptions?: Partial<CoreOptions> } = {},
): Promise<RunningServer> {
  const home = mkdtempSync(join(tmpdir(), 'trestle-mcp-'));
  const core = await createCore({
    home,
    hostEntry: join(root, 'dist', 'driver-host.js'),
    bundledDrivers: [join(root, 'dist', 'drivers', 'sqlite')],
    secretStore: 'file',
    ...options.coreOptions,
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
  const createToken: RunningServer['createToken'] = (changes) => {
    const wanted = { name: 'test', permission: 'fullAccess', allowlist: null, expiresAt: null } as const;
    const { token, secret } = core.tokens.create({ ...wanted, ...changes });
    return { id: token.id, secret };
  };
  const start = (more: Partial<McpServerOptions> = {}) =>
    startMcpServer({ core, home, appVersion: '0.1.0', log: () => {}, port: 0, ...options, ...more });
  const running: RunningServer = {
    home,
    core,
    server: await start(),
    token: createToken().secret,
    connections,
    createToken,
    connectSqlite: (name, path, changes) => connect(name, { fields: { file: path }, ...changes }),
    async connectWeaviate(name, port, changes) {
      if (!core.drivers.get('weaviate')) {
        const { signal } = new AbortController();
        await core.drivers.installFromFile(weaviatePlugin(), { signal });
      }
      const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' };
      return connect(name, { driver: 'weaviate', fields, ...changes });
    },
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

/** The handshake that a bridge of this user reads. */
export function handshakeOf({ home }: RunningServer): RunningHandshake {
  const reading = readHandshake(handshakePath(home));
  if (!reading.trusted || reading.handshake.state !== 'running') throw new Error('No running handshake');
  return reading.handshake;
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

function weaviatePlugin(): string {
  const folder = join(root, 'dist', 'plugins');
  const file = readdirSync(folder).find((name) => name.startsWith('weaviate-') && name.endsWith('.tgz'));
  return join(folder, file ?? 'weaviate.tgz');
}

function writeDatabase(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE planets (name TEXT PRIMARY KEY, moons INTEGER NOT NULL);
    INSERT INTO planets VALUES ('Mercury', 0), ('Venus', 0), ('Earth', 1), ('Mars', 2);
  `);
  database.close();
}
