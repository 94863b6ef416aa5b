import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  AppError,
  appErrorDetails,
  byColumnName,
  type Core,
  checkFile,
  type InferredColumn,
  inferColumns,
  isAppError,
  jsonText,
  mapOfDesign,
  planImport,
  suggestMap,
  untypedNote,
} from '@trestle/core';
import type { Design, TableDescription } from '@trestle/driver-kit';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { access } from './access.ts';
import type { Downloads } from './downloads.ts';
import { fileName } from './file-name.ts';
import type { ImportFiles, KeptFile } from './import-files.ts';
import { importStarter } from './import-run.ts';
import { design } from './schemas.ts';
import { refuse } from './wire-body.ts';

const planBody = z.strictObject({
  id: z.uuid(),
  connectionId: z.string(),
  table: z.string(),
  /**
   * Maps the file's columns to the table's columns. Null leaves a column out. Trestle chooses the target of a column
   * without an entry.
   */
  map: byColumnName<string | null>((to) => to === null || typeof to === 'string').optional(),
  newIds: z.boolean().optional(),
});
const runBody = planBody.extend({
  partition: z.string().optional(),
  existing: z.enum(['skip', 'replace', 'stop']),
});

const designBody = z.strictObject({ id: z.uuid(), connectionId: z.string() });
const mapBody = planBody.pick({ id: true, connectionId: true, table: true }).extend({ design });

export type ImportDesignBody = z.input<typeof designBody>;
export type ImportMapBody = z.input<typeof mapBody>;

/** A table for the rows of a file. The name is missing. */
export interface FileDesign {
  columns: InferredColumn[];
  design: Design;
}

export type ImportPlanBody = z.input<typeof planBody>;
export type ImportRunBody = z.input<typeof runBody>;

/** A file that the app has read, as the window sees it. */
export interface ImportedFile {
  id: string;
  name: string;
  format: 'csv' | 'json' | 'jsonl';
  rows: number;
  columns: string[];
  /** The first rows. Each has the beginnings of its cells as text, in the order of `columns`; null for no value. */
  sample: (string | null)[][];
}

/** The table's column for each column of the file, and the number of values that do not fit their column. */
export interface CheckedPlan {
  map: Record<string, string | null>;
  fit: number;
  columns: Record<string, { count: number; first?: { line: number; problem: string } }>;
  otherRows: { count: number; first?: { line: number; problem: string } };
  missingId: 'derived' | 'database' | null;
  /** What the file does not keep. */
  note?: string;
  /** Why the import cannot run with this plan. */
  refusal?: { message: string; needsNewIds: boolean };
}

/**
 * An import from the window. `POST /file` receives the file. `/plan` takes a map from the file's columns to the table's
 * columns, or suggests one. It counts the values that do not fit. `/run` starts a job that
 * imports the rows. `/design` designs a new table for the file, and `/map` maps the file to the table that was made so.
 */
