import { z } from 'zod';
import { procedure, router } from './trpc.ts';

export const historyProcedures = router({
  search: procedure
    .input(
      z.strictObject({
        connectionIds: z.array(z.string()).optional(),
        text: z.string().optional(),
        limit: z.int().min(1).max(500),
        before: z.string().optional(),
      }),
    )
    .query(({ ctx, input }) => ctx.core.history.search(input)),
  /** How many old statements of this connection were removed because of the limits, and when last. Null if none. */
  removed: procedure.input(z.string()).query(({ ctx, input }) => ctx.core.removals.of('history', input)),
  remove: procedure.input(z.string()).mutation(({ ctx, input }) => ctx.core.history.remove(input)),
  clear: procedure
    .input(z.strictObject({ connectionId: z.string().optional() }))
    .mutation(({ ctx, input }) => ctx.core.history.clear(input.connectionId)),
});
