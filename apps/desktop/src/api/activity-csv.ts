import type { Core } from '@trestle/core';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Downloads } from './downloads.ts';
import { activityFilter } from './schemas.ts';

/** `POST /activity.csv` with a filter answers with the path from which the browser downloads the file. */
export function activityCsvRoute(core: Core, downloads: Downloads): Hono {
  const app = new Hono();
  app.post('/activity.csv', async (context) => {
    const parsed = activityFilter.safeParse(await context.req.json().catch(() => undefined));
    if (!parsed.success) {
      const error = { code: 'invalid_argument', message: z.prettifyError(parsed.error) };
      return Response.json({ error }, { status: 400 });
    }
    return Response.json({ file: downloads.offer(() => csvOf(core, parsed.data)) });
  });
  return app;
}

function csvOf(core: Core, filter: z.infer<typeof activityFilter>): Response {
  return new Response(streamOf(core.activity.exportCsv(filter)), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="trestle-activity-${new Date().toISOString().slice(0, 10)}.csv"`,
    },
  });
}

/** Reads the log only as fast as the browser downloads, because a long log would need much memory. */
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
