import type { Core } from '@trestle/core';
import { Hono } from 'hono';
import { z } from 'zod';
import { activityFilter } from './schemas.ts';

/** `GET /activity.csv?<filter>`: the browser itself writes the file. */
export function activityCsvRoute(core: Core): Hono {
  const app = new Hono();
  app.get('/activity.csv', (context) => {
    const parsed = activityFilter.safeParse(context.req.query());
    if (!parsed.success) {
      const error = { code: 'invalid_argument', message: z.prettifyError(parsed.error) };
      return Response.json({ error }, { status: 400 });
    }
    return new Response(streamOf(core.activity.exportCsv(parsed.data)), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="trestle-activity-${new Date().toISOString().slice(0, 10)}.csv"`,
      },
    });
  });
  return app;
}

/** Piece by piece, as the browser takes them: the log may be long. */
function streamOf(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const next = iterator.next();
      if (next.done) controller.close();
      else controller.enqueue(new TextEncoder().encode(next.value));
    },
    cancel: () => void iterator.return?.(),
  });
}
