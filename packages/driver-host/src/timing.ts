/** How long the link waits for a driver. The defaults suit people. Tests shorten them. */
export interface LinkTiming {
  /** The time between a cancel and the end of the call. */
  graceMs: number;
  /** The interval of heartbeats to a busy driver. */
  heartbeatMs: number;
  /** The number of unanswered heartbeats after which a driver counts as hung. */
  missedHeartbeats: number;
  /** The time between `close` and the kill. */
  closeMs: number;
}

export const defaultTiming: LinkTiming = {
  graceMs: 2_000,
  heartbeatMs: 5_000,
  missedHeartbeats: 3,
  closeMs: 500,
};
