import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { bridgeFile } from './running-server.ts';

interface Message {
  id?: unknown;
  method?: string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
  params?: Record<string, unknown>;
}

export interface BridgeProcess {
  child: ChildProcessWithoutNullStreams;
  /** Every line of stdout so far, each of which must be JSON. */
  messages: Message[];
  stderr(): string;
  send(message: object | string): void;
  /** Sends a request and waits for its response. */
  ask(method: string, params?: object): Promise<Message>;
  /** Ends stdin and resolves with the exit code. */
  end(): Promise<number | null>;
}

/** Starts the bridge in `file`. Like an AI client, the test sends one message a line. */
export function spawnBridge(home: string, file = bridgeFile, args: string[] = []): BridgeProcess {
  const child = spawn(process.execPath, [file, ...args], {
    env: { TRESTLE_HOME: home, PATH: process.env.PATH },
    stdio: 'pipe',
  });
  const messages: Message[] = [];
  const waiting = new Map<unknown, (message: Message) => void>();
  let stderr = '';
  let count = 0;
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  createInterface(child.stdout).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    messages.push(message);
    if (message.method === undefined) waiting.get(message.id)?.(message);
  });
  onTestFinished(() => {
    child.kill();
  });
  const send = (message: object | string) => {
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  };
  return {
    child,
    messages,
    stderr: () => stderr,
    send,
    ask(method, params) {
      const id = ++count;
      const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
      send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
      return answer;
    },
    async end() {
      const exit = once(child, 'exit');
      child.stdin.end();
      return (await exit)[0] as number | null;
    },
  };
}
