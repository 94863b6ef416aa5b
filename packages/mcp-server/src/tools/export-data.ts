import { pathToFileURL } from 'node:url';
import { exportFormats } from '@trestle/core';
import { z } from 'zod';
import { dataAnswer } from '../answer.ts';
import { exportsKeptDays } from '../export/prune-exports.ts';
import { writeExport } from '../export/write-export.ts';
import { connectionArgument, connectionOutput, findConnection } from './connection-argument.ts';
import {
  columnsArgument,
  filterArguments,
  sortArgument,
  tableArgument,
  tenantArgument,
  toCountRequest,
  vectorsArgument,
} from './row-arguments.ts';
import { defineTool } from './tool.ts';
import { wantedColumns } from './wanted-columns.ts';

export const exportData = defineTool({
  name: 'export_data',
  title: 'Export rows to a file',
  description:
    'Writes all matching rows, whatever their number, to a file that only the user can read, in the exports ' +
    'folder of Trestle, and gives its path. Use it where browse_table would be cut. Files older than ' +
    `${exportsKeptDays} days are removed when Trestle starts.`,
  // The database is only read; the file is new, and nothing is overwritten.
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    connection_id: connectionArgument,
    table: tableArgument,
    format: z.enum(exportFormats).default('csv').describe('jsonl is one object a line'),
    columns: columnsArgument,
    ...filterArguments,
    sort: sortArgument,
    tenant: tenantArgument,
    include_vectors: vectorsArgument,
  }),
  output: z.object({
    connection: connectionOutput,
    table: z.string(),
    format: z.enum(exportFormats),
    file: z.string().describe("Path on the user's machine"),
    link: z.string(),
    rows: z.number(),
    bytes: z.number(),
  }),
  async run(args, { core, caller, accessTo, exportsFolder }) {
    const connection = findConnection(core, caller, args.connection_id);
    const access = accessTo(connection.id);
    const { table, columns, sort, format, include_vectors: includeVectors } = args;
    const wanted = await wantedColumns(core, access, { table, columns, includeVectors });
    const batches = core.data.exportRows(access, {
      ...toCountRequest(args),
      sort,
      ...(wanted && { columns: wanted }),
    });
    const written = await writeExport({ folder: exportsFolder, name: table, format, batches });
    const link = pathToFileURL(written.file).href;
    const structured = { connection, table, format, link, ...written };
    return {
      ...dataAnswer(structured, `the database "${connection.name}"`),
      links: [{ uri: link, name: written.file.split(/[\\/]/).at(-1) ?? table, mimeType: mimeTypes[format] }],
    };
  },
});

const mimeTypes = { csv: 'text/csv', json: 'application/json', jsonl: 'application/jsonl' } as const;
