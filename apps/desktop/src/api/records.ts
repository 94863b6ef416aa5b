import { z } from 'zod';
import { procedure, router } from './trpc.ts';

// Holds the name of a table, which may be long.
const key = z.string().max(5_000);

/** The windows' memory: tabs, layout, staged edits. The browser's own storage is per origin and port. */
export const recordProcedures = router({
  all: procedure.query(({ ctx }) => ctx.core.records.all()),
  get: procedure.input(key).query(({ ctx, input }) => ctx.core.records.get(input)),
  write: procedure
    .input(
      z.strictObject({ key, version: z.int().min(0), value: z.json(), connectionId: z.string().optional() }),
    )
    .mutation(({ ctx, input }) => ctx.core.records.write(input)),
});
