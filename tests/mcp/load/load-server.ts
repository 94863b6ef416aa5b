import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Command, Started, Usage } from './server.ts';

export interface LoadServer extends Started {
  mint(): Promise<{ id: string; secret: string }>;
  revoke(id: string): Promise<void>;
  drop(way: 'crash' | 'close'): Promise<void>;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

export async function startLoadServer(): Promise<LoadServer> {
  const child = fork(join(import.meta.dirname, 'server.ts'), {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, (result: unknown) => void>();
  const started = new Promise<unknown>((resolve) => waiting.set(0, resolve));
  child.on('message', ({ id, result }: { id: number; result: unknown }) => {
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let count = 0;
  const gone = new Promise<never>((_, reject) => {
    child.once('exit', () => reject(new Error('The server under load is gone')));
  });
  gone.catch(() => {});
  const ask = <T>(command: Command, argument = '') => {
    const id = ++count;
    const answered = new Promise<T>((resolve) => waiting.set(id, resolve as (result: unknown) => void));
    child.send({ id, command, argument });
    return Promise.race([answered, gone]);
  };
  return {
    ...((await started) as Started),
    mint: () => ask('mint'),
    revoke: (id) => ask('revoke', id),
    drop: (way) => ask('drop', way),
    usage: () => ask('usage'),
    stop: () => ask('stop'),
  };
}
