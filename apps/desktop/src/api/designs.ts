import { z } from 'zod';
import { access } from './access.ts';
import { design, designSource, planRequest } from './schemas.ts';
import { administer, procedure, router } from './trpc.ts';

const inConnection = z.strictObject({ connectionId: z.string() });

export const designProcedures = router({
  form: procedure
    .input(inConnection)
    .query(({ ctx, input, signal }) => ctx.core.data.designForm(access(input.connectionId, signal))),
  read: procedure
    .input(inConnection.extend({ source: designSource }))
    .query(({ ctx, input, signal }) =>
      ctx.core.data.readDesign(access(input.connectionId, signal), input.source),
    ),
  /** Sends nothing that writes. */
  plan: procedure
    .input(inConnection.extend({ request: planRequest }))
    .query(({ ctx, input, signal }) =>
      ctx.core.data.planDesign(access(input.connectionId, signal), input.request),
    ),
  /** Returns the id of the job. */
  create: procedure
    .input(inConnection.extend({ design, statements: z.array(z.string()) }))
    .mutation(({ ctx, input: { connectionId, statements, ...made }, signal }) =>
      administer(ctx).beginAct(
        { connectionId, statements, act: { kind: 'create', ...made } },
        access(connectionId, signal).signal,
      ),
    ),
  change: procedure
    .input(
      inConnection.extend({
        ...{ table: z.string(), design, seen: z.string() },
        statements: z.array(z.string()),
      }),
    )
    .mutation(({ ctx, input: { connectionId, statements, ...changed }, signal }) =>
      administer(ctx).beginAct(
        { connectionId, statements, act: { kind: 'change', ...changed } },
        access(connectionId, signal).signal,
      ),
    ),
});
