import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './log.ts';

/** What has been opened, closed in the opposite order, once. */
export interface Closer {
  add(name: string, close: () => void | Promise<void>): void;
  /** False when something failed to close; the rest closes all the same. */
  close(log: Logger): Promise<boolean>;
}

export function createCloser(): Closer {
  const opened: { name: string; close: () => void | Promise<void> }[] = [];
  let closing: Promise<boolean> | undefined;
  async function closeAll(log: Logger): Promise<boolean> {
    let clean = true;
    for (let one = opened.pop(); one; one = opened.pop()) {
      try {
        await one.close();
      } catch (error) {
        clean = false;
        log.error({ err: error }, `${one.name} did not close`);
      }
    }
    return clean;
  }
  return {
    add: (name, close) => void opened.push({ name, close }),
    close(log) {
      closing ??= closeAll(log);
      return closing;
    },
  };
}

/** Stopping must end, also when a part hangs. */
export async function closeWithin(closer: Closer, ms: number, log: Logger): Promise<boolean> {
  const patience = new AbortController();
  const tooLong = delay(ms, false, { signal: patience.signal, ref: false }).catch(() => false);
  const clean = await Promise.race([closer.close(log), tooLong]);
  patience.abort();
  if (!clean) log.error('not everything closed in order');
  return clean;
}
