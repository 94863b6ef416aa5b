import { z } from 'zod';
import { procedure, router } from './trpc.ts';

const never = () => new AbortController().signal;

export const pluginProcedures = router({
  installed: procedure.query(({ ctx }) => ctx.core.drivers.details()),
  listed: procedure.query(({ ctx }) => ctx.core.drivers.listed()),
  registry: procedure.query(({ ctx }) => ctx.core.drivers.registry()),
  refresh: procedure
    .input(z.strictObject({ force: z.boolean() }))
    .mutation(({ ctx, input, signal }) =>
      ctx.core.drivers.refresh({ signal: signal ?? never(), force: input.force }),
    ),
  /** Closing the page does not stop an install, because another window may show the same install. */
  install: procedure
    .input(z.string())
    .mutation(({ ctx, input }) => ctx.core.drivers.install(input, { signal: never() })),
  remove: procedure.input(z.string()).mutation(({ ctx, input }) => ctx.core.drivers.remove(input)),
  installFile: procedure
    .input(z.string())
    .mutation(({ ctx, input }) => ctx.core.drivers.installFromFile(input, { signal: never() })),
  useRegistry: procedure
    .input(z.string().nullable())
    .mutation(({ ctx, input }) => ctx.core.drivers.useRegistry(input)),
  confirmRegistry: procedure
    .input(z.string())
    .mutation(({ ctx, input }) => ctx.core.drivers.confirmRegistry(input)),
});
