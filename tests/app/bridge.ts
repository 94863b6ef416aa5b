import { join } from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';

const bridge = join(import.meta.dirname, '..', '..', 'bin', 'trestle-mcp');

/** Connects the official MCP client through the bridge. Returns a function that calls a tool and returns its text. */
export async function connectBridge(folder: string) {
  const client = new Client({ name: 'Notebook', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: bridge,
      env: { HOME: folder, PATH: '/usr/local/bin:/usr/bin:/bin', TRESTLE_HOME: folder },
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  return async (name: string, args: Record<string, unknown>) => {
    const { content } = (await client.callTool({ name, arguments: args })) as CallToolResult;
    return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  };
}
