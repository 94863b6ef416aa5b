import { pathToFileURL } from 'node:url';
import {
  AppError,
  type ExportFormat,
  exportFormats,
  fencedInline,
  type InexactColumn,
  inexactCounter,
  inexactValues,
  isAppError,
  joinOwn,
  type OwnText,
  own,
  ownAmount,
  unsureColumns,
} from '@trestle/core';
import type { RowSet } from '@trestle/driver-kit';
import { z } from 'zod';
import { writeExport } from '../export/write-export.ts';
import { findConnection } from '../find-connection.ts';
import { assertAnswered } from './documents.ts';
import {
  columnsArgument,
  sameFilterArguments,
  sortArgument,
  tableArguments,
  toCountRequest,
  vectorsArgument,
} from './row-arguments.ts';
import { defineTool, type ToolCall } from './tool.ts';
import { wantedColumns } from './wanted-columns.ts';

const input = z.strictObject({
  ...tableArguments,
  table: tableArguments.table.optional(),
  query: z.string().min(1).optional(),
  format: z.enum(exportFormats).default('csv'),
  escape_formulas: z
    .boolean()
    .default(false)
    .describe("CSV for a spreadsheet: ' before text like =1. An import keeps the '."),
  columns: columnsArgument,
  ...sameFilterArguments,
  sort: sortArgument,
  include_vectors: vectorsArgument,
  allow_inexact: z.boolean().default(false),
});

export const exportData = defineTool({
  name: 'export_data',
  title: 'Export to a file',
  description: 'Writes all rows to a new file for the user. Pass table (and filters) or a read query.',
  // The tool only reads the database, and the file is new. Older exports may be removed to make room.
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input,
  async run(args, call) {
    const { core, exportsFolder } = call;
    const { table, query, format, escape_formulas: escapeFormulas } = args;
    if (escapeFormulas && format !== 'csv') throw new AppError(onlyCsv);
    if ((table === undefined) === (query === undefined)) {
      throw new AppError({
        code: 'invalid_argument',
        message: eitherOr,
        hint: own`Leave the other one out.`,
      });
    }
    if (query !== undefined) assertOnlyQuery(args);
    const { id } = findConnection(core, call.caller, args.connection_id);
    const { batches, inexact, asText } = await source(call, id, args);
    const { file, rows, bytes, removed } = await writeExport({
      folder: exportsFolder,
      name: table ?? 'query',
      format,
      escapeFormulas,
      asText,
      batches: withProgress(batches, call, () =>
        query === undefined
          ? core.data.count(call.accessTo(id), toCountRequest({ ...args, table: table as string }))
          : Promise.resolve(undefined),
      ),
      limitMegabytes: core.settings.get().exportsMegabytes,
    });
    core.removals.note('exports', removed);
    // The link is in the text, because older clients reject a content block of type resource_link.
    // The name of the file begins with that of the table.
    const link = fencedInline(pathToFileURL(file).href);
    const size = own`${ownAmount(rows, own`row`)}, ${ownAmount(bytes, own`byte`)}`;
    const lost = inexact();
    const note = lost.length > 0 ? own`${inexactWords(lost, format)}\n` : own``;
    return { text: own`${note}${size}: ${link}${removedWords(removed)}` };
  },
});

interface Source {
  batches: AsyncIterable<RowSet>;
  /** The values that the file does not keep, if the client allows that. For CSV, they are known after the last batch. */
  inexact(): InexactColumn[];
  /** The columns of a Parquet file that hold values of several types. */
  asText: string[];
}

/**
 * A Parquet file has one type for each column, so that columns whose values may not fit are read before. A program has
 * no dialog: if it did not allow the loss, the export fails and leaves no file.
 */
async function source(call: ToolCall, id: string, args: z.output<typeof input>): Promise<Source> {
  const { query, table = '', format } = args;
  const read = () =>
    query === undefined ? tableBatches(call, id, { ...args, table }) : queryBatches(call, id, query);
  if (format === 'csv' && query === undefined) {
    const counter = inexactCounter(format);
    return { batches: counted(read(), counter, args), inexact: counter.columns, asText: [] };
  }
  if (format !== 'parquet') return { batches: read(), inexact: () => [], asText: [] };
  const kept = query === undefined ? null : await Array.fromAsync(read());
  const found = kept
    ? await inexactValues(fromArray(kept), format)
    : await survey(call, id, { ...args, table });
  assertKept(found, args);
  const asText = found.map(({ column }) => column);
  return { batches: kept ? fromArray(kept) : read(), inexact: () => found, asText };
}

async function survey(
  call: ToolCall,
  id: string,
  args: z.output<typeof input> & { table: string },
): Promise<InexactColumn[]> {
  const { core } = call;
  const { table, format, include_vectors: includeVectors } = args;
  const described = await core.data.describe(call.accessTo(id), table);
  const all = described.columns.map(({ name }) => name);
  const wanted = await wantedColumns(core, call.accessTo(id), {
    table,
    columns: args.columns,
    includeVectors,
  });
  const columns = unsureColumns(format, wanted ?? all, described);
  return columns.length === 0 ? [] : inexactValues(tableBatches(call, id, { ...args, columns }), format);
}

async function* fromArray(batches: RowSet[]): AsyncGenerator<RowSet> {
  yield* batches;
}

