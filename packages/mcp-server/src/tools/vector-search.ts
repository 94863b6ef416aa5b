import type { SearchMode } from '@trestle/driver-kit';
import { z } from 'zod';
import { AnswerBudget, dataAnswer, tableAnswer } from '../answer.ts';
import { connectionArgument, connectionOutput, findConnection } from './connection-argument.ts';
import {
  columnsArgument,
  filterArguments,
  limitArgument,
  tableArgument,
  tenantArgument,
  toCountRequest,
  vectorsArgument,
} from './row-arguments.ts';
import { rowsOutput } from './rows-output.ts';
import { defineTool, readAnnotations } from './tool.ts';
import { wantedColumns } from './wanted-columns.ts';

const modes = [
  'near_text',
  'near_vector',
  'near_object',
  'keyword',
  'hybrid',
] as const satisfies SearchMode[];

export const vectorSearch = defineTool({
  name: 'vector_search',
  title: 'Search by meaning or keyword',
  description:
    'The objects of a collection nearest to a text, a vector or another object, or best by keyword, best ' +
    'first, with their distance or score. describe_table says which modes run. near_text, keyword and ' +
    'hybrid take text; near_vector takes vector; near_object takes object_id.',
  annotations: readAnnotations,
  input: z.strictObject({
    connection_id: connectionArgument,
    table: tableArgument,
    mode: z.enum(modes),
    text: z.string().min(1).optional(),
    vector: z.array(z.number()).min(1).max(65_535).optional(),
    object_id: z.string().min(1).optional().describe('uuid of the object to start from'),
    alpha: z.number().min(0).max(1).optional().describe('hybrid: 0 is keyword only, 1 is vector only'),
    target_vector: z.string().min(1).optional().describe('Where the collection has several vectors'),
    ...filterArguments,
    columns: columnsArgument,
    limit: limitArgument(10),
    tenant: tenantArgument,
    include_vectors: vectorsArgument,
  }),
  output: z.object({
    connection: connectionOutput,
    table: z.string(),
    mode: z.enum(modes),
    ...rowsOutput,
    notes: z.array(z.string()),
  }),
  async run(args, { core, caller, accessTo }) {
    const connection = findConnection(core, caller, args.connection_id);
    const access = accessTo(connection.id);
    const { table, mode, text, vector, object_id, alpha, target_vector, columns, limit } = args;
    const includeVectors = args.include_vectors;
    const wanted = await wantedColumns(core, access, { table, columns, includeVectors });
    const page = await core.data.search(access, {
      ...toCountRequest(args),
      mode,
      limit,
      ...(text !== undefined && { text }),
      ...(vector !== undefined && { vector }),
      ...(object_id !== undefined && { objectId: object_id }),
      ...(alpha !== undefined && { alpha }),
      ...(target_vector !== undefined && { targetVector: target_vector }),
      ...(wanted && { columns: wanted }),
    });
    const answer = tableAnswer(page.rows, { budget: new AnswerBudget(), includeVectors });
    const notes = page.note === undefined ? answer.notes : [...answer.notes, page.note];
    return dataAnswer(
      { connection, table, mode, columns: answer.columns, rows: answer.rows, truncated: answer.cut, notes },
      `the database "${connection.name}"`,
    );
  },
});
