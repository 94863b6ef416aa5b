import { z } from 'zod';
import { administer, procedure, router } from './trpc.ts';

const place = z.strictObject({ connectionId: z.string(), table: z.string() });
const one = z.strictObject({ id: z.string() });

export const copyProcedures = router({
  list: procedure.query(({ ctx }) => ctx.core.copies.list()),
  begin: procedure
    .input(z.strictObject({ from: place, to: place, goOn: z.boolean() }))
    .mutation(({ ctx, input }) => administer(ctx).beginCopy(input)),
  progress: procedure.input(one).query(({ ctx, input }) => ctx.core.copies.progress(input.id)),
  cancel: procedure.input(one).mutation(({ ctx, input }) => ctx.core.copies.cancel(input.id)),
  forget: procedure.input(one).mutation(({ ctx, input }) => ctx.core.copies.forget(input.id)),
});
