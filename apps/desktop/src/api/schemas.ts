import { byColumnName } from '@trestle/core';
import {
  type Cell,
  type Design,
  type DesignSource,
  filterOperators,
  type Json,
  measures,
} from '@trestle/driver-kit';
import { isDesign, isDesignSource } from '@trestle/driver-kit/answers';
import { z } from 'zod';

/** Schemas of the data that the window or a command sends to the app. */

export const connectionDraft = z.strictObject({
  name: z.string().trim().min(1, 'Give the connection a name').max(200),
  driver: z.string(),
  fields: z.record(
    z.string(),
    z.union([
      z.string(),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(z.strictObject({ name: z.string(), value: z.string() })),
    ]),
  ),
  externalClients: z.enum(['blocked', 'readOnly', 'readWrite']),
  aiPolicy: z.enum(['alwaysAllow', 'askEachTime', 'never']),
  safeMode: z.enum(['off', 'confirm', 'readOnly']),
  color: z.string().nullable(),
  word: z.string().max(40).nullable().optional(),
  masking: z
    .strictObject({
      columns: z.array(z.string()).max(500),
      patterns: z.array(z.enum(['email', 'card', 'phone'])),
      open: z.array(z.string()).max(500).optional(),
    })
    .optional(),
  reachLimit: z.number().int().min(0).max(1_000_000).optional(),
});

export const design = z.custom<Design>(isDesign, 'This is no design of a table');

export const designSource = z.custom<DesignSource>(isDesignSource, 'This is no source of a design');

export const planRequest = z.strictObject({ design, table: z.string().optional() });

export const activityFilter = z.strictObject({
  tokenName: z.string().optional(),
  clientName: z.string().optional(),
  connectionId: z.string().optional(),
  action: z.string().optional(),
  outcome: z.enum(['ok', 'error', 'denied', 'cancelled']).optional(),
  text: z.string().max(500).optional(),
  since: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
});

export const tokenDraft = z.strictObject({
  name: z.string().trim().min(1, 'Give the token a name').max(100),
  permission: z.enum(['readOnly', 'readWrite', 'fullAccess']),
  allowlist: z.array(z.string()).nullable(),
  expiresAt: z.iso.datetime().nullable(),
});

const filterScalar = z.union([z.string(), z.number(), z.boolean()]);

export const filter = z.strictObject({
  column: z.string(),
  operator: z.enum(filterOperators),
  value: z.union([filterScalar, z.array(filterScalar)]).optional(),
});

export const countRequest = z.strictObject({
  table: z.string(),
  partition: z.string().optional(),
  filters: z.array(filter).max(100),
  match: z.enum(['all', 'any']),
});

export const aggregateRequest = countRequest.extend({
  by: z.array(z.string()).max(1),
  measured: z.array(z.strictObject({ column: z.string(), measure: z.enum(measures) })).max(10),
  groups: z.int().min(1).max(1000),
});

export const browseRequest = countRequest.extend({
  columns: z.array(z.string()).optional(),
  sort: z.array(z.strictObject({ column: z.string(), order: z.enum(['asc', 'desc']) })),
  limit: z.int().min(1).max(1000),
  offset: z.int().min(0),
});

export const searchRequest = countRequest.extend({
  mode: z.enum(['near_text', 'near_vector', 'near_object', 'keyword', 'hybrid']),
  text: z.string().optional(),
  vector: z.array(z.number()).optional(),
  objectId: z.string().optional(),
  alpha: z.number().min(0).max(1).optional(),
  targetVector: z.string().optional(),
  columns: z.array(z.string()).optional(),
  limit: z.int().min(1).max(1000),
  explain: z.boolean().optional(),
  fusion: z.string().optional(),
  autocut: z.int().min(1).max(100).optional(),
  maxDistance: z.number().optional(),
  keywordColumns: z
    .array(z.strictObject({ column: z.string(), weight: z.number() }))
    .max(1000)
    .optional(),
  allWords: z.boolean().optional(),
  targets: z
    .strictObject({
      join: z.string(),
      vectors: z.array(z.strictObject({ name: z.string(), weight: z.number().optional() })).max(100),
    })
    .optional(),
  groupBy: z
    .strictObject({
      column: z.string(),
      groups: z.int().min(1).max(100),
      rowsPerGroup: z.int().min(1).max(100),
    })
    .optional(),
  rerank: z.strictObject({ column: z.string(), text: z.string().optional() }).optional(),
});

export const shownRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('browse'), request: browseRequest }),
  z.strictObject({ kind: z.literal('search'), request: searchRequest }),
]);

