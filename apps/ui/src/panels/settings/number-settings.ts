import type { Settings } from '../../data/api/api-types.ts';

type NumberKey = {
  [Key in keyof Settings]: Settings[Key] extends number ? Key : never;
}[keyof Settings];

export interface NumberSetting {
  key: NumberKey;
  label: string;
  help: string;
  min: number;
  max: number;
}

export const statementTimeout: NumberSetting = {
  key: 'statementTimeoutSeconds',
  label: 'Statement timeout in seconds',
  help: 'A statement that takes longer is stopped.',
  min: 1,
  max: 300,
};

export const mcpPort: NumberSetting = {
  key: 'mcpPort',
  label: 'Preferred port',
  help: 'If another program uses this port, the system chooses a different port.',
  min: 1024,
  max: 65535,
};

/** The limits of the MCP server. */
export const mcpLimits: NumberSetting[] = [
  {
    key: 'mcpRequestsPerMinute',
    label: 'Requests a minute',
    help: 'For each token or bridge process. Default: 1200.',
    min: 1,
    max: 1_000_000,
  },
  {
    key: 'mcpConcurrentRequests',
    label: 'Requests at once',
    help: 'For each token or bridge process. Default: 16.',
    min: 1,
    max: 1000,
  },
  {
    key: 'mcpBodyMegabytes',
    label: 'Largest request in MB',
    help: 'Default: 10.',
    min: 1,
    max: 100,
  },
  {
    key: 'mcpSockets',
    label: 'Connections to the server',
    help: 'From all authenticated clients together. Default: 256.',
    min: 1,
    max: 10_000,
  },
  {
    key: 'mcpReachPerHour',
    label: 'Changed or deleted rows an hour',
    help: 'As a multiple of the connection’s reach limit. Beyond it, Trestle asks you. For each token, or all bridge processes together. Default: 10.',
    min: 1,
    max: 1_000,
  },
  {
    key: 'mcpNewRowsPerHour',
    label: 'New rows an hour',
    help: 'Beyond it, Trestle asks you. For each connection and token, or all bridge processes together. Default: 100,000.',
    min: 1,
    max: 1_000_000_000,
  },
  {
    key: 'mcpLockoutAttempts',
    label: 'Wrong tokens before a lockout',
    help: 'Default: 5. Connected clients are not affected.',
    min: 1,
    max: 100,
  },
  {
    key: 'mcpLockoutWindowSeconds',
    label: 'Window for wrong tokens in seconds',
    help: 'Default: 60.',
    min: 1,
    max: 3600,
  },
  {
    key: 'mcpLockoutSeconds',
    label: 'Lockout in seconds',
    help: 'Default: 300.',
    min: 1,
    max: 86_400,
  },
];

/**
 * Limits for data that Trestle stores automatically, such as the history. At a limit, Trestle deletes the oldest
 * entries or files, or the least recently used vector maps.
 */
export const keptLimits: NumberSetting[] = [
  {
    key: 'historyMegabytes',
    label: 'History in MB',
    help: 'For all connections together. Default: 100.',
    min: 1,
    max: 100_000,
  },
  {
    key: 'historyEntries',
    label: 'Statements for each connection',
    help: 'Default: 10,000. The first 65,536 characters of a statement are stored.',
    min: 10,
    max: 1_000_000,
  },
  {
    key: 'activityMegabytes',
    label: 'Activity of AI clients in MB',
    help: 'Default: 200. Nothing is kept longer than 90 days.',
    min: 1,
    max: 100_000,
  },
  {
    key: 'exportsMegabytes',
    label: 'Exports of AI clients in MB',
    help: 'Default: 2,000. A larger export is stopped.',
    min: 1,
    max: 10_000_000,
  },
  {
    key: 'mapsMegabytes',
    label: 'Vector maps in MB',
    help: 'Default: 200. A map that would take more than half of the limit is not kept.',
    min: 1,
    max: 100_000,
  },
  {
    key: 'logsMegabytes',
    label: 'Trestle’s own log in MB',
    help: 'Default: 20.',
    min: 1,
    max: 100_000,
  },
];

export function problemOf({ min, max }: NumberSetting, text: string): string | undefined {
  const value = Number(text);
  const isGood = /^\d+$/.test(text.trim()) && value >= min && value <= max;
  return isGood
    ? undefined
    : `A whole number between ${min.toLocaleString('en')} and ${max.toLocaleString('en')}`;
}
