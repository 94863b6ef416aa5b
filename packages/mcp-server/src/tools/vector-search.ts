import { AppError, joinOwn, type OwnText, own } from '@trestle/core';
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
  limitArgument,
  sameFilterArguments,
  tableArguments,
  toCountRequest,
} from './row-arguments.ts';
import { defineTool, readAnnotations } from './tool.ts';
import { wordCounts } from './word-counts.ts';

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
    ...sameFilterArguments,
    columns: columnsArgument,
    limit: limitArgument(10),
    offset: z.int().min(0).max(10_000).optional(),
  }),
  async run(args, call) {
    assertUsed(args);
    const { core } = call;
    const { access } = openConnection(call, args.connection_id);
    const { mode, text, vector, alpha, target_vector, columns, limit, offset = 0, explain } = args;
    const shown = { includeVectors: columns !== undefined, page: { offset, limit } };
    const request: Omit<SearchRequest, 'mode'> = {
      ...toCountRequest(args),
      // A search has no offset of its own: it ranks from the first row.
      limit: offset + limit,
      ...(text !== undefined && { text }),
      ...(vector !== undefined && { vector }),
      ...(alpha !== undefined && { alpha }),
      ...(target_vector !== undefined && { targetVector: target_vector }),
      ...(columns && { columns }),
    };
    if (mode === 'compare') {
      const { rows, note, remarks } = await compareSearches(core, access, request);
      return rowsAnswer(rows, remarks, { ...shown, page: undefined, note });
    }
    if (mode === 'near_object') {
      const objectId = await findObject(core, access, args);
      const search = { ...request, mode, ...(objectId !== undefined && { objectId }) };
      // Asks for one row more, since the object itself may be among the matches.
      const { rows, note } = await core.data.search(access, { ...search, limit: request.limit + 1 });
      const found = objectId === undefined ? rowNumbers(rows) : othersThan(objectId, rows);
      return rowsAnswer(rows, [note], { ...shown, found });
    }
    const { rows, note, explanations } = await core.data.search(access, { ...request, mode, explain });
    const weighed = mode === 'hybrid' && { note: own`Hybrid with alpha ${alpha ?? defaultAlpha}.` };
    const found = explanations ? withReasons(rows, explanations) : rows;
    const rarity = explanations && (await wordCounts(core, access, request, explanations));
    return rowsAnswer(found, [note, rarity], { ...shown, ...weighed });
  },
});

type Mode = (typeof modes)[number] | 'compare';

/** The modes that use an argument. The other modes refuse it: a model would believe that it had an effect. */
const users: Record<string, { name: OwnText; modes: Mode[] }> = {
  text: { name: own`text`, modes: ['near_text', 'keyword', 'hybrid', 'compare'] },
  vector: { name: own`vector`, modes: ['near_vector', 'hybrid', 'compare'] },
  object_id: { name: own`object_id`, modes: ['near_object'] },
  object_column: { name: own`object_column`, modes: ['near_object'] },
  alpha: { name: own`alpha`, modes: ['hybrid', 'compare'] },
  target_vector: {
    name: own`target_vector`,
    modes: ['near_text', 'near_vector', 'near_object', 'hybrid', 'compare'],
  },
  explain: { name: own`explain`, modes: ['keyword', 'hybrid'] },
  offset: { name: own`offset`, modes: [...modes] },
};

function assertUsed(args: { mode: Mode } & Record<string, unknown>): void {
  const unused = Object.entries(users).flatMap(([key, { name, modes }]) =>
    args[key] === undefined || args[key] === false || modes.includes(args.mode) ? [] : [name],
  );
  if (unused.length === 0) return;
  throw new AppError({
    code: 'invalid_argument',
    message: own`The mode ${modeWords[args.mode]} does not use ${joinOwn(unused, own`, `)}`,
    hint: own`Leave it out, or choose another mode.`,
  });
}

const modeWords: Record<Mode, OwnText> = {
  near_text: own`near_text`,
  near_vector: own`near_vector`,
  near_object: own`near_object`,
  keyword: own`keyword`,
  hybrid: own`hybrid`,
  compare: own`compare`,
};

function withReasons(rows: RowSet, explanations: SearchExplanation[]): RowSet {
  return {
    ...rows,
    columns: [...rows.columns, { name: 'why', type: 'text', nativeType: '' }],
    values: [...rows.values, { kind: 'cells', cells: explanations.map(whyText) }],
  };
}

interface Shown {
  includeVectors: boolean;
  /** Undefined for all rows. */
  page: { offset: number; limit: number } | undefined;
  /** The rows that were found. Defaults to all. */
  found?: number[];
  note?: OwnText;
}

function rowsAnswer(rows: RowSet, remarks: (string | undefined)[], shown: Shown): ToolAnswer {
  const { includeVectors, page, note, found = rowNumbers(rows) } = shown;
  const only = page ? found.slice(page.offset, page.offset + page.limit) : found;
  const said = remarks.filter((remark) => remark !== undefined).map(remarkText);
  if (only.length === 0 && said.length === 0) return { text: noRows };
  const part = rowsText(rows, { budget: new AnswerBudget(), includeVectors, only });
  const cut = own`Cut after ${part.shown} of ${only.length} rows: ask for fewer columns or a smaller limit.`;
  const hasMore = page !== undefined && part.shown > 0 && (part.cut || only.length === page.limit);
  const notes = [
    ...part.notes,
    ...(note === undefined ? [] : [note]),
    ...(part.cut ? [cut] : []),
    ...(hasMore ? [own`next_offset: ${page.offset + part.shown}`] : []),
  ];
  return dataAnswer(theDatabase, [...part.lines, ...said], notes);
}
