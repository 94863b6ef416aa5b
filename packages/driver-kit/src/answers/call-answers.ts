import { type Effect, exceeds } from '../effect.ts';
import type {
  BrowseRequest,
  FindReferencesRequest,
  ReadCellsRequest,
  ReadReferencesRequest,
} from '../row-requests.ts';
import type { SearchRequest } from '../search.ts';
import type { RunRequest, SessionMethod } from '../session.ts';
import { outcomesOf, previewsOf, written } from './change-answers.ts';
import {
  describedTables,
  editorSchema,
  partitions,
  tableDescription,
  tableStructure,
  tables,
} from './description-shapes.ts';
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
  describeTable: () => tableDescription,
  describeTables: ({ limit }: { limit: number }) => describedTables(limit),
  describeStructure: () => tableStructure,
  listPartitions: () => partitions,
  // The answers to these two are not read.
  activatePartition: () => nothing,
  createTable: () => nothing,
  browse: ({ limit, columns }: BrowseRequest) => page({ most: limit, columns, distinct: true }),
  search: ({ limit, columns, groupBy }: SearchRequest) => {
    const grouped = groupBy ? groupBy.groups * groupBy.rowsPerGroup : 0;
    return page({ most: Math.max(limit, grouped), columns, distinct: true });
  },
  count: () => wholeNumber,
  readCells: ({ keys, columns }: ReadCellsRequest) => rowSet({ most: keys.length, columns, distinct: true }),
  readReferences: ({ cells }: ReadReferencesRequest) => {
    const shape = list(list(reference));
    return (value, spent) => {
      shape(value, spent);
      const sent = (value as unknown[]).length;
      if (sent !== cells.length) {
        throw new AnswerMismatch(
          `${figure(cells.length)} cells were asked for, and ${figure(sent)} lists sent`,
        );
      }
    };
  },
  findReferences: ({ limit }: FindReferencesRequest) => list(reference, limit),
  classify: () => record({ effect, summary: anyText }, { tables: texts }),
  measure: () => loss,
  run: (request: RunRequest) => runOutcome(request),
  settleChanges: outcomesOf,
  previewChanges: previewsOf,
  showRequest: () => list(record({ label: anyText, language: anyText, text: anyText })),
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

const loss = record({
  tables: list(record({ table: anyText, rows: orNull(wholeNumber) }, { partition: anyText })),
  cascades: truth,
  schema: anyText,
});

const scorePart = record({ share: anyNumber }, { score: anyNumber });

const explanation = record(
  {},
  {
    terms: list(record({ term: anyText, count: anyNumber }, { length: anyNumber })),
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
  const shape = record({ effect, results: list(result), messages: list(message) }, { written });
  return (value, spent) => {
    shape(value, spent);
    const { effect: had } = value as { effect: Effect };
    if (exceeds(had, ceiling)) {
      throw new AnswerMismatch(`the statement had the effect ${had}, and only ${ceiling} was allowed`);
    }
  };
}
