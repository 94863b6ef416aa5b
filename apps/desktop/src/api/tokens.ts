import { z } from 'zod';
import { tokenDraft } from './schemas.ts';
import { administer, procedure, router } from './trpc.ts';

export const tokenProcedures = router({
  list: procedure.query(({ ctx }) => ctx.core.tokens.list()),
  create: procedure.input(tokenDraft).mutation(({ ctx, input }) => administer(ctx).createToken(input)),
  revoke: procedure.input(z.string()).mutation(({ ctx, input }) => administer(ctx).revokeToken(input)),
  remove: procedure.input(z.string()).mutation(({ ctx, input }) => administer(ctx).removeToken(input)),
});
