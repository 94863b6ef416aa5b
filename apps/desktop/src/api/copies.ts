import { z } from 'zod';
import { administer, procedure, router } from './trpc.ts';

const place = z.strictObject({ connectionId: z.string(), table: z.string() });

export const copyProcedures = router({
  begin: procedure
    .input(z.strictObject({ from: place, to: place, goOn: z.boolean() }))
    .mutation(({ ctx, input }) => administer(ctx).beginCopy(input)),
});
