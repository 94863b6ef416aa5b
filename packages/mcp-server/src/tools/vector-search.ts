import type { SearchMode } from '@trestle/driver-kit';
import { z } from 'zod';
import { dataAnswer } from '../answer/answer.ts';
import { AnswerBudget } from '../answer/answer-budget.ts';
import { rowNumbers, rowsText } from '../answer/rows-text.ts';
import { noRows } from './browse-table.ts';
import { openConnection } from './connection-argument.ts';
import { findObject, othersThan } from './near-object.ts';
import {
  columnsArgument,
  filterArguments,
  limitArgument,
  tableArguments,
  toCountRequest,
} from './row-arguments.ts';
import { defineTool, readAnnotations } from './tool.ts';

const modes = [
  'near_text',
  'near_vector',
  'near_object',
  'keyword',
  'hybrid',
] as const satisfies SearchMode[];

export const vectorSearch = defineTool({
  name: 'vector_search',
  title: 'Vector search',
  description:
    'Best first: least distance or highest score. near_text, keyword, hybrid take text; near_vector takes vector; ' +
    'near_object takes object_id: a uuid or, with object_column, a value of that column. That row is left out.',
  annotations: readAnnotations,
  input: z.strictObject({
    ...tableArguments,
    mode: z.enum(modes),
    text: z.string().min(1).optional(),
    vector: z.array(z.number()).min(1).max(65_535).optional(),
    object_id: z.string().min(1).optional(),
    object_column: z.string().min(1).optional(),
    alpha: z.number().min(0).max(1).optional().describe('hybrid: 0 keyword, 1 vector'),
    target_vector: z.string().min(1).optional(),
    ...filterArguments,
    columns: columnsArgument,
    limit: limitArgument(10),
  }),
  async run(args, call) {
    const { core } = call;
    const { access, source } = openConnection(call, args.connection_id);
    const { mode, text, vector, alpha, target_vector, columns, limit } = args;
    const isNear = mode === 'near_object';
    const objectId = isNear ? await findObject(core, access, args) : undefined;
    const page = await core.data.search(access, {
      ...toCountRequest(args),
      mode,
      // One more, since the nearest to an object is the object itself.
      limit: isNear ? limit + 1 : limit,
      ...(text !== undefined && { text }),
      ...(vector !== undefined && { vector }),
      ...(objectId !== undefined && { objectId }),
      ...(alpha !== undefined && { alpha }),
      ...(target_vector !== undefined && { targetVector: target_vector }),
      ...(columns && { columns }),
    });
    const { rows } = page;
    const only = (objectId === undefined ? rowNumbers(rows) : othersThan(objectId, rows)).slice(0, limit);
    if (only.length === 0) return { text: noRows };
    const includeVectors = columns !== undefined;
    const found = rowsText(rows, { budget: new AnswerBudget(), includeVectors, only });
    const notes = page.note === undefined ? found.notes : [...found.notes, page.note];
    if (found.cut) {
      notes.push(
        `Cut after ${found.shown} of ${only.length} rows: ask for fewer columns or a smaller limit.`,
      );
    }
    return dataAnswer(source, found.lines, notes);
  },
});
