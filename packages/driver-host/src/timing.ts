/** How long the link waits for a driver. The defaults suit people; tests shorten them. */
export interface LinkTiming {
  /** From a cancel until the driver must have let go of the call. */
  graceMs: number;
  /** Between two questions to a busy driver whether its event loop still turns. */
  heartbeatMs: number;
  /** Unanswered heartbeats after which a driver counts as hung. */
  missedHeartbeats: number;
  /** From `close` until the process is ended. */
  closeMs: number;
}

export const defaultTiming: LinkTiming = {
  graceMs: 2_000,
  heartbeatMs: 5_000,
  missedHeartbeats: 3,
  closeMs: 500,
};
