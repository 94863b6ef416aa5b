export interface Timing {
  /** The time between two scheduled health checks. */
  healthMs: number;
  /** How long a health check may take. */
  healthTimeoutMs: number;
  /** How long a driver may take to connect. */
  connectMs: number;
  /** How long a driver may take to load during its install. */
  loadMs: number;
  /** How long a serial driver's second process, for external clients, stays open without a call. */
  clientIdleMs: number;
  /** How long to wait before attempt 1, 2, 3 … to reconnect. */
  backoffMs(attempt: number): number;
  /** How long the user's refusal of a client holds. */
  refusalMs: number;
  /** How long the rows that a client writes count. */
  budgetMs: number;
  /** How long a question waits for the user. */
  approvalMs: number;
  /** How long a question that no window could show waits for an answer at a terminal. */
  leftQuestionMs: number;
  /** How long the test of the keychain may take. */
  keychainProbeMs: number;
  /** How long the anchor of the activity log may be behind the log (`anchor.ts`). */
  anchorMs: number;
  /** How long activity is kept. The size limit of the log may remove it earlier. */
  activityDays: number;
  /** The time between two attempts to store log entries that could not be stored. */
  logRetryMs: number;
  /** How long closing waits for calls and drivers before it closes the log and the storage. */
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
  budgetMs: 3_600_000,
  approvalMs: 300_000,
  leftQuestionMs: 600_000,
  keychainProbeMs: 5_000,
  anchorMs: 1_000,
  activityDays: 90,
  logRetryMs: 5_000,
  closeMs: 900,
};
