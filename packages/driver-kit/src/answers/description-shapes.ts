import { filterOperators } from '../filter.ts';
import type { TableDescription } from '../table-description.ts';
import { assertDistinct, headMembers } from './row-shapes.ts';
import { isSameName } from './same-name.ts';
import {
  AnswerMismatch,
  anyText,
  byName,
  figure,
  list,
  mapOf,
  oneOf,
  orNull,
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
      record(
        { name: anyText, columns: list(orNull(anyText)), unique: truth },
        { partial: truth, detail: anyText },
      ),
    ),
    foreignKeys: list(record({ columns: texts, table: anyText, references: texts })),
    exampleQuery: anyText,
    notes: texts,
  },
  {
    ...summaryMembers.optional,
    readOnly: record({}, { insert: anyText, update: anyText, delete: anyText }),
    mixed: truth,
    searches: searchSupport,
    definition: anyText,
    countQuery: anyText,
    help: texts,
  },
);

/** Each name of a column in a description is a column of the table. */
const tableDescription: Shape = (value, spent) => {
  descriptionRecord(value, spent);
  const { columns, key, indexes, foreignKeys, searches } = value as TableDescription;
  const names = columns.map(({ name }) => name);
  assertDistinct(names, 'column');
  assertDistinct(key, 'key column');
  const known = new Set(names);
  const assertKnown = (what: string, named: readonly (string | null)[] = []) => {
    const missing = named.find((name) => name !== null && !known.has(name));
    if (missing === undefined) return;
    throw new AnswerMismatch(`${what} has the column ${quoted(missing!)}, which the table does not have`);
  };
  assertKnown('the key', key);
  for (const { name, inKey } of columns) {
    if (inKey !== key.includes(name)) {
      throw new AnswerMismatch(
        inKey ? 'it is true, and the key lacks the column' : 'it is false, and the key has the column',
      ).inside(`the column ${quoted(name)}.inKey`);
    }
  }
  for (const index of indexes) assertKnown(`the index ${quoted(index.name)}`, index.columns);
  for (const foreign of foreignKeys) assertKnown('a foreign key', foreign.columns);
  if (!searches) return;
  const { targetVectors, broughtVectors = [], options } = searches;
  assertKnown('keyword search', options?.keywordColumns);
  assertKnown('the grouping of a search', options?.groupBy?.columns);
  assertKnown('the reranking of a search', options?.rerank?.columns);
  const other = broughtVectors.find((name) => name !== '' && !targetVectors.includes(name));
  if (other !== undefined) throw new AnswerMismatch(`no target vector is called ${quoted(other)}`);
};

/** The description of the table with this name. */
export function describedAs(table: string): Shape {
  return (value, spent) => {
    tableDescription(value, spent);
    const { name } = value as TableDescription;
    if (!isSameName(table, name)) {
      throw new AnswerMismatch(`it is the table ${quoted(name)}, and ${quoted(table)} was asked for`);
    }
  };
}

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