async function* withProgress(
  batches: AsyncIterable<RowSet>,
  { report }: ToolCall,
  count: () => Promise<number | undefined>,
): AsyncGenerator<RowSet> {
  let written = 0;
  let total: number | undefined;
  for await (const rows of batches) {
    yield rows;
    // The export was allowed, so the count asks the user nothing. The export does not wait for it.
    if (written === 0) {
      count().then(
        (all) => {
          total = all;
        },
        () => {},
      );
    }
    written += rows.rowCount;
    report(own`${written}${total === undefined ? own`` : own` of ${total}`} rows written`);
  }
}

async function* counted(
  batches: AsyncIterable<RowSet>,
  counter: ReturnType<typeof inexactCounter>,
  args: z.output<typeof input>,
): AsyncGenerator<RowSet> {
  for await (const rows of batches) {
    counter.add(rows);
    yield rows;
  }
  assertKept(counter.columns(), args);
}

function assertKept(columns: InexactColumn[], { format, allow_inexact }: z.output<typeof input>): void {
  if (columns.length === 0 || allow_inexact) return;
  throw new AppError({
    code: 'invalid_argument',
    message: own`No file was written. ${inexactWords(columns, format)}`,
    hint: own`Use format json, or set allow_inexact.`,
  });
}

/** The names of more columns would fill the answer. */
const shownColumns = 20;

function inexactWords(columns: InexactColumn[], format: ExportFormat): OwnText {
  const counts = columns
    .slice(0, shownColumns)
    .map(({ column, count }) => own`${fencedInline(column)}: ${ownAmount(count, own`value`)}`);
  if (columns.length > shownColumns)
    counts.push(own`${ownAmount(columns.length - shownColumns, own`more column`)}`);
  const lost =
    format === 'csv'
      ? own`CSV does not keep the type of some values. An import may read them as another type; JSON keeps them.`
      : own`Parquet keeps one type for each column. Columns with other values are written as text; JSON keeps them.`;
  return own`${lost} ${joinOwn(counts, own`, `)}`;
}

function removedWords(removed: number): OwnText {
  if (removed === 0) return own``;
  const exports = removed === 1 ? own`an older export was` : own`${removed} older exports were`;
  return own`\nTo make room, ${exports} removed.`;
}

const onlyCsv = {
  code: 'invalid_argument',
  message: own`escape_formulas applies only to the format csv`,
  hint: own`Leave it out.`,
} as const;

const eitherOr = own`Pass either table or query`;

/** If `filters` were ignored beside `query`, a model would believe that the file has only the matching rows. */
function assertOnlyQuery(args: z.output<typeof input>): void {
  const { tenant, columns, filters, match, sort, include_vectors } = args;
  const given = [
    { name: own`tenant`, isGiven: tenant !== undefined },
    { name: own`columns`, isGiven: columns !== undefined },
    { name: own`filters`, isGiven: filters.length > 0 },
    { name: own`match`, isGiven: match !== 'all' },
    { name: own`sort`, isGiven: sort.length > 0 },
    { name: own`include_vectors`, isGiven: include_vectors },
  ];
  const names = given.flatMap(({ name, isGiven }) => (isGiven ? [name] : []));
  if (names.length === 0) return;
  throw new AppError({
    code: 'invalid_argument',
    message: own`With query, export_data cannot use ${joinOwn(names, own`, `)}`,
    hint: own`Write it into the query, or pass table instead of query.`,
  });
}

// `tableBatches` and `queryBatches` call `accessTo` only when they are first read, after the file was opened. From then
// on, the core logs the export. If the file cannot be opened, `serveCall` logs the export.
async function* tableBatches(
  { core, accessTo }: ToolCall,
  connectionId: string,
  args: z.output<typeof input> & { table: string },
): AsyncGenerator<RowSet> {
  const access = accessTo(connectionId);
  const { table, columns, sort, include_vectors: includeVectors } = args;
  const wanted = await wantedColumns(core, access, { table, columns, includeVectors });
  yield* core.data.exportRows(access, {
    ...toCountRequest(args),
    sort,
    exact: true,
    ...(wanted && { columns: wanted }),
  });
}

const readsOnly = {
  code: 'invalid_argument',
  message: own`export_data runs only statements that read`,
  hint: own`Run this one with execute_query.`,
} as const;

/** Limits the memory: the result of a query is held twice, in the driver host and in the app. */
const maxQueryRows = 100_000;

async function* queryBatches(
  { core, accessTo }: ToolCall,
  connectionId: string,
  text: string,
): AsyncGenerator<RowSet> {
  const outcome = await core.data
    .runQuery(accessTo(connectionId), { text, limit: maxQueryRows, ceiling: 'read' })
    .catch((error) => {
      throw isAppError(error) && error.code === 'above_ceiling' ? new AppError(readsOnly) : error;
    });
  assertAnswered(outcome);
  const [result, ...others] = outcome.results;
  if (result?.kind !== 'rows' || others.length > 0) {
    throw new AppError({
      code: 'unsupported',
      message: own`Only a query that gives one table of rows can be exported`,
      hint: own`Run it with execute_query.`,
    });
  }
  if (result.truncated) {
    throw new AppError({
      code: 'invalid_argument',
      message:
        result.rows.rowCount < maxQueryRows
          ? own`The rows of the query are too large: only the first ${result.rows.rowCount} fit into one answer`
          : own`The query gives more than ${maxQueryRows} rows`,
      hint: own`Narrow it, or export the table.`,
    });
  }
  yield result.rows;
}
