import { z } from 'zod';
import { procedure, router } from './trpc.ts';

export const tokenProcedures = router({
  list: procedure.query(({ ctx }) => ctx.core.tokens.list()),
  create: procedure
    .input(
      z.strictObject({
        name: z.string().trim().min(1, 'Give the token a name').max(100),
        permission: z.enum(['readOnly', 'readWrite', 'fullAccess']),
        allowlist: z.array(z.string()).nullable(),
        expiresAt: z.iso.datetime().nullable(),
      }),
    )
    .mutation(({ ctx, input }) => ctx.core.tokens.create(input)),
  revoke: procedure.input(z.string()).mutation(({ ctx, input }) => ctx.core.tokens.revoke(input)),
  remove: procedure.input(z.string()).mutation(({ ctx, input }) => ctx.core.tokens.remove(input)),
});
