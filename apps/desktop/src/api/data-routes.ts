import { appErrorDetails, type Core, type DataAccess, isAppError } from '@trestle/core';
import { packWire } from '@trestle/driver-kit';
import { Hono } from 'hono';
import { z } from 'zod';
import { access } from './access.ts';
import { activityCsvRoute } from './activity-csv.ts';
import type { Downloads } from './downloads.ts';
import { exportRoutes } from './export-routes.ts';
import type { ImportFiles } from './import-files.ts';
import { importRoutes } from './import-routes.ts';
import { rowStream } from './row-stream.ts';
import { saveRoutes } from './save-routes.ts';
import {
  aggregateRequest,
  browseRequest,
  changeSet,
  findReferencesRequest,
  keptMapName,
  nearestRequest,
  queryRequest,
  readCellsRequest,
  readReferencesRequest,
  searchRequest,
  shownRequest,
  stagedRequest,
  tablePart,
} from './schemas.ts';
import { refuse, unpackBody } from './wire-body.ts';

/**
 * Routes `POST /data/<name>` with the body `packWire({ connectionId, request })`. The answer is packed too; an error is
 * JSON. The routes do not use tRPC, because its JSON has no Float32Array, no bytes and no 64-bit integers.
 */
const operations = {
  browse: operation(browseRequest, (core, at, request) => core.data.browse(at, request)),
  search: operation(searchRequest, (core, at, request) => core.data.search(at, request)),
  aggregate: operation(aggregateRequest, (core, at, request) => core.data.aggregate(at, request)),
  nearest: operation(nearestRequest, (core, at, request) => core.data.nearestRows(at, request)),
  readCells: operation(readCellsRequest, (core, at, request) => core.data.readCells(at, request)),
  readReferences: operation(readReferencesRequest, (core, at, request) =>
    core.data.readReferences(at, request),
  ),
  findReferences: operation(findReferencesRequest, (core, at, request) =>
    core.data.findReferences(at, request),
  ),
  showRequest: operation(shownRequest, (core, at, shown) => core.data.showRequest(at, shown)),
  convertStatement: operation(z.strictObject({ text: z.string() }), (core, at, { text }) =>
    core.data.convertStatement(at, text),
  ),
  runQuery: operation(queryRequest, (core, at, request) => core.data.runQuery(at, request)),
  previewChanges: operation(changeSet, (core, at, request) => core.data.previewChanges(at, request)),
  syncStaged: operation(stagedRequest, async (core, { connectionId }, { table, partition, ...request }) =>
    core.staged.sync({ connectionId, table, ...(partition !== undefined && { partition }) }, request),
  ),
  checkStaged: operation(
    tablePart.extend({ recent: z.boolean() }),
    async (core, { connectionId }, { recent, ...place }) =>
      core.staged.check({ connectionId, ...place }, { recent }),
  ),
  keptMap: operation(keptMapName, async (core, { connectionId }, { key }) =>
    core.maps.get(connectionId, key),
  ),
  hasKeptMap: operation(keptMapName, async (core, { connectionId }, { key }) =>
    core.maps.has(connectionId, key),
  ),
  keepMap: operation(
    keptMapName.extend({ table: z.string(), bytes: z.instanceof(Uint8Array) }),
    async (core, { connectionId }, map) => core.maps.keep({ connectionId, ...map }),
  ),
};

/** Request and answer of each operation, for the window. */
export type DataRoutes = {
  [Name in keyof typeof operations]: {
    request: z.input<(typeof operations)[Name]['schema']>;
    answer: Awaited<ReturnType<(typeof operations)[Name]['run']>>;
  };
};

export function dataRoutes(
  core: Core,
  { downloads, imports }: { downloads: Downloads; imports: ImportFiles },
): Hono {
  const app = new Hono();
  for (const [name, { schema, run }] of Object.entries(operations)) {
    const body = z.strictObject({ connectionId: z.string(), request: schema });
    app.post(`/${name}`, async (context) => {
      const parsed = body.safeParse(unpackBody(await context.req.arrayBuffer()));
      if (!parsed.success) {
        return refuse(400, { code: 'invalid_argument', message: z.prettifyError(parsed.error) });
      }
      try {
        const at = access(parsed.data.connectionId, context.req.raw.signal);
        const answer = await (run as Operation['run'])(core, at, parsed.data.request);
        return new Response(packWire(answer), { headers: { 'content-type': 'application/octet-stream' } });
      } catch (error) {
        if (!isAppError(error)) throw error;
        return refuse(422, appErrorDetails(error));
      }
    });
  }
  app.route('/applyChanges', saveRoutes(core));
  app.route('/rows', rowStream(core));
  app.route('/import', importRoutes(core, downloads, imports));
  app.route('/export', exportRoutes(core, downloads));
  app.route('/', activityCsvRoute(core, downloads));
  return app;
}

interface Operation<Schema extends z.ZodType = z.ZodType, Answer = unknown> {
  schema: Schema;
  run(core: Core, at: DataAccess, request: z.output<Schema>): Promise<Answer>;
}

function operation<Schema extends z.ZodType, Answer>(
  schema: Schema,
  run: (core: Core, at: DataAccess, request: z.output<Schema>) => Promise<Answer>,
): Operation<Schema, Answer> {
  return { schema, run };
}
