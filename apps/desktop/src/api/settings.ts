import { z } from 'zod';
import { administer, procedure, router } from './trpc.ts';

const settingsPatch = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).optional(),
  density: z.enum(['compact', 'normal', 'comfortable']).optional(),
  mcpEnabled: z.boolean().optional(),
  mcpPort: z.int().min(1024).max(65535).optional(),
  statementTimeoutSeconds: z.int().min(1).max(300).optional(),
  pageSize: z.union([z.literal(100), z.literal(200), z.literal(500), z.literal(1000)]).optional(),
  // The core checks the bounds of the numbers below.
  mcpRequestsPerMinute: z.int().optional(),
  mcpConcurrentRequests: z.int().optional(),
  mcpLockoutAttempts: z.int().optional(),
  mcpLockoutWindowSeconds: z.int().optional(),
  mcpLockoutSeconds: z.int().optional(),
  mcpBodyMegabytes: z.int().optional(),
  mcpSockets: z.int().optional(),
  mcpReachPerHour: z.int().optional(),
  mcpNewRowsPerHour: z.int().optional(),
  historyEntries: z.int().optional(),
  historyMegabytes: z.int().optional(),
  activityMegabytes: z.int().optional(),
  exportsMegabytes: z.int().optional(),
  logsMegabytes: z.int().optional(),
  mapsMegabytes: z.int().optional(),
});

export const settingsProcedures = router({
  get: procedure.query(({ ctx }) => ctx.core.settings.get()),
  update: procedure.input(settingsPatch).mutation(({ ctx, input }) => administer(ctx).updateSettings(input)),
});
