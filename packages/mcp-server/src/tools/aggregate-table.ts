import { AppError, own } from '@trestle/core';
import { measures } from '@trestle/driver-kit';
import { z } from 'zod';
import { dataAnswer, theDatabase } from '../answer/answer.ts';
import { AnswerBudget } from '../answer/answer-budget.ts';
import { remarkText, rowsText } from '../answer/rows-text.ts';
import { noRows } from './browse-table.ts';
import { openConnection } from './connection-argument.ts';
import { sameFilterArguments, tableArguments, toCountRequest } from './row-arguments.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const aggregateTable = defineTool({
  name: 'aggregate_table',
  title: 'Count and group',
  description:
    'Counts the rows, in groups of equal values (largest first) if by is given, and measures columns in each group.',
  annotations: readAnnotations,
  input: z.strictObject({
    ...tableArguments,
    by: z.array(z.string().min(1)).max(10).default([]),
    measures: z
      .array(z.strictObject({ column: z.string().min(1), measure: z.enum(measures) }))
      .max(50)
      .default([]),
    ...sameFilterArguments,
    limit: z.int().min(1).max(1_000).default(20),
  }),
  async run(args, call) {
    const { access } = openConnection(call, args.connection_id);
    const { by, measures: measured, limit } = args;
    assertOnce([...by, ...measured.map(({ column, measure }) => `${measure}(${column})`)]);
    const request = { ...toCountRequest(args), by, measured, groups: limit };
    const { rows, hasMore, note } = await call.core.data.aggregate(access, request);
    if (rows.rowCount === 0) return { text: noRows };
    const part = rowsText(rows, { budget: new AnswerBudget(), includeVectors: false });
    const remarks = note === undefined ? [] : [remarkText(note)];
    const left = hasMore || part.cut;
    const more = own`More groups exist; these ${part.shown} are the largest. A higher limit or a filter shows others.`;
    return dataAnswer(theDatabase, [...part.lines, ...remarks], [...part.notes, ...(left ? [more] : [])]);
  },
});

function assertOnce(names: string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new AppError({
    code: 'invalid_argument',
    message: own`A column or measure is named twice`,
    hint: own`Name it once.`,
    quoted: twice,
  });
}
