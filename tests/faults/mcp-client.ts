import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestApp } from '../e2e/app.ts';

export type McpClient = Awaited<ReturnType<typeof openMcp>>;

/** The official MCP client over HTTP, with a token made on the command line. */
export async function openMcp(app: TestApp) {
  const { secret } = await app.json('tokens', 'create', '--name', 'faults', '--permission', 'readWrite');
  const { mcpPort } = await app.json('status');
  const client = new Client({ name: 'faults', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${secret}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${mcpPort}/mcp`), { requestInit }),
  );
  return {
    close: () => client.close(),
    /** `done`, the error text that the model reads, or the error that the client throws. */
    async run(connection: string, query: string, signal?: AbortSignal): Promise<string> {
      try {
        const call = { name: 'execute_query', arguments: { connection_id: connection, query } };
        const result = (await client.callTool(call, { signal, timeout: 100_000 })) as CallToolResult;
        return result.isError ? textOf(result) : 'done';
      } catch (error) {
        return String(error);
      }
    },
  };
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
