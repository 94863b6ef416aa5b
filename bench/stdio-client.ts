import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Lines } from '../apps/bridge/src/lines.ts';
import { endWithBench } from './trestle.ts';

export interface McpResult {
  isError?: boolean;
  [name: string]: unknown;
}

/** A server on stdio as a client starts it; every answer must be a result. */
export interface StdioClient {
  pid: number;
  ask(method: string, params: object): Promise<McpResult>;
  end(): Promise<void>;
}

export interface StdioCommand {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

export function openStdio({ command, args, env }: StdioCommand): StdioClient {
  const child = spawn(command, args, { env });
  endWithBench(child);
  const waiting = new Map<unknown, PromiseWithResolvers<McpResult>>();
  let count = 0;
  let said = '';
  const lines = new Lines((line) => {
    const answer = JSON.parse(line) as { id?: unknown; result?: McpResult };
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.result && !answer.result.isError) asked?.resolve(answer.result);
    else asked?.reject(new Error(`No result: ${line}`));
  });
  child.stdout.setEncoding('utf8').on('data', (chunk) => lines.push(String(chunk)));
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const fail = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
  };
  child.once('error', fail);
  child.once('exit', (code, signal) => fail(new Error(`${command} ended with ${code ?? signal}: ${said}`)));
  return {
    pid: child.pid ?? -1,
    ask(method, params) {
      const id = ++count;
      const answer = Promise.withResolvers<McpResult>();
      waiting.set(id, answer);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return answer.promise;
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}

/** What nearly every client opens with today, in the version before the newest. */
export async function initialize(client: StdioClient): Promise<void> {
  await client.ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
}

/** From the start of the process to its list of tools. */
export async function firstAnswer(command: StdioCommand): Promise<number> {
  const started = performance.now();
  const client = openStdio(command);
  try {
    await initialize(client);
    await client.ask('tools/list', {});
    return performance.now() - started;
  } finally {
    await client.end();
  }
}
