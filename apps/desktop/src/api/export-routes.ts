import { randomUUID } from 'node:crypto';
import {
  appErrorDetails,
  type Core,
  type DataAccess,
  type ExportFormat,
  exportFormats,
  exportWriter,
  type InexactColumn,
  inexactValues,
  inexactWords,
  isAppError,
  unsureColumns,
} from '@trestle/core';
import type { RowSet } from '@trestle/driver-kit';
import { Hono } from 'hono';
import { z } from 'zod';
import { access } from './access.ts';
import type { AppInfo } from './app-info.ts';
import type { Downloads } from './downloads.ts';
import { ExportJob } from './export-job.ts';
import { type ExportedRows, exportSource } from './export-source.ts';
import { fileName } from './file-name.ts';
import { browseRequest, computedColumns, countRequest, exportedKeys } from './schemas.ts';
import { refuse, unpackBody } from './wire-body.ts';

const exportBody = z.strictObject({
  connectionId: z.string(),
  request: countRequest.extend({ columns: z.array(z.string()).min(1), sort: browseRequest.shape.sort }),
  rows: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('all') }),
    z.strictObject({
      kind: z.literal('keys'),
      keys: exportedKeys,
      computed: computedColumns.optional(),
    }),
    z.strictObject({
      kind: z.literal('page'),
      limit: browseRequest.shape.limit,
      offset: browseRequest.shape.offset,
    }),
  ]),
  format: z.enum(exportFormats),
  escapeFormulas: z.boolean(),
  /** The user has seen which values the file will not keep. */
  isInexactKnown: z.boolean().optional(),
});

export type ExportBody = z.input<typeof exportBody>;
export type { ExportProgress } from './export-job.ts';

/** An export that nobody fetches ends after this time. The outcome of an ended export stays for at least this time. */
const keptMs = 60_000;

/**
 * An export in two steps, so that the browser itself writes the file, however large. `POST /` starts the export and
 * answers with its id and the path of the file. Then the browser downloads that path. Meanwhile, the window asks
 * `GET /<id>/progress` how far the export is.
 */
export function exportRoutes(core: Core, downloads: Downloads, report: AppInfo['reportError']): Hono {
  const app = new Hono();
  const jobs = new Map<string, ExportJob>();

  const forgetLater = (id: string, job: ExportJob, wasOver = false) =>
    setTimeout(() => {
      if (wasOver) return void jobs.delete(id);
      const { state } = job.progress;
      if (state === 'waiting') job.cancel();
      // The export may have ended just now. Without the outcome, the window would show a complete export as failed.
      forgetLater(id, job, state !== 'running');
    }, keptMs).unref();

  app.post('/', async (context) => {
    const parsed = exportBody.safeParse(unpackBody(await context.req.arrayBuffer()));
    if (!parsed.success) {
      return refuse(400, { code: 'invalid_argument', message: z.prettifyError(parsed.error) });
    }
    const { connectionId, request, format, escapeFormulas } = parsed.data;
    const rows = parsed.data.rows as ExportedRows;
    const abort = new AbortController();
    const giveUp = () => abort.abort();
    context.req.raw.signal.addEventListener('abort', giveUp);
    const at = access(connectionId, abort.signal);
    const source = (columns = request.columns) =>
      exportSource(core.data, at, { request: { ...request, columns }, rows });
    const surveyed = await survey(core, at, parsed.data, source).catch((error: unknown) => {
      if (!isAppError(error)) throw error;
      return refuse(422, appErrorDetails(error));
    });
    if (surveyed instanceof Response) return surveyed;
    if (surveyed.length > 0 && !parsed.data.isInexactKnown)
      return Response.json({ inexact: inexactWords(surveyed, format) });
    const asText = surveyed.map(({ column }) => column);
    const job = new ExportJob({
      source: source(),
      writer: await exportWriter(format, { columns: request.columns, escapeFormulas, asText }),
      abort,
      report: (error) => report(error, context.req.path),
    });
    try {
      await job.begin();
    } catch (error) {
      if (!isAppError(error)) throw error;
      return refuse(422, appErrorDetails(error));
    } finally {
      context.req.raw.signal.removeEventListener('abort', giveUp);
    }
    const id = randomUUID();
    jobs.set(id, job);
    forgetLater(id, job);
    return Response.json({ id, file: downloads.offer(() => fileOf(job, parsed.data)) });
  });

  app.get('/:id/progress', (context) => {
    const job = jobs.get(context.req.param('id'));
    return job ? Response.json(job.progress) : context.text('There is no such export', 404);
  });

  app.post('/:id/cancel', (context) => {
    jobs.get(context.req.param('id'))?.cancel();
    return context.body(null, 204);
  });
  return app;
}

/** The values that the file would not keep. For CSV, they count only until the user knows them. */
async function survey(
  core: Core,
  at: DataAccess,
  { request, rows, format, isInexactKnown }: z.output<typeof exportBody>,
  source: (columns?: string[]) => AsyncIterable<RowSet>,
): Promise<InexactColumn[]> {
  if (format === 'json' || format === 'jsonl' || (format === 'csv' && isInexactKnown)) return [];
  const unsure = unsureColumns(format, request.columns, await core.data.describe(at, request.table));
  if (unsure.length === 0) return [];
  // Rows that the window shows may have columns that the table does not have.
  return inexactValues(rows.kind === 'all' ? source(unsure) : source(), format);
}

function fileOf(job: ExportJob, body: ExportBody): Response | null {
  const stream = job.stream();
  if (!stream) return null;
  return new Response(stream, {
    headers: {
      'content-type': mediaTypes[body.format],
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(nameOf(body))}`,
    },
  });
}

function nameOf({ request: { table, partition }, format }: ExportBody): string {
  return fileName(partition === undefined ? [table] : [table, partition], format);
}

const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
};
