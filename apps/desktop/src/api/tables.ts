import { z } from 'zod';
import { access } from './access.ts';
import { countRequest } from './schemas.ts';
import { procedure, router } from './trpc.ts';

const inConnection = z.strictObject({ connectionId: z.string() });
const ofTable = inConnection.extend({ table: z.string() });

export const tableProcedures = router({
  list: procedure
    .input(inConnection)
    .query(({ ctx, input, signal }) => ctx.core.data.tables(access(input.connectionId, signal))),
  describe: procedure
    .input(ofTable)
    .query(({ ctx, input, signal }) =>
      ctx.core.data.describe(access(input.connectionId, signal), input.table),
    ),
  partitions: procedure
    .input(ofTable)
    .query(({ ctx, input, signal }) =>
      ctx.core.data.partitions(access(input.connectionId, signal), input.table),
    ),
  structure: procedure
    .input(ofTable)
    .query(({ ctx, input, signal }) =>
      ctx.core.data.structure(access(input.connectionId, signal), input.table),
    ),
  activatePartition: procedure
    .input(ofTable.extend({ partition: z.string() }))
    .mutation(({ ctx, input: { connectionId, ...request }, signal }) =>
      ctx.core.data.activatePartition(access(connectionId, signal), request),
    ),
  count: procedure
    .input(inConnection.extend({ request: countRequest }))
    .query(({ ctx, input, signal }) =>
      ctx.core.data.count(access(input.connectionId, signal), input.request),
    ),
  editorSchema: procedure
    .input(inConnection)
    .query(({ ctx, input, signal }) => ctx.core.data.editorSchema(access(input.connectionId, signal))),
  classify: procedure
    .input(inConnection.extend({ text: z.string() }))
    .query(({ ctx, input, signal }) =>
      ctx.core.data.classify(access(input.connectionId, signal), input.text),
    ),
  /** Counts the rows that a statement would change or delete. */
  measure: procedure
    .input(inConnection.extend({ text: z.string() }))
    .query(({ ctx, input, signal }) => ctx.core.data.measure(access(input.connectionId, signal), input.text)),
});
