import { recordChange, recordKey } from './schemas.ts';
import { procedure, router } from './trpc.ts';

/**
 * The state of the windows: tabs and layout. The app keeps this state, because the browser's storage
 * belongs to one origin, which changes with the app's port.
 */
export const recordProcedures = router({
  all: procedure.query(({ ctx }) => ctx.core.records.all()),
  get: procedure.input(recordKey).query(({ ctx, input }) => ctx.core.records.get(input)),
  /** How many rows of each table are staged. */
  staged: procedure.query(({ ctx }) => ctx.core.staged.counts()),
  write: procedure.input(recordChange).mutation(({ ctx, input }) => ctx.core.records.write(input)),
});
