import { z } from 'zod';
import { access } from './access.ts';
import { procedure, router } from './trpc.ts';

export const sessionProcedures = router({
  statuses: procedure.query(({ ctx }) => ctx.core.sessions.statuses()),
  open: procedure
    .input(z.string())
    .mutation(({ ctx, input, signal }) => ctx.core.sessions.open(access(input, signal))),
  close: procedure.input(z.string()).mutation(({ ctx, input }) => ctx.core.sessions.close(input)),
});
