import type { ChildProcess } from 'node:child_process';

/** A server that was started, as a process or in a container. */
export interface Started {
  process: ChildProcess;
  stop(): Promise<void>;
  /** Kills the server. This method is synchronous, since it also runs when our own process exits. */
  kill(): void;
}
