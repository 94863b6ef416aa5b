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
import type { CountRequest, RowSet } from '@trestle/driver-kit';
import { Hono } from 'hono';
import { z } from 'zod';
import { access } from './access.ts';
import type { Downloads } from './downloads.ts';
import { type ExportedRows, exportSource } from './export-source.ts';
import { amountWords, ExportStream } from './export-stream.ts';
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

/** An export that nobody fetches is cancelled after this time. */
const keptMs = 60_000;

/**
 * An export in two steps, so that the browser itself writes the file, however large. `POST /` starts the export and
 * answers with the id of its job and the path of the file. Then the browser downloads that path.
 */
export function exportRoutes(core: Core, downloads: Downloads): Hono {
  const app = new Hono();
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
    let total: number | null = rows.kind === 'keys' ? rows.keys.length : null;
    let done = 0;
    const stream = new ExportStream({
      source: source(),
      writer: await exportWriter(format, { columns: request.columns, escapeFormulas, asText }),
      abort,
      onRows(now) {
        done = now;
        report();
      },
    });
    let report = () => {};
    try {
      await stream.begin();
    } catch (error) {
      if (!isAppError(error)) throw error;
      return refuse(422, appErrorDetails(error));
    } finally {
      context.req.raw.signal.removeEventListener('abort', giveUp);
    }
    const { table, partition, filters, match } = request;
    if (rows.kind === 'all') {
      const counted = { table, filters, match, ...(partition !== undefined && { partition }) };
      // Without the total, the count so far is still shown.
      core.data.count(at, counted as CountRequest).then(
        (count) => {
          total = count;
        },
        () => {},
      );
    }
    const { id } = core.jobs.run(
      { kind: 'export', title: `Export ${table}`, connectionId, table, detail: () => null },
      (job) => {
        job.signal.addEventListener('abort', () => stream.cancel(), { once: true });
        report = () => {
          const words =
            total === null ? amountWords(done) : `${done.toLocaleString('en')} of ${amountWords(total)}`;
          job.report({ done, total, words });
        };
        report();
        return stream.over.finally(() => job.report({ done, total, words: '' }));
      },
    );
    setTimeout(() => stream.isWaiting && stream.cancel(), keptMs).unref();
    return Response.json({ id, file: downloads.offer(() => fileOf(stream, parsed.data)) });
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

function fileOf(stream: ExportStream, body: ExportBody): Response | null {
  const bytes = stream.stream();
  if (!bytes) return null;
  return new Response(bytes, {
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
