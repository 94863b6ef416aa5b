import type { Core } from '@trestle/core';
import type { LimitValues } from './limits.ts';

export interface ServerLimits extends LimitValues {
  maxBodyBytes: number;
  maxSockets: number;
}

/** As the settings have them now: a change counts from the next request on. */
export function readLimits(core: Core): ServerLimits {
  return { ...defaults, ...pick(core.settings.get() as Partial<ServerLimits>) };
}

const defaults: ServerLimits = {
  requestsPerMinute: 1_200,
  concurrentRequests: 16,
  maxBodyBytes: 10 * 1024 * 1024,
  maxSockets: 256,
};

function pick(values: Partial<ServerLimits>): Partial<ServerLimits> {
  const entries = Object.keys(defaults).map((key) => [key, values[key as keyof ServerLimits]] as const);
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'number'));
}
