import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Lines } from '../apps/bridge/src/lines.ts';
import type { StdioCommand } from './stdio-command.ts';
import { endWithBench } from './trestle.ts';

export interface McpResult {
  isError?: boolean;
  [name: string]: unknown;
}

export interface McpAnswer {
  id?: unknown;
  result?: McpResult;
  error?: { code: number; message: string };
}

/** A client that has started a stdio server. */
export interface StdioClient {
  pid: number;
  /** Returns the result. Rejects if the answer has no result, or if the result is an error. */
  ask(method: string, params: object): Promise<McpResult>;
  /** Returns the server's answer, even an error. */
  exchange(method: string, params: object): Promise<McpAnswer>;
  end(): Promise<void>;
}

export function openStdio({ command, args, env }: StdioCommand): StdioClient {
  const child = spawn(command, args, { env });
  endWithBench(child);
  const waiting = new Map<unknown, PromiseWithResolvers<McpAnswer>>();
  let count = 0;
  let said = '';
  const lines = new Lines((line) => {
    const answer = JSON.parse(line) as McpAnswer;
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
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
  const exchange = (method: string, params: object) => {
    const id = ++count;
    const answer = Promise.withResolvers<McpAnswer>();
    waiting.set(id, answer);
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer.promise;
  };
  return {
    pid: child.pid ?? -1,
    exchange,
    async ask(method, params) {
      const answer = await exchange(method, params);
      if (answer.result && !answer.result.isError) return answer.result;
      throw new Error(`No result: ${JSON.stringify(answer)}`);
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    },
  };
}

/** Sends the first message of a client in the previous protocol version. */
export function initialize(client: StdioClient): Promise<McpResult> {
  return client.ask('initialize', legacyHello);
}

export const legacyHello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

/** The time from the start of the process to its list of tools. */
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
