import { appErrorDetails, type Core, isAppError } from '@trestle/core';
import { packFrame, type RowSet } from '@trestle/driver-kit';
import { Hono } from 'hono';
import { z } from 'zod';
import { access } from './access.ts';
import { countRequest } from './schemas.ts';
import { refuse, unpackBody } from './wire-body.ts';

const body = z.strictObject({
  connectionId: z.string(),
  request: countRequest.extend({
    columns: z.array(z.string()),
    /** The columns that are requested as vectors. */
    vectors: z.array(z.string()).optional(),
    shortVectors: z.strictObject({ dimensions: z.int().min(1).max(4096), unit: z.boolean() }).optional(),
    /** Takes random rows instead of the first ones. */
    sample: z.boolean().optional(),
    /** The stream ends with the batch that reaches this many rows. */
    limit: z.int().min(1).max(100_000),
  }),
});

/** One part of the answer of `POST /data/rows`. A complete answer ends with `done` or `error`. */
export type RowFrame =
  | { rows: RowSet }
  | { done: true; more: boolean }
  | { error: ReturnType<typeof appErrorDetails> };

export type RowStreamBody = z.input<typeof body>;

/**
 * `POST /` streams given columns of the matching rows, up to a limit: the first rows in the database's order, or a
 * random sample. The vector map and Neighbours use it.
 */
export function rowStream(core: Core): Hono {
  const app = new Hono();
  app.post('/', async (context) => {
    const parsed = body.safeParse(unpackBody(await context.req.arrayBuffer()));
    if (!parsed.success) {
      return refuse(400, { code: 'invalid_argument', message: z.prettifyError(parsed.error) });
    }
    const { connectionId, request } = parsed.data;
    const { limit, sample, ...wanted } = request;
    const at = access(connectionId, context.req.raw.signal);
    const batches = sample
      ? core.data.sampleRows(at, { ...wanted, rows: limit })
      : core.data.exportRows(at, { ...wanted, sort: [] });
    return new Response(stream(framesOf(batches, { limit, sample: sample === true })), {
      headers: { 'content-type': 'application/octet-stream' },
    });
  });
  return app;
}

async function* framesOf(
  batches: AsyncIterable<RowSet>,
  { limit, sample }: { limit: number; sample: boolean },
): AsyncGenerator<RowFrame> {
  let sent = 0;
  try {
    for await (const rows of batches) {
      // Batches are sent whole, because cutting a batch costs more than a few extra rows. A batch after the limit is
      // not sent. It only shows that there are more rows. A sample usually has no batch after the limit. If a sample
      // reaches the limit, more rows are assumed.
      const isAfter = sent >= limit && rows.rowCount > 0;
      if (sent < limit) yield { rows };
      sent += rows.rowCount;
      if (isAfter || (sample && sent >= limit)) {
        yield { done: true, more: true };
        return;
      }
    }
    yield { done: true, more: false };
  } catch (error) {
    if (!isAppError(error)) throw error;
    yield { error: appErrorDetails(error) };
  }
}

function stream(frames: AsyncGenerator<RowFrame>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await frames.next();
      if (done) controller.close();
      else controller.enqueue(packFrame(value));
    },
    async cancel() {
      await frames.return(undefined);
    },
  });
}
