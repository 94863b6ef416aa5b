import { z } from 'zod';
import { procedure, router } from './trpc.ts';

export const sampleProcedures = router({
  searches: procedure.query(({ ctx }) => ctx.app.sampleSearches()),
  querySets: procedure.query(({ ctx }) => ctx.app.sampleQuerySets()),
  reset: procedure
    .input(z.strictObject({ connectionId: z.string() }))
    .mutation(({ ctx, input }) => ctx.app.resetSample(input.connectionId)),
});
