import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import type { McpResult } from './stdio-client.ts';
import { endWithBench, post } from './trestle.ts';

/** A plain server over HTTP that keeps its database in a process of its own: a mark to read our figure by, no proof of a floor. */
export async function openFloor(file: string) {
  const child = fork(join(import.meta.dirname, 'floor-server.ts'), [file]);
  endWithBench(child);
  const [port] = (await once(child, 'message')) as [number];
  const url = new URL(`http://127.0.0.1:${port}/`);
  const agent = new Agent({ keepAlive: true });
  let count = 0;
  return {
    async ask(query: string): Promise<McpResult> {
      const body = Buffer.from(JSON.stringify({ id: ++count, query }));
      const text = (
        await post(url, { agent, headers: { 'content-type': 'application/json' }, body })
      ).toString();
      return (JSON.parse(text) as { result: McpResult }).result;
    },
    async end(): Promise<void> {
      agent.destroy();
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
