import { recordChange, recordKey } from './schemas.ts';
import { procedure, router } from './trpc.ts';

/**
 * The state of the windows: tabs, layout, staged edits. The app keeps this state, because the browser's storage
 * belongs to one origin, which changes with the app's port.
 */
export const recordProcedures = router({
  all: procedure.query(({ ctx }) => ctx.core.records.all()),
  get: procedure.input(recordKey).query(({ ctx, input }) => ctx.core.records.get(input)),
  write: procedure.input(recordChange).mutation(({ ctx, input }) => ctx.core.records.write(input)),
});
