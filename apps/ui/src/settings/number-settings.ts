import type { Settings } from '../shared/api-types.ts';

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
  help: 'If another program has it, the system chooses one.',
  min: 1024,
  max: 65535,
};

/** What one client can ask of the server. */
export const mcpLimits: NumberSetting[] = [
  {
    key: 'mcpRequestsPerMinute',
    label: 'Requests a minute',
    help: 'For each token. Usually 1200.',
    min: 1,
    max: 1_000_000,
  },
  {
    key: 'mcpConcurrentRequests',
    label: 'Requests at once',
    help: 'For each token. Usually 16.',
    min: 1,
    max: 1000,
  },
  {
    key: 'mcpBodyMegabytes',
    label: 'Largest request in MB',
    help: 'Usually 10.',
    min: 1,
    max: 100,
  },
  {
    key: 'mcpSockets',
    label: 'Connections to the server',
    help: 'From all clients together that have shown a token. Usually 256.',
    min: 1,
    max: 10_000,
  },
  {
    key: 'mcpLockoutAttempts',
    label: 'Wrong tokens before a lockout',
    help: 'Usually 5. Clients that are already in go on.',
    min: 1,
    max: 100,
  },
  {
    key: 'mcpLockoutWindowSeconds',
    label: 'Counted within, in seconds',
    help: 'Usually 60.',
    min: 1,
    max: 3600,
  },
  {
    key: 'mcpLockoutSeconds',
    label: 'Lockout in seconds',
    help: 'Usually 300.',
    min: 1,
    max: 86_400,
  },
];

export function problemOf({ min, max }: NumberSetting, text: string): string | undefined {
  const value = Number(text);
  const isGood = /^\d+$/.test(text.trim()) && value >= min && value <= max;
  return isGood
    ? undefined
    : `A whole number between ${min.toLocaleString('en')} and ${max.toLocaleString('en')}`;
}
