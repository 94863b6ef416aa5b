import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@trestle/core';
import type { Logger } from './log.ts';

/** Closes opened parts once, the last opened first. */
export interface Closer {
  /** After closing has begun, a new part is closed at once, and its opener gets an error. */
  add(name: string, close: () => void | Promise<void>): void;
  /**
   * Closes every part and waits for it while there is time. False if a part failed to close or did not close in time.
   * The other parts are closed anyway.
   */
  close(log: Logger, withinMs: number): Promise<boolean>;
}

export function createCloser(): Closer {
  const opened: Part[] = [];
  let closing: Promise<boolean> | undefined;
  async function closeAll(log: Logger, withinMs: number): Promise<boolean> {
    const over = new AbortController();
    const timeIsUp = delay(withinMs, undefined, { signal: over.signal }).catch(() => {});
    let clean = true;
    for (let part = opened.pop(); part; part = opened.pop()) {
      // When the time is up, each part still gets one turn of the event loop to close.
      const tooLate = timeIsUp.then(() => nextTurn('late' as const));
      const outcome = await Promise.race([closeOne(part, log), tooLate]);
      if (outcome === 'late') log.error(`${part.name} did not close in time`);
      clean &&= outcome === 'closed';
    }
    over.abort();
    return clean;
  }
  return {
    add(name, close) {
      if (!closing) return void opened.push({ name, close });
      void Promise.try(close).catch(() => {});
      throw new AppError({ code: 'cancelled', message: 'Trestle was stopped while it started' });
    },
    close(log, withinMs) {
      closing ??= closeAll(log, withinMs);
      return closing;
    },
  };
}

interface Part {
  name: string;
  close: () => void | Promise<void>;
}

async function closeOne({ name, close }: Part, log: Logger): Promise<'closed' | 'failed'> {
  try {
    await close();
    return 'closed';
  } catch (error) {
    log.error({ err: error }, `${name} did not close`);
    return 'failed';
  }
}
