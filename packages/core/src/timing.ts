export interface Timing {
  /** Between two health checks. */
  healthMs: number;
  /** How long a health check may take. */
  healthTimeoutMs: number;
  /** How long opening may take. */
  connectMs: number;
  /** How long a driver may take to load when it is installed. */
  loadMs: number;
  /** How long the process that a serial driver has for external clients stays without a call. */
  clientIdleMs: number;
  /** Before attempt 1, 2, 3 … of a reconnection. */
  backoffMs(attempt: number): number;
  /** How long the user's no to a client holds. */
  refusalMs: number;
  /** How long a question waits for the user. */
  approvalMs: number;
  /** How long the keychain may take to show that it works. */
  keychainProbeMs: number;
  /** How far behind the activity log its newest hash may be kept. */
  anchorMs: number;
  /** How long activity is kept. */
  activityDays: number;
  /** Between two attempts to store log entries that a full disk did not take. */
  logRetryMs: number;
  /** How long calls and drivers may take to end before log and storage close without them. */
  closeMs: number;
}

export const defaultTiming: Timing = {
  healthMs: 30_000,
  healthTimeoutMs: 15_000,
  connectMs: 30_000,
  loadMs: 30_000,
  clientIdleMs: 300_000,
  backoffMs: (attempt) => Math.min(2 ** attempt, 120) * 1000,
  refusalMs: 60_000,
  approvalMs: 300_000,
  keychainProbeMs: 5_000,
  anchorMs: 1_000,
  activityDays: 90,
  logRetryMs: 5_000,
  closeMs: 900,
};
