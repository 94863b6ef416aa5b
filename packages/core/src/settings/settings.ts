import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import type { Storage } from '../storage/storage.ts';
import type { Settings, SettingsValues } from '../types.ts';

export const defaultSettings: SettingsValues = {
  theme: 'system',
  density: 'normal',
  mcpEnabled: true,
  mcpPort: 23508,
  statementTimeoutSeconds: 30,
  pageSize: 200,
  mcpRequestsPerMinute: 1200,
  mcpConcurrentRequests: 16,
  mcpLockoutAttempts: 5,
  mcpLockoutWindowSeconds: 60,
  mcpLockoutSeconds: 300,
  mcpBodyMegabytes: 10,
  mcpSockets: 256,
  mcpReachPerHour: 10,
  mcpNewRowsPerHour: 100_000,
  historyEntries: 10_000,
  historyMegabytes: 100,
  activityMegabytes: 200,
  exportsMegabytes: 2_000,
  logsMegabytes: 20,
  mapsMegabytes: 200,
};

export function createSettings(storage: Storage, events: EventHub): Settings {
  let values = read(storage);
  return {
    get: () => ({ ...values }),
    update(patch) {
      const parsed = patchSchema.safeParse(patch);
      if (!parsed.success) {
        throw new AppError({ code: 'invalid_argument', message: z.prettifyError(parsed.error) });
      }
      storage.transaction(() => {
        for (const [key, value] of Object.entries(parsed.data)) {
          if (value === undefined) continue;
          storage.run(
            'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
            key,
            JSON.stringify(value),
          );
        }
      });
      values = read(storage);
      events.emit({ type: 'settingsChanged', settings: { ...values } });
      return { ...values };
    },
  };
}

const shape = {
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['compact', 'normal', 'comfortable']),
  mcpEnabled: z.boolean(),
  mcpPort: z.int().min(1).max(65535),
  statementTimeoutSeconds: z.int().min(1).max(300),
  pageSize: z.int().min(1).max(1000),
  mcpRequestsPerMinute: z.int().min(1).max(1_000_000),
  mcpConcurrentRequests: z.int().min(1).max(1000),
  mcpLockoutAttempts: z.int().min(1).max(100),
  mcpLockoutWindowSeconds: z.int().min(1).max(3600),
  mcpLockoutSeconds: z.int().min(1).max(86_400),
  mcpBodyMegabytes: z.int().min(1).max(100),
  mcpSockets: z.int().min(1).max(10_000),
  mcpReachPerHour: z.int().min(1).max(1_000),
  mcpNewRowsPerHour: z.int().min(1).max(1_000_000_000),
  historyEntries: z.int().min(10).max(1_000_000),
  historyMegabytes: z.int().min(1).max(100_000),
  activityMegabytes: z.int().min(1).max(100_000),
  exportsMegabytes: z.int().min(1).max(10_000_000),
  logsMegabytes: z.int().min(1).max(100_000),
  mapsMegabytes: z.int().min(1).max(100_000),
} satisfies Record<keyof SettingsValues, z.ZodType>;

const patchSchema = z.strictObject(shape).partial();

/** A stored value that this version does not understand counts as unset. */
function read(storage: Storage): SettingsValues {
  const stored: Record<string, unknown> = {};
  for (const row of storage.all('SELECT key, value FROM settings')) {
    const schema = Object.hasOwn(shape, String(row.key)) ? shape[row.key as keyof SettingsValues] : undefined;
    const parsed = schema?.safeParse(JSON.parse(String(row.value)));
    if (parsed?.success) stored[String(row.key)] = parsed.data;
  }
  return { ...defaultSettings, ...stored };
}
