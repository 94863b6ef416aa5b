import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { textOf } from './read-answer.ts';
import { bridgeFile } from './running-server.ts';

export interface OfficialClient {
  call(name: string, args: object, signal?: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** The official MCP client, with a bridge process of its own. */
export async function officialBridge(home: string, name: string): Promise<OfficialClient> {
  const client = new Client({ name, version: '1' });
  const env = { HOME: home, TRESTLE_HOME: home, PATH: process.env.PATH ?? '' };
  const transport = { command: process.execPath, args: [bridgeFile], env, stderr: 'ignore' as const };
  await client.connect(new StdioClientTransport(transport));
  onTestFinished(() => client.close());
  return {
    async call(tool, args, signal) {
      const options = { timeout: 60_000, ...(signal && { signal }) };
      return textOf(await client.callTool({ name: tool, arguments: { ...args } }, options));
    },
    close: () => client.close(),
  };
}
