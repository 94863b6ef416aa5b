import { procedure, router } from './trpc.ts';

export const clientProcedures = router({
  /** Those that are connected, or called since the app started; the latest first. */
  list: procedure.query(({ ctx }) => ctx.app.clients()),
});
