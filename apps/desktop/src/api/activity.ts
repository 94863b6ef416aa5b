import type { ActivityEntry } from '@trestle/core';
import { z } from 'zod';
import { activityFilter } from './schemas.ts';
import { procedure, router } from './trpc.ts';

/** The activity log: calls of clients and acts of administration. Its CSV is a download: see activity-csv.ts. */
export const activityProcedures = router({
  list: procedure
    .input(activityFilter.extend({ limit: z.int().min(1).max(500), before: z.int().optional() }))
    .query(({ ctx, input }) => ctx.core.activity.list(input)),
  /** Names for the filter, from the newest rows. */
  names: procedure.query(({ ctx }) => {
    const rows = ctx.core.activity.list({ limit: lookBack });
    return {
      tokens: distinct(rows, ({ tokenName }) => tokenName),
      clients: distinct(rows, ({ clientName }) => clientName),
      actions: distinct(rows, ({ action }) => action),
    };
  }),
  /** How many old entries and exported files the limits removed, and when they last did. Null if they removed none. */
  removed: procedure.query(({ ctx }) => ({
    activity: ctx.core.removals.of('activity'),
    exports: ctx.core.removals.of('exports'),
  })),
  verify: procedure.mutation(({ ctx }) => ctx.core.activity.verify()),
});

/** How many rows `names` reads. Reading them takes a few milliseconds. The text filter also finds older names. */
const lookBack = 2_000;

function distinct(rows: ActivityEntry[], of: (row: ActivityEntry) => string | null): string[] {
  return [...new Set(rows.map(of).filter((name) => name !== null))].sort((a, b) => a.localeCompare(b));
}
