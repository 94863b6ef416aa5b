import { type Aggregated, type AggregateRequest, aggregateNames } from '../aggregate.ts';
import { exceeds } from '../effect.ts';
import type { BrowseRequest, FindReferencesRequest, Page, ReadReferencesRequest } from '../row-requests.ts';
import type { SearchRequest } from '../search.ts';
import type { RunOutcome, RunRequest, SessionMethod } from '../session.ts';
import { outcomesOf, previewsOf, written } from './change-answers.ts';
import {
  describedAs,
  describedTables,
  editorSchema,
  partitions,
  tableStructure,
  tables,
} from './description-shapes.ts';
import { actStep, design, designForm, designPlan, requestCode } from './design-answers.ts';
import { keyedRows } from './keyed-rows.ts';
import { type ExpectedRows, rowSet } from './row-shapes.ts';
import {
  AnswerMismatch,
  anyNumber,
  anyText,
  byName,
  figure,
  list,
  mapOf,
  oneOf,
  orNull,
  plainData,
  record,
  type Shape,
  textUpTo,
  tooMany,
  truth,
  wholeNumber,
} from './shape.ts';

/** The methods with one answer. A stream is checked by `checkedItems`. */
export type AnsweringMethod = Exclude<
  SessionMethod,
  'close' | 'exportRows' | 'sampleRows' | 'applyChanges' | 'importRows'
>;

const texts = list(anyText);
const effect = oneOf(['read', 'write', 'destroy']);
const nothing: Shape = () => {};

/** What the answer to a call must look like, by its arguments. */
export const callAnswers: Record<AnsweringMethod, (request: never) => Shape> = {
  health: () => record({}, { warning: anyText }),
  listTables: () => tables,
  describeTable: describedAs,
  describeTables: ({ limit }: { limit: number }) => describedTables(limit),
  describeStructure: () => tableStructure,
  listPartitions: () => partitions,
  // The answers to these two are not read.
  activatePartition: () => nothing,
  createTable: () => nothing,
  designForm: () => designForm,
  readDesign: () => design,
  planDesign: () => designPlan,
  nextStep: () => actStep,
  browse: ({ limit, columns }: BrowseRequest) => foundPage({ limit, columns }),
  search: foundPage,
  count: () => wholeNumber,
  aggregate: aggregated,
  readCells: keyedRows,
  readReferences: targetsOf,
  findReferences: ({ limit }: FindReferencesRequest) => list(reference, limit),
  classify: () => record({ effect, summary: anyText }, { clientEffect: effect, tables: texts }),
  measure: () => loss,
  run: (request: RunRequest) => runOutcome(request),
  settleChanges: outcomesOf,
  previewChanges: previewsOf,
  showRequest: () => list(requestCode),
  convertStatement: () => list(requestCode),
  editorSchema: () => editorSchema,
  // The app keeps the marks of many tables.
  changeMark: () => orNull(textUpTo(1_000)),
};

const reference = record({
  table: anyText,
  key: mapOf(plainData),
  title: orNull(anyText),
  value: plainData,
});

/** One list for each cell. A cell is a list, and each of its elements refers to at most one row. */
function targetsOf({ cells }: ReadReferencesRequest): Shape {
  const shape = list(list(reference));
  return (value, spent) => {
    shape(value, spent);
    const lists = value as unknown[][];
    if (lists.length !== cells.length) {
      throw new AnswerMismatch(
        `${figure(cells.length)} cells were asked for, and ${figure(lists.length)} lists sent`,
      );
    }
    for (const [index, { length }] of lists.entries()) {
      const cell = cells[index]!;
      const most = Array.isArray(cell) ? cell.length : Number(cell !== null);
      if (length > most) {
        throw new AnswerMismatch(`${figure(length)} rows for a cell that refers to ${figure(most)}`).inside(
          index,
        );
      }
    }
  };
}

const loss = record({
  tables: list(record({ table: anyText, rows: orNull(wholeNumber) }, { partition: anyText })),
  cascades: truth,
  schema: anyText,
});

const scorePart = record({ share: anyNumber }, { score: anyNumber });

