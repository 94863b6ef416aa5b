export { type DriverLink, NotSentError, openDriverLink } from './link.ts';
export type { DriverLinkOptions } from './options.ts';
export { UnansweredError } from './pending-calls.ts';
export { probeDriver, probeWall } from './probe.ts';
export { redactDetails, redactor } from './redact.ts';
export type { LinkSession } from './session.ts';
export type { LinkTiming } from './timing.ts';
export type { SecondWall } from './walls/second-wall.ts';
export { databaseIsLate, type LinkCall } from './watch-call.ts';
