import { procedure, router } from './trpc.ts';

export const clientProcedures = router({
  /** Clients that are connected, or that called since the app started. Most recent first. */
  list: procedure.query(({ ctx }) => ctx.app.clients()),
});