/** Cells arrive through the wire codec, so they may be bigint or bytes. The driver checks them. */
const isCell = (value: unknown) => value !== undefined;
const cell = z.custom<Cell>(isCell);
const row = byColumnName<Cell>(isCell);
export const rowKey = row;
const changeId = z.string();

export const nearestRequest = countRequest.extend({
  key: rowKey,
  vector: z.string(),
  distance: z.enum(['cosine', 'euclidean']),
  title: z.string().optional(),
  limit: z.int().min(1).max(100),
});

/** The largest paste has this many cells, and each cell may be in another row. */
const mostChanges = 100_000;

export const changeSet = z.strictObject({
  table: z.string(),
  partition: z.string().optional(),
  changes: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('insert'), id: changeId, values: row, key: row.optional() }),
        z.strictObject({
          ...{ kind: z.literal('update'), id: changeId, key: row.nullable(), values: row },
          expected: row.optional(),
        }),
        z.strictObject({
          ...{ kind: z.literal('delete'), id: changeId, key: row.nullable() },
          expected: row.optional(),
        }),
      ]),
    )
    .max(mostChanges),
});

export const tablePart = z.strictObject({ table: z.string(), partition: z.string().optional() });

const stepId = z.strictObject({ id: z.string(), group: z.string().optional() });
const stagedRow = z.string();
const stagedCell = z.strictObject({
  ...{ row: stagedRow, key: row.nullable(), column: z.string(), cell },
  ...{ from: cell.optional(), isAnswer: z.literal(true).optional(), problem: z.string().optional() },
});

/** The steps of staged edits, as `@trestle/core/staged-edits` has them. */
const step = z.discriminatedUnion('kind', [
  stepId.extend({ kind: z.literal('edit'), cells: z.array(stagedCell) }),
  stepId.extend({ kind: z.literal('insert'), row: stagedRow, values: row, key: row.optional() }),
  stepId.extend({
    kind: z.literal('delete'),
    rows: z.array(z.strictObject({ row: stagedRow, key: row.nullable(), seen: row.optional() })),
  }),
  stepId.extend({ kind: z.literal('restore'), rows: z.array(stagedRow) }),
]);

export const stagedRequest = tablePart.extend({
  since: z.int().min(0).nullable(),
  window: z.uuid(),
  first: z.int().min(1),
  commands: z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('stage'), steps: z.array(step) }),
      z.strictObject({ kind: z.literal('undo'), step: z.string() }),
      z.strictObject({ kind: z.literal('redo'), step: z.string() }),
      z.strictObject({ kind: z.literal('discard'), steps: z.array(z.string()) }),
      z.strictObject({ kind: z.literal('discardRows'), rows: z.array(stagedRow) }),
      z.strictObject({ kind: z.literal('discardCell'), row: stagedRow, column: z.string() }),
      z.strictObject({ kind: z.literal('forgetConnectionFailures') }),
      z.strictObject({ kind: z.literal('clear') }),
    ]),
  ),
});

/** A key may contain a long table name. */
export const recordKey = z.string().max(5_000);

export const recordChange = z.strictObject({
  key: recordKey,
  version: z.int().min(0),
  // Not `z.json()`: it drops a member called `__proto__`, so an edit of a column with that name would be lost.
  value: z.unknown().refine((value) => value !== undefined) as unknown as z.ZodType<Json, Json>,
  connectionId: z.string().optional(),
  id: z.uuid().optional(),
  after: z.uuid().optional(),
});

/** The key contains the filters, whose lists may be long. */
export const keptMapName = z.strictObject({ key: z.string().max(200_000) });

export const readCellsRequest = z.strictObject({
  table: z.string(),
  partition: z.string().optional(),
  keys: z.array(row).max(1000),
  columns: z.array(z.string()),
});

/** The limit is the most rows that the vector map asks for. */
export const exportedKeys = z.array(row).max(100_000);

/** Columns that no table stores, such as the distance of a search, each with its list of cells. */
export const computedColumns = z.strictObject({
  columns: z
    .array(
      z.object({
        name: z.string(),
        type: z.custom<import('@trestle/driver-kit').ColumnType>((value) => typeof value === 'string'),
        nativeType: z.string(),
      }),
    )
    .max(20),
  cells: z.array(z.array(cell).max(1000)).max(20),
});

const ofColumn = tablePart.extend({ column: z.string() });

export const readReferencesRequest = ofColumn.extend({ cells: z.array(cell).max(1000) });

export const findReferencesRequest = ofColumn.extend({
  text: z.string().max(1000),
  limit: z.int().min(1).max(100),
});

export const queryRequest = z.strictObject({
  text: z.string().max(10_000_000),
  limit: z.int().min(1).max(10_000),
  ceiling: z.enum(['read', 'write', 'destroy']).optional(),
});
