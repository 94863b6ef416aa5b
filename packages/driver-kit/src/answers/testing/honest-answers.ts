import type { Change, SaveRequest } from '../../changes.ts';
import type { ColumnDescription, TableDescription } from '../../table-description.ts';
import type { RowSet } from '../../values.ts';
import type { AnsweringMethod } from '../call-answers.ts';
import type { StreamingMethod } from '../check-answer.ts';

/** One call of each method, and an honest answer that has each member. */
export interface HonestCall {
  request: unknown;
  answer: unknown;
}

const all = { table: 'planets', filters: [], match: 'all', sort: [], offset: 0 };

const rows: RowSet = {
  rowCount: 2,
  columns: [
    {
      name: 'name',
      type: 'text',
      nativeType: 'TEXT',
      origin: { table: 'planets', column: 'name' },
      masked: false,
      isMeasure: false,
    },
    { name: 'vector', type: 'vector', nativeType: 'float32[2]' },
  ],
  values: [
    { kind: 'cells', cells: ['Earth', null] },
    {
      kind: 'vectors',
      dimensions: 2,
      floats: new Float32Array([1, 2, 3, 4]),
      present: new Uint8Array([1, 0]),
    },
  ],
};

const found: RowSet = { ...rows, values: [{ kind: 'cells', cells: ['Earth', 'Mars'] }, rows.values[1]!] };

const column: ColumnDescription = {
  ...rows.columns[0]!,
  nullable: true,
  inKey: true,
  operators: [{ operator: 'equals', refusal: 'No index', matching: 'Ignores case' }],
  readOnly: 'Computed',
  insertable: true,
  defaultText: "'x'",
  deferred: false,
  hidden: false,
  unsortable: 'Too long',
  matching: 'By words',
  references: ['moons'],
  vector: { distance: 'cosine' },
  valueForm: 'A name',
  comment: 'The name',
};

const description: TableDescription = {
  name: 'planets',
  kind: 'table',
  partitioned: false,
  comment: 'Planets',
  dropText: 'DROP TABLE planets',
  columns: [column],
  key: ['name'],
  readOnly: { insert: 'no', update: 'no', delete: 'no' },
  indexes: [{ name: 'byName', columns: ['name'], unique: true, partial: false, detail: 'x' }],
  foreignKeys: [{ columns: ['name'], table: 'moons', references: ['planet'] }],
  searches: {
    modes: [{ mode: 'keyword', refusal: 'none' }],
    targetVectors: ['vector'],
    broughtVectors: ['vector'],
    options: {
      fusions: [{ name: 'ranked', label: 'Ranked' }],
      autocut: ['hybrid'],
      maxDistance: ['near_text'],
      keywordColumns: ['name'],
      allWords: true,
      joins: [{ name: 'sum', label: 'Sum', weighted: true }],
      groupBy: { columns: ['name'], refusal: 'none' },
      rerank: { columns: ['name'], refusal: 'none' },
    },
  },
  definition: 'CREATE TABLE planets (name TEXT)',
  exampleQuery: 'SELECT * FROM planets',
  countQuery: 'SELECT name, count(*) FROM planets GROUP BY name',
  notes: ['A note'],
  help: ['A line'],
};

const reference = { table: 'moons', key: { uuid: 'a' }, title: 'Moon', value: { beacon: 'a' } };

const changes: Change[] = [
  { kind: 'insert', id: 'a', values: { name: 'Mars' } },
  { kind: 'delete', id: 'b', key: { name: 'Earth' } },
  {
    kind: 'update',
    id: 'c',
    key: { name: 'Venus' },
    values: { moons: 1 },
    expected: { moons: 0, rings: 'none' },
  },
];

const outcomes = [
  { id: 'a', status: 'applied', key: { name: 'Mars' }, warning: 'Slow' },
  {
    id: 'b',
    status: 'failed',
    error: { code: 'above_ceiling', message: 'Refused', hint: 'Try again', needs: 'write' },
  },
  { id: 'c', status: 'conflict', theirs: { moons: 2, rings: 'none' } },
];

