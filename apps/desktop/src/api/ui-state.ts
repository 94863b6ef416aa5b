import { z } from 'zod';
import { procedure, router } from './trpc.ts';

const key = z.string().max(200);

/** What the window remembers: tabs, widths, staged edits. The browser's own storage is per origin and port. */
export const uiStateProcedures = router({
  get: procedure.input(key).query(({ ctx, input }) => ctx.core.uiState.get(input) ?? null),
  set: procedure
    .input(z.strictObject({ key, value: z.json() }))
    .mutation(({ ctx, input }) => ctx.core.uiState.set(input.key, input.value)),
});
