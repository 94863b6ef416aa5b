import { filterOperators } from '../filter.ts';
import { assertDistinct, headMembers } from './row-shapes.ts';
import {
  AnswerMismatch,
  anyText,
  byName,
  figure,
  list,
  mapOf,
  oneOf,
  quoted,
  record,
  type Shape,
  truth,
  wholeNumber,
} from './shape.ts';

const texts = list(anyText);

const summaryMembers = {
  required: { name: anyText, kind: oneOf(['table', 'view', 'collection']) },
  optional: { partitioned: truth, comment: anyText, dropText: anyText },
};

export const tableSummary = record(summaryMembers.required, summaryMembers.optional);

const operatorSupport = record({ operator: oneOf(filterOperators) }, { refusal: anyText, matching: anyText });

const column = record(
  { ...headMembers.required, nullable: truth, inKey: truth, operators: list(operatorSupport) },
  {
    ...headMembers.optional,
    readOnly: anyText,
    insertable: truth,
    defaultText: anyText,
    deferred: truth,
    hidden: truth,
    unsortable: anyText,
    matching: anyText,
    references: texts,
    vector: record({ distance: oneOf(['cosine', 'euclidean']) }),
    valueForm: anyText,
    comment: anyText,
  },
);

const searchMode = oneOf(['near_text', 'near_vector', 'near_object', 'keyword', 'hybrid']);
const choiceMembers = { name: anyText, label: anyText };
const columnsOrRefusal = record({ columns: texts }, { refusal: anyText });

const searchSupport = record(
  { modes: list(record({ mode: searchMode }, { refusal: anyText })), targetVectors: texts },
  {
    broughtVectors: texts,
    options: record(
      {},
      {
        fusions: list(record(choiceMembers)),
        autocut: list(searchMode),
        maxDistance: list(searchMode),
        keywordColumns: texts,
        allWords: truth,
        joins: list(record(choiceMembers, { weighted: truth })),
        groupBy: columnsOrRefusal,
        rerank: columnsOrRefusal,
      },
    ),
  },
);

const descriptionRecord = record(
  {
    ...summaryMembers.required,
    columns: list(column),
    key: texts,
    indexes: list(
      record({ name: anyText, columns: texts, unique: truth }, { partial: truth, detail: anyText }),
    ),
    foreignKeys: list(record({ columns: texts, table: anyText, references: texts })),
    exampleQuery: anyText,
    notes: texts,
  },
  {
    ...summaryMembers.optional,
    readOnly: record({}, { insert: anyText, update: anyText, delete: anyText }),
    searches: searchSupport,
    definition: anyText,
    countQuery: anyText,
    help: texts,
  },
);

export const tableDescription: Shape = (value, spent) => {
  descriptionRecord(value, spent);
  const { columns, key } = value as { columns: { name: string }[]; key: string[] };
  const names = columns.map(({ name }) => name);
  assertDistinct(names, 'column');
  assertDistinct(key, 'key column');
  const known = new Set(names);
  const missing = key.find((name) => !known.has(name));
  if (missing !== undefined) {
    throw new AnswerMismatch(`the key has the column ${quoted(missing)}, which the table does not have`);
  }
};

const tableList = list(tableSummary);

export const tables: Shape = (value, spent) => {
  tableList(value, spent);
  const names = (value as { name: string }[]).map(({ name }) => name);
  assertDistinct(names, 'table');
};

export function describedTables(limit: number): Shape {
  const shape = record({ tables: list(tableDescription, limit), total: wholeNumber });
  return (value, spent) => {
    shape(value, spent);
    const { tables: found, total } = value as { tables: { name: string }[]; total: number };
    if (found.length > total) {
      throw new AnswerMismatch(`${figure(total)} tables announced, ${figure(found.length)} sent`);
    }
    const names = found.map(({ name }) => name);
    assertDistinct(names, 'table');
  };
}

const fact = record({ name: anyText, value: anyText });
const mark: Shape = (value, spent) => (typeof value === 'boolean' ? spent.add(8) : anyText(value, spent));
const sectionMembers = { title: anyText };
const sectionOptions = { aside: truth };

const sections: Record<string, Shape> = {
  facts: record({ ...sectionMembers, kind: anyText, facts: list(fact) }, sectionOptions),
  table: (value, spent) => {
    tableSection(value, spent);
    const { columns, rows } = value as { columns: string[]; rows: unknown[][] };
    const other = rows.find((row) => row.length !== columns.length);
    if (other) {
      throw new AnswerMismatch(
        `${figure(columns.length)} columns announced, ${figure(other.length)} cells in a row`,
      );
    }
  },
  code: record({ ...sectionMembers, kind: anyText, text: anyText }, sectionOptions),
};

const tableSection: Shape = record(
  { ...sectionMembers, kind: anyText, columns: texts, rows: list(list(mark)) },
  sectionOptions,
);

export const tableStructure = record({ sections: list(byName('kind', sections)) });

const partitionList = list(record({ name: anyText }, { unavailable: anyText, activates: truth }));

export const partitions: Shape = (value, spent) => {
  partitionList(value, spent);
  assertDistinct(
    (value as { name: string }[]).map(({ name }) => name),
    'partition',
  );
};

const requestPath = record(
  { method: anyText, path: anyText, summary: anyText },
  { parameters: texts, body: anyText },
);

export const editorSchema = byName('language', {
  sql: record({ language: anyText, tables: mapOf(texts) }),
  graphql: record(
    { language: anyText, sdl: anyText },
    { requests: record({ paths: list(requestPath) }, { prefix: anyText }) },
  ),
});