const explanation = record(
  {},
  {
    terms: list(record({ term: anyText, column: anyText, count: anyNumber })),
    unknown: list(anyText),
    keyword: scorePart,
    vector: scorePart,
  },
);

function page(expected: ExpectedRows): Shape {
  const shape = record(
    { rows: rowSet(expected) },
    {
      groups: list(record({ value: anyText, rows: wholeNumber })),
      note: anyText,
      depth: wholeNumber,
      explanations: list(explanation),
    },
  );
  return (value, spent) => {
    shape(value, spent);
    const { rows, groups, explanations } = value as {
      rows: { rowCount: number };
      groups?: { rows: number }[];
      explanations?: unknown[];
    };
    const inGroups = groups?.reduce((sum, group) => sum + group.rows, 0) ?? rows.rowCount;
    if (inGroups !== rows.rowCount) {
      throw new AnswerMismatch(`the groups have ${figure(inGroups)} rows, the page ${figure(rows.rowCount)}`);
    }
    if (explanations && explanations.length !== rows.rowCount) {
      throw new AnswerMismatch(
        `${figure(rows.rowCount)} rows sent, with ${figure(explanations.length)} explanations`,
      );
    }
  };
}

/** A page of hits. It has groups or explanations only if the request asks for them. */
function foundPage({
  limit,
  columns,
  groupBy,
  explain,
}: { columns?: string[] | undefined } & Pick<SearchRequest, 'limit' | 'groupBy' | 'explain'>): Shape {
  const grouped = groupBy ? groupBy.groups * groupBy.rowsPerGroup : 0;
  const shape = page({ most: Math.max(limit, grouped), columns, distinct: true });
  return (value, spent) => {
    shape(value, spent);
    const { groups, explanations } = value as Page;
    if (explanations && !explain) throw new AnswerMismatch('it has explanations, which were not asked for');
    if (!groups) return;
    if (!groupBy) throw new AnswerMismatch('it has groups, which were not asked for');
    if (groups.length > groupBy.groups) throw tooMany(groups.length, groupBy.groups).inside('groups');
    const large = groups.find(({ rows }) => rows > groupBy.rowsPerGroup);
    if (large) throw tooMany(large.rows, groupBy.rowsPerGroup).inside('groups');
  };
}

function aggregated(request: AggregateRequest): Shape {
  const { by, groups } = request;
  const names = aggregateNames(request);
  const rows = rowSet({ most: by.length === 0 ? 1 : groups, columns: names, distinct: true });
  const shape = record({ rows, hasMore: truth }, { note: anyText });
  return (value, spent) => {
    shape(value, spent);
    const { rows: found, hasMore } = value as Aggregated;
    if (found.columns.length !== names.length)
      throw new AnswerMismatch('it has columns that were not asked for');
    if (by.length === 0 && (found.rowCount !== 1 || hasMore)) {
      throw new AnswerMismatch('without groups, it must have one row');
    }
  };
}

const message = record(
  { level: oneOf(['error', 'warning', 'info']), text: anyText },
  {
    path: list((value, spent) =>
      typeof value === 'number' ? anyNumber(value, spent) : anyText(value, spent),
    ),
  },
);

function runOutcome({ limit, ceiling }: RunRequest): Shape {
  const result = byName('kind', {
    rows: record({ kind: anyText, rows: rowSet({ most: limit }), truncated: truth }, { title: anyText }),
    document: record({ kind: anyText, document: plainData }, { title: anyText }),
    affected: record({ kind: anyText, rows: wholeNumber }, { title: anyText }),
  });
  const shape = record(
    { effect, results: list(result), messages: list(message) },
    { written, sent: record({ words: anyText, requests: list(requestCode) }) },
  );
  return (value, spent) => {
    shape(value, spent);
    const { effect: had, written: rows } = value as Pick<RunOutcome, 'effect' | 'written'>;
    if (exceeds(had, ceiling)) {
      throw new AnswerMismatch(`the statement had the effect ${had}, and only ${ceiling} was allowed`);
    }
    if (had === 'read' && rows && rows.changed + rows.inserted > 0) {
      throw new AnswerMismatch('the statement had the effect read, and wrote rows');
    }
  };
}
