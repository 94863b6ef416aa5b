import { z } from 'zod';
import { assertWholePaths, connectionFileOf, readConnectionFile } from './connection-file.ts';
import { connectionDraft } from './schemas.ts';
import { administer, procedure, router } from './trpc.ts';

export const connectionProcedures = router({
  list: procedure.query(({ ctx }) => ctx.core.connections.list()),
  drivers: procedure.query(({ ctx }) => ctx.core.drivers.known()),
  create: procedure
    .input(connectionDraft)
    .mutation(({ ctx, input }) => administer(ctx).createConnection(input)),
  update: procedure
    .input(z.strictObject({ id: z.string(), draft: connectionDraft }))
    .mutation(({ ctx, input }) => administer(ctx).updateConnection(input.id, input.draft)),
  remove: procedure.input(z.string()).mutation(({ ctx, input }) => administer(ctx).removeConnection(input)),
  /** The saved connections as a file for another Trestle, without secrets and samples. */
  exportFile: procedure.query(({ ctx }) => connectionFileOf(ctx.core.connections.list())),
  /** Imports the connections of a file, or with `dryRun` only returns what the import would change. */
  importFile: procedure
    .input(
      z.strictObject({ name: z.string().max(300), text: z.string().max(5_000_000), dryRun: z.boolean() }),
    )
    .mutation(({ ctx, input: { name, text, dryRun } }) => {
      const file = readConnectionFile(text, name);
      assertWholePaths(file, ctx.core.drivers.known());
      return administer(ctx).importConnections(file.connections, { replace: true, dryRun });
    }),
  reorder: procedure
    .input(z.array(z.string()))
    .mutation(({ ctx, input }) => ctx.core.connections.reorder(input)),
  test: procedure
    .input(
      z.strictObject({
        id: z.string().optional(),
        draft: connectionDraft,
        /** The id in the events about the test's progress. */
        testId: z.string().max(100).optional(),
      }),
    )
    .mutation(({ ctx, input: { id, draft, testId }, signal }) =>
      ctx.core.connections.test(draft, {
        id,
        onStage: (stage) => testId && ctx.core.events.emit({ type: 'testStage', testId, stage }),
        // A window that does not count as the person's may be controlled by a program. The program could change the
        // address and so send a stored key to its own server.
        secretsFor: ctx.window.isPerson() ? 'anyFields' : 'sameFields',
        signal: signal ?? new AbortController().signal,
      }),
    ),
});
