import { z } from 'zod';
import { administer, procedure, router } from './trpc.ts';

/** `impossible`: a program may control this window, and no passphrase is set that a person could type. */
type Allowing = 'nothing' | 'passphrase' | 'impossible';

/**
 * Questions to the user about calls of clients. These procedures are not part of MCP. In a window that a program may
 * control, `answer` accepts only a refusal.
 */
export const approvalProcedures = router({
  pending: procedure.query(({ ctx }) => ctx.core.approvals.pending()),
  /** The approvals that are valid now. An `allowOnce` is not listed. */
  granted: procedure.query(({ ctx }) => ctx.core.approvals.granted()),
  /** The means that this window needs to allow a question. A refusal needs none. */
  allowing: procedure.query(async ({ ctx }): Promise<Allowing> => {
    if (ctx.window.isPerson()) return 'nothing';
    return (await ctx.core.passphrase.isSet()) ? 'passphrase' : 'impossible';
  }),
  withdraw: procedure.input(z.string()).mutation(({ ctx, input }) => administer(ctx).withdrawApproval(input)),
  answer: procedure
    .input(z.strictObject({ id: z.string(), answer: z.enum(['allow', 'allowOnce', 'refuse']) }))
    .mutation(({ ctx, input }) => administer(ctx).answer(input.id, input.answer)),
});
