import { z } from 'zod';
import { procedure, router } from './trpc.ts';

const one = z.strictObject({ id: z.string() });

export const jobProcedures = router({
  list: procedure.query(({ ctx }) => ctx.core.jobs.list()),
  get: procedure.input(one).query(({ ctx, input }) => ctx.core.jobs.get(input.id)),
  cancel: procedure.input(one).mutation(({ ctx, input }) => ctx.core.jobs.cancel(input.id)),
  /** Without an id: all jobs that have ended. */
  forget: procedure.input(one.partial()).mutation(({ ctx, input }) => ctx.core.jobs.forget(input.id)),
});
