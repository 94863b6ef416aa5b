import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { ReadStream } from 'node:tty';

/** Where a person types an answer. */
export interface Terminal {
  isThere(): boolean;
  use<T>(work: (input: Readable) => Promise<T>): Promise<T>;
}

export const standardInput: Terminal = {
  isThere: () => process.stdin.isTTY,
  use: (work) => work(process.stdin),
};

/** The terminal of the command, for a command whose standard input carries a text or a file. */
export const controllingTerminal: Terminal = {
  isThere() {
    try {
      closeSync(openTerminal());
      return true;
    } catch {
      return false;
    }
  },
  async use(work) {
    const input = new ReadStream(openTerminal());
    try {
      return await work(input);
    } finally {
      // An open stream would keep the command running.
      input.destroy();
    }
  },
};

function openTerminal(): number {
  return openSync(process.platform === 'win32' ? '\\\\.\\CONIN$' : '/dev/tty', 'r+');
}