const page = { rows, note: 'The last page', depth: 100 };

export const honestCalls: Record<
  Exclude<AnsweringMethod, 'activatePartition' | 'createTable'>,
  HonestCall
> = {
  health: { request: undefined, answer: { warning: 'The disk is full' } },
  listTables: {
    request: undefined,
    answer: [
      { name: 'planets', kind: 'table', partitioned: true, comment: 'x', dropText: 'DROP TABLE planets' },
    ],
  },
  describeTable: { request: 'planets', answer: description },
  describeTables: { request: { limit: 2 }, answer: { tables: [description], total: 1 } },
  describeStructure: {
    request: 'planets',
    answer: {
      sections: [
        { title: 'Facts', aside: true, kind: 'facts', facts: [{ name: 'Rows', value: '2' }] },
        { title: 'Columns', kind: 'table', columns: ['Name', 'Key'], rows: [['name', true]] },
        { title: 'Statement', kind: 'code', text: 'CREATE TABLE' },
      ],
    },
  },
  listPartitions: { request: 'planets', answer: [{ name: 'a', unavailable: 'Cold', activates: true }] },
  browse: { request: { ...all, limit: 2 }, answer: page },
  search: {
    request: {
      ...{ ...all, mode: 'hybrid', limit: 2, columns: ['name'], explain: true },
      groupBy: { column: 'name', groups: 2, rowsPerGroup: 1 },
    },
    answer: {
      ...page,
      groups: [
        { value: 'a', rows: 1 },
        { value: 'b', rows: 1 },
      ],
      explanations: [
        { terms: [{ term: 'x', column: 'a', count: 1 }], unknown: ['b'], keyword: { share: 0.5, score: 1 } },
        { vector: { share: 0.5, score: 1 } },
      ],
    },
  },
  count: { request: all, answer: 2 },
  aggregate: {
    request: { ...all, by: ['name'], measured: [{ column: 'moons', measure: 'max' }], groups: 5 },
    answer: {
      rows: {
        rowCount: 1,
        columns: ['name', 'rows', 'max(moons)'].map((name) => ({ name, type: 'any', nativeType: '' })),
        values: [['Mars'], [1], [2]].map((cells) => ({ kind: 'cells', cells })),
      },
      hasMore: true,
      note: 'Objects without a value: 2',
    },
  },
  readCells: {
    request: { table: 'planets', keys: [{ name: 'Earth' }, { name: 'Mars' }], columns: ['vector'] },
    answer: found,
  },
  readReferences: {
    request: { table: 'planets', column: 'moon', cells: [[{ beacon: 'a' }], []] },
    answer: [[reference], []],
  },
  findReferences: {
    request: { table: 'planets', column: 'moon', text: '', limit: 1 },
    answer: [reference],
  },
  classify: {
    request: 'SELECT 1',
    answer: { effect: 'read', summary: 'Reads planets', tables: ['planets'] },
  },
  measure: {
    request: { text: 'DELETE FROM planets' },
    answer: { tables: [{ table: 'planets', partition: 'a', rows: 2 }], cascades: false, schema: 'x' },
  },
  run: {
    request: { text: 'SELECT 1', ceiling: 'write', limit: 2 },
    answer: {
      effect: 'write',
      written: { changed: 1, inserted: 0 },
      results: [
        { kind: 'rows', title: 'planets', rows, truncated: false },
        { kind: 'document', title: 'answer', document: { data: [1, 'x', null] } },
        { kind: 'affected', title: 'planets', rows: 2 },
      ],
      messages: [{ level: 'warning', text: 'Slow', path: ['data', 0] }],
    },
  },
  settleChanges: { request: { table: 'planets', changes }, answer: outcomes },
  previewChanges: {
    request: { table: 'planets', changes },
    answer: changes.map(({ id }) => ({ id, text: 'DELETE FROM planets' })),
  },
  showRequest: {
    request: { kind: 'browse', request: { ...all, limit: 2 } },
    answer: [{ label: 'SQL', language: 'sql', text: 'SELECT 1' }],
  },
  designForm: {
    request: undefined,
    answer: {
      groups: [
        {
          title: 'Orbits',
          fields: [
            {
              ...{ id: 'orbit', label: 'Orbit', type: 'choice', default: 'round', later: 'copy' },
              ...{ help: 'Its form', advanced: true, visibleWhen: [{ field: 'moon', oneOf: [true] }] },
              choices: [{ value: 'round', label: 'Round', help: 'A circle' }],
            },
            { id: 'moon', label: 'Moon', type: 'boolean', default: false, later: 'now' },
            {
              id: 'size',
              label: 'Size',
              type: 'number',
              default: 1,
              min: 0,
              max: 9,
              whole: true,
              later: 'now',
            },
            { id: 'rings', label: 'Rings', type: 'texts', default: [], later: 'task' },
          ],
        },
      ],
      parts: [
        {
          id: 'columns',
          terms: ['column', 'columns'],
          fields: [
            { id: 'name', label: 'Name', type: 'text', default: '', placeholder: 'name', later: 'copy' },
            { id: 'of', label: 'Of', type: 'items', part: 'columns', default: [], later: 'copy' },
            { id: 'to', label: 'To', type: 'tables', default: [], later: 'copy' },
            { id: 'more', label: 'More', type: 'json', default: '{}', later: 'copy' },
          ],
          nesting: { field: 'name', oneOf: ['object'] },
          add: 'now',
          remove: 'copy',
        },
      ],
    },
  },
  readDesign: {
    request: { table: 'planets' },
    answer: {
      name: 'planets',
      fields: { moon: true },
      parts: { columns: [{ fields: { name: 'object' }, items: [{ fields: { name: 'inner' } }] }] },
      definition: '{}',
    },
  },
  planDesign: {
    request: { design: { name: 'planets', fields: {}, parts: {} } },
    answer: {
      problems: [{ problem: 'Two have this name', field: 'name', part: 'columns', item: [0, 1] }],
      steps: [
        {
          ...{ later: 'now', title: 'Add', text: 'POST /x', cost: 'Much', undo: 'Remove it' },
          changes: [{ label: 'moon', from: 'No', to: 'Yes' }],
        },
      ],
      code: [{ label: 'Python', language: 'python', text: 'x' }],
      seen: 'abc',
    },
  },
  nextStep: {
    request: { act: { kind: 'create', design: { name: 'planets', fields: {}, parts: {} } }, state: null },
    answer: { kind: 'wait', title: 'Indexing', seconds: 1, state: { sent: 1 }, progress: 0.5 },
  },
  convertStatement: {
    request: 'SELECT 1',
    answer: [{ label: 'SQL', language: 'sql', text: 'SELECT 1' }],
  },
  changeMark: { request: 'planets', answer: 'mark' },
  editorSchema: {
    request: undefined,
    answer: {
      language: 'graphql',
      sdl: 'type Query { a: Int }',
      requests: {
        prefix: '/v1',
        paths: [{ method: 'GET', path: '/schema', summary: 'Reads', parameters: ['limit'], body: '{}' }],
      },
    },
  },
};

const save: SaveRequest = { table: 'planets', changes, rowTimeoutMs: 1000 };

/** The items of one stream of each method. */
export const honestStreams: Record<StreamingMethod, { request: unknown; items: unknown[] }> = {
  exportRows: { request: { ...all, vectors: ['vector'] }, items: [rows, rows] },
  sampleRows: { request: { ...all, rows: 4 }, items: [rows, rows] },
  applyChanges: {
    request: save,
    items: [
      { sent: ['a', 'b', 'c'], keys: { a: { name: 'Mars' } }, outcomes: [] },
      { sent: [], outcomes, written: { changed: 1, inserted: 1 } },
    ],
  },
  importRows: {
    request: { ...save, changes: [changes[0]] },
    items: [{ sent: ['a'], outcomes: [{ id: 'a', status: 'skipped', existing: true }] }],
  },
};
