import type { ChildProcess } from 'node:child_process';

/** A starting server, whatever runs it. */
export interface Started {
  process: ChildProcess;
  stop(): Promise<void>;
  /** Kills it at once, for the exit of our own process. */
  kill(): void;
}
