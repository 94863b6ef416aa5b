/** How long the link waits for a driver. Tests may set shorter times. */
export interface LinkTiming {
  /** How long a driver may take to end a call that was cancelled. A save may take longer. */
  graceMs: number;
  /** The interval of heartbeats to a busy parallel driver. */
  heartbeatMs: number;
  /** The number of unanswered heartbeats after which a driver counts as hung. */
  missedHeartbeats: number;
  /** How long a driver may take to close before it is killed. */
  closeMs: number;
}

export const defaultTiming: LinkTiming = {
  graceMs: 2_000,
  heartbeatMs: 5_000,
  missedHeartbeats: 3,
  closeMs: 500,
};
