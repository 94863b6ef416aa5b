import type { Core } from '@trestle/core';
import type { LockoutValues } from './auth/lockout.ts';
import type { LimitValues } from './limits.ts';

interface ServerLimits extends LimitValues, LockoutValues {
  maxBodyBytes: number;
  maxSockets: number;
}

/** The current settings. A change applies without a restart. */
export function readLimits(core: Core): ServerLimits {
  const settings = core.settings.get();
  return {
    requestsPerMinute: settings.mcpRequestsPerMinute,
    concurrentRequests: settings.mcpConcurrentRequests,
    maxFailures: settings.mcpLockoutAttempts,
    windowMs: settings.mcpLockoutWindowSeconds * 1000,
    lockMs: settings.mcpLockoutSeconds * 1000,
    maxBodyBytes: settings.mcpBodyMegabytes * 1024 * 1024,
    maxSockets: settings.mcpSockets,
  };
}
