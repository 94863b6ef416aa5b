import { z } from 'zod';
import { procedure, router } from './trpc.ts';

export const sampleProcedures = router({
  reset: procedure
    .input(z.strictObject({ connectionId: z.string() }))
    .mutation(({ ctx, input }) => ctx.app.resetSample(input.connectionId)),
});
