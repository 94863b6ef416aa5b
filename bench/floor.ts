import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openBare } from './bare-http.ts';
import { resultOf } from './http-client.ts';
import type { McpResult } from './stdio-client.ts';
import { endWithBench } from './trestle.ts';

/** The bare way of a query over HTTP to a database in a process of its own, and nothing else: what is left to win. */
export async function openFloor(file: string) {
  const child = fork(join(import.meta.dirname, 'floor-server.ts'), [file]);
  endWithBench(child);
  const [port] = (await once(child, 'message')) as [number];
  const client = openBare(port);
  return {
    async ask(query: string): Promise<McpResult> {
      return resultOf(await client.post('/', { 'content-type': 'application/json' }, { query }));
    },
    async end(): Promise<void> {
      client.close();
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