export function importRoutes(core: Core, downloads: Downloads, files: ImportFiles): Hono {
  const app = new Hono();
  const start = importStarter(core, files);
  const describe = (connectionId: string, table: string, signal: AbortSignal) =>
    core.data.describe(access(connectionId, signal), table);

  app.post('/file', (context) =>
    answered(async () => {
      const { body, signal } = context.req.raw;
      const name = context.req.query('name') ?? 'file';
      if (!body) throw new AppError({ code: 'invalid_argument', message: `${name} is empty` });
      return Response.json(shown(await files.receive(name, body, signal)));
    }),
  );

  app.post('/plan', (context) =>
    answered(async () => {
      const { signal } = context.req.raw;
      const { id, connectionId, table, map, newIds = false } = await read(context, planBody);
      const { file } = files.get(id);
      const description = await describe(connectionId, table, signal);
      const chosen = map ?? suggestMap(file.columns, description);
      return Response.json(await checked(file, description, { map: chosen, newIds }, signal));
    }),
  );

  app.post('/design', (context) =>
    answered(async () => {
      const { signal } = context.req.raw;
      const { id, connectionId } = await read(context, designBody);
      const columns = await inferColumns(files.get(id).file, { signal });
      const made = await core.data.readDesign(access(connectionId, signal), {
        columns: columns.map(({ doubt: _, ...column }) => column),
      });
      return Response.json({ columns, design: made } satisfies FileDesign);
    }),
  );

  app.post('/map', (context) =>
    answered(async () => {
      const { signal } = context.req.raw;
      const { id, connectionId, table, design: made } = await read(context, mapBody);
      const description = await describe(connectionId, table, signal);
      return Response.json({ map: mapOfDesign(files.get(id).file.columns, made, description) });
    }),
  );

  app.post('/run', (context) =>
    answered(async () => {
      const {
        id,
        connectionId,
        table,
        partition,
        map = {},
        newIds = false,
        existing,
      } = await read(context, runBody);
      return Response.json({
        job: await start(id, { connectionId, table, partition, map, newIds, existing }),
      });
    }),
  );

  app.post('/:id/failed', (context) =>
    answered(async () => {
      const kept = files.get(context.req.param('id'));
      if (!kept.failed) throw new AppError({ code: 'not_found', message: 'No row of this file failed' });
      return Response.json({ file: downloads.offer(() => failedFile(kept)) });
    }),
  );

  app.post('/:id/retry', (context) =>
    answered(async () =>
      Response.json(shown(await files.retry(files.get(context.req.param('id')), context.req.raw.signal))),
    ),
  );

  app.post('/:id/forget', async (context) => {
    await files.leave(context.req.param('id'));
    return context.body(null, 204);
  });
  return app;
}

async function checked(
  file: KeptFile['file'],
  table: TableDescription,
  { map, newIds }: { map: Record<string, string | null>; newIds: boolean },
  signal: AbortSignal,
): Promise<CheckedPlan> {
  try {
    const plan = planImport(file.columns, table, { map, newIds });
    const { fit, columns, rows } = await checkFile(file, plan, { signal });
    const note = untypedNote(plan, file.format);
    return {
      map,
      fit,
      columns,
      otherRows: rows,
      missingId: plan.missingId,
      ...(note !== undefined && { note }),
    };
  } catch (error) {
    if (!isAppError(error)) throw error;
    const needsNewIds = error.hint?.includes('--new-ids') ?? false;
    return {
      map,
      fit: 0,
      columns: {},
      otherRows: { count: 0 },
      missingId: null,
      refusal: { message: error.message, needsNewIds },
    };
  }
}

async function read<Schema extends z.ZodType>(context: Context, schema: Schema): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await context.req.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw new AppError({ code: 'invalid_argument', message: z.prettifyError(parsed.error) });
}

async function answered(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!isAppError(error)) throw error;
    return refuse(422, appErrorDetails(error));
  }
}

function shown({ id, name, file }: KeptFile): ImportedFile {
  const { format, rows, columns, sample } = file;
  return {
    id,
    name,
    format,
    rows,
    columns,
    sample: sample.map(({ values }) => columns.map((column) => shortText(values.get(column) ?? null))),
  };
}

/** A preview shows only the beginning of a large cell. */
const mostChars = 200;

function shortText(value: unknown): string | null {
  if (value === null) return null;
  const text = typeof value === 'string' ? value : jsonText(value);
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}

const endings = { csv: 'csv', json: 'json', jsonl: 'jsonl' };

function failedFile({ name, file, failed }: KeptFile): Response | null {
  if (!failed) return null;
  // `fileName` cuts a long name at its end, and would cut off the word `failed`. So the name is cut here first.
  const base = Array.from(name.replace(/\.[^.]*$/, ''))
    .slice(0, 70)
    .join('');
  return new Response(fileStream(failed.path), {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(fileName([base, 'failed'], endings[file.format]))}`,
    },
  });
}

function fileStream(path: string): ReadableStream<Uint8Array> {
  return Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
}
