import { appErrorDetails, type Core, isAppError, type SaveFrame } from '@trestle/core';
import { packFrame } from '@trestle/driver-kit';
import { Hono } from 'hono';
import { z } from 'zod';
import { changeSet } from './schemas.ts';
import { refuse, unpackBody } from './wire-body.ts';

const saveId = z.uuid();
const saveBody = z.strictObject({ id: saveId, connectionId: z.string(), request: changeSet });
const cancelBody = z.strictObject({ id: saveId });

/**
 * `POST /` with `packWire({ id, connectionId, request })` saves staged changes. The answer is a stream of frames:
 * `{ started: true }`, and at the end of the save `{ done: true }` or `{ error }`. An error without `started`: nothing
 * was sent. The outcomes are in the staged edits.
 * The window chooses the id. After `POST /cancel` with `packWire({ id })`, or if the window closes, no more rows are
 * sent. The outcomes of sent rows are still recorded.
 */
export function saveRoutes(core: Core): Hono {
  const app = new Hono();
  app.post('/', async (context) => {
    const parsed = saveBody.safeParse(unpackBody(await context.req.arrayBuffer()));
    if (!parsed.success) {
      return refuse(400, { code: 'invalid_argument', message: z.prettifyError(parsed.error) });
    }
    const { id, connectionId, request } = parsed.data;
    const { changes, ...place } = request;
    try {
      const frames = core.staged.save({ connectionId, ...place }, { id, changes });
      const { signal } = context.req.raw;
      const onGone = () => core.staged.cancel(id);
      signal.addEventListener('abort', onGone, { once: true });
      if (signal.aborted) onGone();
      return new Response(framed(frames, onGone), {
        headers: { 'content-type': 'application/octet-stream' },
      });
    } catch (error) {
      if (!isAppError(error)) throw error;
      return refuse(422, appErrorDetails(error));
    }
  });
  app.post('/cancel', async (context) => {
    const parsed = cancelBody.safeParse(unpackBody(await context.req.arrayBuffer()));
    if (!parsed.success) {
      return refuse(400, { code: 'invalid_argument', message: z.prettifyError(parsed.error) });
    }
    core.staged.cancel(parsed.data.id);
    return context.body(null, 204);
  });
  return app;
}

function framed(frames: AsyncIterable<SaveFrame>, onGone: () => void): ReadableStream<Uint8Array> {
  const source = frames[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(packFrame(value));
    },
    cancel: onGone,
  });
}
