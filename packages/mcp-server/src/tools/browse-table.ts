import type { Core, DataAccess } from '@trestle/core';
import type { BrowseRequest, RowSet } from '@trestle/driver-kit';
import { z } from 'zod';
import { AnswerBudget, dataAnswer, type TableAnswer, tableAnswer } from '../answer.ts';
import { connectionArgument, connectionOutput, findConnection } from './connection-argument.ts';
import {
  columnsArgument,
  filterArguments,
  limitArgument,
  sortArgument,
  tableArgument,
  tenantArgument,
  toCountRequest,
  vectorsArgument,
} from './row-arguments.ts';
import { rowsOutput } from './rows-output.ts';
import { defineTool, readAnnotations } from './tool.ts';
import { wantedColumns } from './wanted-columns.ts';

export const browseTable = defineTool({
  name: 'browse_table',
  title: 'Read rows of a table',
  description:
    'Rows of one table or collection, filtered, sorted and paged, without writing a query. The key columns ' +
    'come along: update_rows and delete_rows take them.',
  annotations: readAnnotations,
  input: z.strictObject({
    connection_id: connectionArgument,
    table: tableArgument,
    columns: columnsArgument,
    ...filterArguments,
    sort: sortArgument,
    limit: limitArgument(),
    offset: z.int().min(0).default(0),
    tenant: tenantArgument,
    include_vectors: vectorsArgument,
  }),
  output: z.object({
    connection: connectionOutput,
    table: z.string(),
    ...rowsOutput,
    next_offset: z.number().optional().describe('Where the next page begins, where there may be one'),
    notes: z.array(z.string()),
  }),
  async run(args, { core, caller, accessTo }) {
    const connection = findConnection(core, caller, args.connection_id);
    const access = accessTo(connection.id);
    const { table, columns, sort, limit, offset, include_vectors: includeVectors } = args;
    const wanted = await wantedColumns(core, access, { table, columns, includeVectors });
    const request = { ...toCountRequest(args), sort, ...(wanted && { columns: wanted }) };
    const budget = new AnswerBudget();
    const answer: TableAnswer = { columns: [], rows: [], notes: [], cut: false };
    let full = false;
    for await (const { rows, note, last } of pages(core, access, { ...request, limit, offset })) {
      const part = tableAnswer(rows, { budget, includeVectors, before: answer.rows.length });
      if (answer.columns.length === 0) Object.assign(answer, { columns: part.columns, notes: part.notes });
      else answer.notes.push(...part.notes.filter((text) => !answer.notes.includes(text)));
      answer.rows.push(...part.rows);
      if (note !== undefined) answer.notes.push(note);
      answer.cut = part.cut;
      full = last && answer.rows.length >= limit;
      if (part.cut) break;
    }
    const more = answer.cut || full;
    return dataAnswer(
      {
        connection,
        table,
        columns: answer.columns,
        rows: answer.rows,
        truncated: answer.cut,
        ...(more && answer.rows.length > 0 && { next_offset: offset + answer.rows.length }),
        notes: answer.notes,
      },
      `the database "${connection.name}"`,
    );
  },
});

/** A driver is asked for a grid's page at most: one request for all rows would hold the server up. */
const pageRows = 1_000;

async function* pages(
  core: Core,
  access: DataAccess,
  request: BrowseRequest,
): AsyncGenerator<{ rows: RowSet; note?: string; last: boolean }> {
  let left = request.limit;
  for (let { offset } = request; left > 0; ) {
    const limit = Math.min(left, pageRows);
    const { rows, note } = await core.data.browse(access, { ...request, offset, limit });
    left -= limit;
    const last = left === 0 || rows.rowCount < limit;
    yield { rows, ...(note !== undefined && { note }), last };
    if (last) return;
    offset += rows.rowCount;
  }
}
