import { z } from 'zod';
import { connectionDraft } from './schemas.ts';
import { procedure, router } from './trpc.ts';

export const connectionProcedures = router({
  list: procedure.query(({ ctx }) => ctx.core.connections.list()),
  drivers: procedure.query(({ ctx }) => ctx.core.drivers.known()),
  create: procedure.input(connectionDraft).mutation(({ ctx, input }) => ctx.core.connections.create(input)),
  update: procedure
    .input(z.strictObject({ id: z.string(), draft: connectionDraft }))
    .mutation(({ ctx, input }) => ctx.core.connections.update(input.id, input.draft)),
  remove: procedure.input(z.string()).mutation(({ ctx, input }) => ctx.core.connections.remove(input)),
  reorder: procedure
    .input(z.array(z.string()))
    .mutation(({ ctx, input }) => ctx.core.connections.reorder(input)),
  test: procedure
    .input(z.strictObject({ id: z.string().optional(), draft: connectionDraft }))
    .mutation(({ ctx, input, signal }) =>
      ctx.core.connections.test(input.draft, {
        id: input.id,
        signal: signal ?? new AbortController().signal,
      }),
    ),
});
