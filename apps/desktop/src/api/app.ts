import { z } from 'zod';
import { spaceUse } from '../space.ts';
import { procedure, router } from './trpc.ts';

export const appProcedures = router({
  info: procedure.query(({ ctx }) => ({
    version: ctx.app.version,
    dataDirectory: ctx.app.dataDirectory,
    secrets: ctx.core.secrets,
    mcp: ctx.app.mcp(),
    logProblem: ctx.core.activity.problem(),
    damage: ctx.core.damage.unread(),
  })),
  dismissDamage: procedure.mutation(({ ctx }) => ctx.core.damage.dismiss()),
  /** After the passphrase was typed in a window from a printed link, the window counts as the person's. */
  unlock: procedure
    .input(z.strictObject({ passphrase: z.string().max(1000) }))
    .mutation(async ({ ctx, input }) => {
      await ctx.core.passphrase.verify(input.passphrase);
      ctx.window.unlock();
    }),
  clearMaps: procedure.mutation(({ ctx }) => ctx.core.maps.clear()),
  space: procedure.query(({ ctx }) => spaceUse(ctx.core, ctx.app.dataDirectory)),
  tryPreferredMcpPort: procedure.mutation(({ ctx }) => ctx.app.tryPreferredMcpPort()),
  quit: procedure.mutation(({ ctx }) => {
    ctx.app.quit();
  }),
  endWindows: procedure.mutation(({ ctx }) => {
    // Delayed, so that the window that asked gets its answer before its key becomes invalid.
    setImmediate(() => ctx.app.endWindows());
  }),
});
