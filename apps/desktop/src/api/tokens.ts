import { z } from 'zod';
import { tokenDraft } from './schemas.ts';
import { procedure, router } from './trpc.ts';

export const tokenProcedures = router({
  list: procedure.query(({ ctx }) => ctx.core.tokens.list()),
  create: procedure.input(tokenDraft).mutation(({ ctx, input }) => ctx.core.tokens.create(input)),
  revoke: procedure.input(z.string()).mutation(({ ctx, input }) => ctx.core.tokens.revoke(input)),
  remove: procedure.input(z.string()).mutation(({ ctx, input }) => ctx.core.tokens.remove(input)),
});
