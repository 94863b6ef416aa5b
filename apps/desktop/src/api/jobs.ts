import { z } from 'zod';
import { procedure, router } from './trpc.ts';

const one = z.strictObject({ id: z.string() });
const words = z.string().max(500);

const titles = {
  map: (table: string) => `Map ${table}`,
  neighbours: (table: string) => `Compare the rows of ${table}`,
  judging: (table: string) => `Judge searches in ${table}`,
};

export const jobProcedures = router({
  list: procedure.query(({ ctx }) => ctx.core.jobs.list()),
  get: procedure.input(one).query(({ ctx, input }) => ctx.core.jobs.get(input.id)),
  cancel: procedure.input(one).mutation(({ ctx, input }) => ctx.core.jobs.cancel(input.id)),
  /** Without an id: all jobs that have ended. */
  forget: procedure.input(one.partial()).mutation(({ ctx, input }) => ctx.core.jobs.forget(input.id)),
  /** Lists work that a window does. It ends with the window's page. */
  hold: procedure
    .input(
      z.strictObject({
        page: z.string(),
        kind: z.enum(['map', 'neighbours', 'judging']),
        connectionId: z.string(),
        table: z.string(),
      }),
    )
    .mutation(({ ctx: { core, pages }, input: { page, ...place } }) => {
      // The next map of a table takes the place of the last one in the list.
      for (const { id, kind, connectionId, table, outcome } of core.jobs.list())
        if (outcome && kind === place.kind && connectionId === place.connectionId && table === place.table)
          core.jobs.forget(id);
      const title = titles[place.kind](place.table);
      const lost = { how: 'cancelled', words: 'The window was closed' } as const;
      const id = core.jobs.hold({ ...place, title, detail: () => null }, lost);
      core.jobs.attend(id, pages.goneSignal(page));
      return id;
    }),
  /** Returns false if the window must stop. */
  report: procedure
    .input(one.extend({ done: z.number(), total: z.number().nullable(), words }))
    .mutation(({ ctx, input: { id, ...progress } }) => ctx.core.jobs.report(id, progress)),
  end: procedure
    .input(one.extend({ how: z.enum(['complete', 'cancelled', 'failed']), words }))
    .mutation(({ ctx, input: { id, ...outcome } }) => ctx.core.jobs.end(id, outcome)),
});
