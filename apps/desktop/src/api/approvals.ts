import { z } from 'zod';
import { administer, procedure, router } from './trpc.ts';

/**
 * Questions to the user about calls of clients. These procedures are not part of MCP. `answer` refuses a window that a
 * program may control.
 */
export const approvalProcedures = router({
  pending: procedure.query(({ ctx }) => ctx.core.approvals.pending()),
  /** The approvals that are valid now. An `allowOnce` is not listed. */
  granted: procedure.query(({ ctx }) => ctx.core.approvals.granted()),
  withdraw: procedure.input(z.string()).mutation(({ ctx, input }) => administer(ctx).withdrawApproval(input)),
  answer: procedure
    .input(z.strictObject({ id: z.string(), answer: z.enum(['allow', 'allowOnce', 'refuse']) }))
    .mutation(({ ctx, input }) => administer(ctx).answer(input.id, input.answer)),
});
