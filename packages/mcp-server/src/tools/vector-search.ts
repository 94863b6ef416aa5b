import { type OwnText, own } from '@trestle/core';
import {
  defaultAlpha,
  type RowSet,
  type SearchExplanation,
  type SearchMode,
  type SearchRequest,
} from '@trestle/driver-kit';
import { z } from 'zod';
import { dataAnswer, type ToolAnswer, theDatabase } from '../answer/answer.ts';
import { AnswerBudget } from '../answer/answer-budget.ts';
import { remarkText, rowNumbers, rowsText } from '../answer/rows-text.ts';
import { whyText } from '../answer/why-text.ts';
import { noRows } from './browse-table.ts';
import { compareSearches } from './compare-searches.ts';
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
    'Best first. near_text, keyword, hybrid take text; compare runs all it can, with ranks. near_object takes object_id ' +
    '(a uuid, or a value of object_column) and leaves that row out. explain adds why keyword or hybrid found a row.',
  annotations: readAnnotations,
  input: z.strictObject({
    ...tableArguments,
    mode: z.enum([...modes, 'compare']),
    text: z.string().min(1).optional(),
    vector: z.array(z.number()).min(1).max(65_535).optional(),
    object_id: z.string().min(1).optional(),
    object_column: z.string().min(1).optional(),
    alpha: z.number().min(0).max(1).optional().describe(`hybrid: 0 keyword, 1 vector; ${defaultAlpha}`),
    target_vector: z.string().min(1).optional(),
    explain: z.boolean().default(false),
    ...filterArguments,
    columns: columnsArgument,
    limit: limitArgument(10),
  }),
  async run(args, call) {
    const { core } = call;
    const { access } = openConnection(call, args.connection_id);
    const { mode, text, vector, alpha, target_vector, columns, limit, explain } = args;
    const shown = { includeVectors: columns !== undefined };
    const request: Omit<SearchRequest, 'mode'> = {
      ...toCountRequest(args),
      limit,
      ...(text !== undefined && { text }),
      ...(vector !== undefined && { vector }),
      ...(alpha !== undefined && { alpha }),
      ...(target_vector !== undefined && { targetVector: target_vector }),
      ...(columns && { columns }),
    };
    if (mode === 'compare') {
      const { rows, note, remarks } = await compareSearches(core, access, request);
      return rowsAnswer(rows, remarks, { ...shown, note });
    }
    if (mode === 'near_object') {
      const objectId = await findObject(core, access, args);
      const search = { ...request, mode, ...(objectId !== undefined && { objectId }) };
      // Asks for one row more, since the object itself may be among the matches.
      const { rows, note } = await core.data.search(access, { ...search, limit: limit + 1 });
      const only = objectId === undefined ? rowNumbers(rows) : othersThan(objectId, rows);
      return rowsAnswer(rows, [note], { ...shown, only: only.slice(0, limit) });
    }
    const { rows, note, explanations } = await core.data.search(access, { ...request, mode, explain });
    const weighed = mode === 'hybrid' && { note: own`Hybrid with alpha ${alpha ?? defaultAlpha}.` };
    const found = explanations ? withReasons(rows, explanations) : rows;
    return rowsAnswer(found, [note], { ...shown, ...weighed });
  },
});

function withReasons(rows: RowSet, explanations: SearchExplanation[]): RowSet {
  return {
    ...rows,
    columns: [...rows.columns, { name: 'why', type: 'text', nativeType: '' }],
    values: [...rows.values, { kind: 'cells', cells: explanations.map(whyText) }],
  };
}

function rowsAnswer(
  rows: RowSet,
  remarks: (string | undefined)[],
  shown: { includeVectors: boolean; only?: number[]; note?: OwnText },
): ToolAnswer {
  const { includeVectors, note, only = rowNumbers(rows) } = shown;
  const said = remarks.filter((remark) => remark !== undefined).map(remarkText);
  if (only.length === 0 && said.length === 0) return { text: noRows };
  const found = rowsText(rows, { budget: new AnswerBudget(), includeVectors, only });
  const cut = own`Cut after ${found.shown} of ${only.length} rows: ask for fewer columns or a smaller limit.`;
  const notes = [...found.notes, ...(note === undefined ? [] : [note]), ...(found.cut ? [cut] : [])];
  return dataAnswer(theDatabase, [...found.lines, ...said], notes);
}
