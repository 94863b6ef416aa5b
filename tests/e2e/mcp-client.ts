import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { importConnections, type TestApp } from './app.ts';

/** A question may wait longer than the SDK's 60 seconds until a busy machine has answered it. */
const mostMs = 300_000;

/** Connects the official MCP client over HTTP, with a token. */
export async function connectClient(
  app: TestApp,
  options: {
    name?: string;
    token?: string;
    permission?: 'readOnly' | 'readWrite' | 'fullAccess';
    /** The secret of an existing token. Without it, this function creates a token as a window does. */
    secret?: string;
  } = {},
) {
  const { name = 'Notebook', token = 'Laptop', permission = 'readOnly' } = options;
  const secret = options.secret ?? (await app.createToken(token, permission)).secret;
  const { mcpPort } = await app.status();
  const client = new Client({ name, version: '3.1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${mcpPort}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${secret}` } },
    }),
  );
  onTestFinished(() => client.close());
  return {
    client,
    call: (tool: string, args: Record<string, unknown>, signal?: AbortSignal) =>
      client.callTool(
        { name: tool, arguments: args },
        { signal, timeout: mostMs },
      ) as Promise<CallToolResult>,
  };
}

export function textOf(result: CallToolResult): string {
  return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** Adds the connection Library. By default, the user must approve its use by a client. Returns the database file. */
export async function addLibrary(app: TestApp, changes: Record<string, unknown> = {}): Promise<string> {
  const connection = createLibrary(app, changes);
  await importConnections(app, [connection]);
  return connection.fields.file;
}

/** Creates the database of the connection Library. Returns the settings, but does not add the connection. */
export function createLibrary(app: TestApp, changes: Record<string, unknown> = {}) {
  const file = join(app.folder, 'library.db');
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE IF NOT EXISTS books (id INTEGER PRIMARY KEY, title TEXT, email TEXT);
    INSERT INTO books (title, email) VALUES ('Emma', 'a@example.org'), ('Ulysses', NULL), ('Dubliners', NULL);
  `);
  database.close();
  return {
    name: 'Library',
    driver: 'sqlite',
    fields: { file },
    externalClients: 'readWrite',
    aiPolicy: 'askEachTime',
    ...changes,
  };
}
