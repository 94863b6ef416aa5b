import { describe, expect, test } from 'vitest';
import type { AnsweringMethod } from './call-answers.ts';
import {
  AnswerMismatch,
  checkAnswer,
  checkCapabilities,
  checkError,
  checkServerInfo,
  checkStream,
  type StreamingMethod,
} from './check-answer.ts';
import { honestCalls, honestStreams } from './testing/honest-answers.ts';

const calls = Object.entries(honestCalls) as [AnsweringMethod, (typeof honestCalls)['browse']][];
const streams = Object.entries(honestStreams) as [StreamingMethod, (typeof honestStreams)['exportRows']][];

/** Values of every type that can cross the link. */
const others: unknown[] = [
  undefined,
  null,
  7,
  'text',
  true,
  10n,
  [],
  {},
  new Map([['length', 1e9]]),
  new Set(['a']),
  new Date(0),
  new Uint8Array(3),
  new Float32Array(3),
  new Float64Array(4),
];

const wrongCounts = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 1e9];

/** Places that hold any plain data of the database. */
const isData = (path: string) =>
  /\.(cells|document|key|keys|theirs)\.|\.keys\.[a-z]|\d\.value(\.|$)|\.document$|\.oneOf\.|\.state(\.|$)|\.fields\.[a-z]/.test(
    path,
  );

/** Places that hold one of two types. */
const mayAlsoBe = (path: string, other: unknown) =>
  (other === null && /\.(title|rows|theirs)$|\.indexes\.\d\.columns\.\d$/.test(path)) ||
  (typeof other === 'boolean' && /\.sections\.\d\.rows\./.test(path)) ||
  (typeof other === 'string' && /\.sections\.\d\.rows\./.test(path)) ||
  (/\.path\.\d$/.test(path) && /string|number/.test(typeof other)) ||
  (other === undefined && isOptional(path));

const isOptional = (path: string) =>
  /\.(visibleWhen|advanced|min|max|whole|placeholder|nesting|seen|progress|items)$|\.steps\.\d\.(text|cost|undo)$|\.problems\.\d\.(field|part|item)$/.test(
    path,
  ) ||
  /\.(warning|partitioned|comment|dropText|readOnly|insert|update|delete|partial|detail|searches|refusal|broughtVectors|options|fusions|autocut|maxDistance|keywordColumns|allWords|joins|weighted|groupBy|rerank|definition|countQuery|help|origin|masked|isMeasure|insertable|defaultText|deferred|hidden|unsortable|matching|references|vector|valueForm|aside|unavailable|activates|note|depth|groups|explanations|terms|unknown|keyword|score|tables|partition|title|existing|error|key|hint|needs|written|keys|requests|prefix|parameters|body|path|theirs)$/.test(
    path,
  );

/** Every place of an answer, and the answer with another value there. */
function* lies(
  answer: unknown,
  path = 'answer',
): Generator<{ path: string; is: unknown; put(other: unknown): unknown }> {
  yield { path, is: answer, put: (other) => other };
  if (typeof answer !== 'object' || answer === null || ArrayBuffer.isView(answer) || isData(`${path}.`))
    return;
  for (const [name, member] of Object.entries(answer)) {
    for (const lie of lies(member, `${path}.${name}`)) {
      const put = (other: unknown) => {
        const copy = (Array.isArray(answer) ? [...answer] : { ...answer }) as Record<string, unknown>;
        copy[name] = lie.put(other);
        return copy;
      };
      yield { ...lie, put };
    }
  }
}

/** The paths at which a value of another type is accepted. */
function accepted(answer: unknown, check: (lie: unknown) => void): string[] {
  return [...lies(answer)].flatMap(({ path, is, put }) =>
    others
      .filter((other) => typeOf(other) !== typeOf(is) && !isData(path) && !mayAlsoBe(path, other))
      // A driver may have no mark for a change.
      .filter((other) => other !== null || is !== 'mark')
      .filter((other) => problemOf(() => check(put(other))) === undefined)
      .map((other) => `${path}: ${typeOf(other)}`),
  );
}

const isBounded = (path: string) => /rowCount|dimensions|groups/.test(path);

/** The paths at which a wrong number is accepted. */
function acceptedCounts(answer: unknown, check: (lie: unknown) => void): string[] {
  return [...lies(answer)].flatMap(({ path, is, put }) =>
    wrongCounts
      .filter(
        () =>
          typeof is === 'number' && !isData(path) && !/explanations|path\.\d|\.fields\.|progress/.test(path),
      )
      .filter((other) => other !== 1e9 || isBounded(path))
      .filter((other) => problemOf(() => check(put(other))) === undefined)
      .map((other) => `${path}: ${other}`),
  );
}

describe.each(calls)('%s', (method, { request, answer }) => {
  const check = (given: unknown) => checkAnswer(method, [request], given);

  test('an honest answer passes', () => expect(problemOf(() => check(answer))).toBeUndefined());

  test('a value of another type is a mismatch in each place', () => {
    expect(accepted(answer, check)).toEqual([]);
  });

  test('a count that cannot be is a mismatch', () => {
    expect(acceptedCounts(answer, check)).toEqual([]);
  });
});

describe.each(streams)('%s', (method, { request, items }) => {
  const check = (given: unknown) => follow(method, request, given as unknown[]);

  test('honest items pass', () => expect(problemOf(() => check(items))).toBeUndefined());

  test('a value of another type is a mismatch in each place', () => {
    const inItems = (given: unknown) => check(Array.isArray(given) ? given : [given]);
    expect(accepted(items, inItems).filter((path) => !/^answer: /.test(path))).toEqual([]);
  });
});

const cells = (values: unknown[]) => ({ kind: 'cells', cells: values });
const head = (name: string) => ({ name, type: 'text', nativeType: 'text' });
const page = (rowCount: unknown, values: unknown[], names = ['a']) => ({
  rows: { rowCount, columns: names.map(head), values },
});
const nested = (depth: number) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};
/** Twenty-five lists, each twice in the next: 2^25 values in a message of 150 bytes. */
const doubled = () => {
  let value: unknown = [1];
  for (let level = 0; level < 25; level++) value = [value, value];
  return value;
};
const cyclic = () => {
  const value: unknown[] = [];
  value.push(value);
  return value;
};

test.each<[string, unknown, string]>([
  [
    'more rows than cells',
    page(1e9, [cells(['x'])]),
    '1,000,000,000 rows announced, and at most 10 were asked for',
  ],
  ['one row too many', page(2, [cells(['x'])]), '2 rows announced, 1 sent'],
  ['one cell too many', page(1, [cells(['x', 'y'])]), '1 rows announced, 2 sent'],
  ['a sparse list', page(1, [cells(Object.assign([], { length: 1_000_000_000 }))]), '1,000,000,000 sent'],
  ['a hole', page(2, [cells(Object.assign(['x'], { length: 2 }))]), 'undefined'],
  ['more columns than values', page(1, [], ['a']), '1 columns announced, 0 sent'],
  ['more values than columns', page(1, [cells(['x']), cells(['x'])]), '1 columns announced, 2 sent'],
  [
    'two columns of one name',
    page(1, [cells(['x']), cells(['x'])], ['a', 'a']),
    'two columns are called "a"',
  ],
  ['a cycle', page(1, [cells([cyclic()])]), 'nested more than 500 deep'],
  ['a deep cell', page(1, [cells([nested(501)])]), 'nested more than 500 deep'],
  ['a cell that doubles', page(1, [cells([doubled()])]), 'too large'],
  [
    'one column a million times',
    page(1, Array(1e6).fill(cells(['x'.repeat(1000)])), Array(1e6).fill('a')),
    '',
  ],
  ['a Map in a cell', page(1, [cells([{ a: new Map() }])]), 'an object of the class Map, not a plain object'],
  ['a Date in a cell', page(1, [cells([new Date(0)])]), 'Date'],
  ['an Error in a cell', page(1, [cells([new Error('x')])]), 'Error'],
  ['floats in a cell', page(1, [cells([new Float32Array(1)])]), 'Float32Array'],
  ['a huge integer', page(1, [cells([2n ** 4000n])]), 'more than 128 bits'],
  ['65 MB of text', page(2, [cells(['x'.repeat(34e6), 'x'.repeat(34e6)])]), 'too large'],
  [
    'vectors that are too short',
    page(2, [{ kind: 'vectors', dimensions: 3, floats: new Float32Array(5), present: new Uint8Array(2) }]),
    '2 vectors of 3 numbers announced, 5 numbers sent',
  ],
  [
    'marks that are too short',
    page(2, [{ kind: 'vectors', dimensions: 3, floats: new Float32Array(6), present: new Uint8Array(1) }]),
    '2 rows announced, 1 sent',
  ],
  [
    'vectors of 1e300 numbers',
    page(0, [
      { kind: 'vectors', dimensions: 1e300, floats: new Float32Array(0), present: new Uint8Array(0) },
    ]),
    'dimensions: it is 1e+300, not a whole number from 0',
  ],
  ['an unread member that is no data', { ...page(1, [cells(['x'])]), other: new Map() }, '"other"'],
  ['an unread member that doubles', { ...page(1, [cells(['x'])]), other: doubled() }, 'too large'],
  ['a long member name', { ...page(1, [cells(['x'])]), ['x'.repeat(1e6)]: new Map() }, '…'],
])('a page with %s is a mismatch', (_, answer, problem) => {
  const request = { table: 'planets', filters: [], match: 'all', sort: [], limit: 10, offset: 0 };
  expect(problemOf(() => checkAnswer('browse', [request], answer))).toContain(problem);
});

test.each<[string, unknown]>([
  ['a column of any legal name', page(1, [cells(['x']), cells([1])], ['__proto__', 'constructor'])],
  ['the column with the empty name', page(1, [cells(['x'])], [''])],
  ['odd numbers', page(4, [cells([-0, Number.NaN, Number.POSITIVE_INFINITY, 9007199254740993n])])],
  [
    'JSON, bytes and nothing',
    page(4, [cells([{ __proto__: null, a: [{}, null] }, new Uint8Array(2), null, []])]),
  ],
  ['a member that a newer kit may send', { ...page(1, [cells(['x'])]), newer: { a: [1] } }],
  ['an optional member that is undefined', { ...page(1, [cells(['x'])]), note: undefined }],
  ['no rows and no columns', page(0, [], [])],
])('a page with %s passes', (_, answer) => {
  const request = { table: 'planets', filters: [], match: 'all', sort: [], limit: 10, offset: 0 };
  expect(problemOf(() => checkAnswer('browse', [request], answer))).toBeUndefined();
});

test.each<[AnsweringMethod, unknown, (honest: unknown[] & { tables: unknown[] }) => unknown, string]>([
  ['browse', { limit: 1e9 }, () => page(1e9, [], []), 'no column sent'],
  ['browse', { limit: 2, columns: ['moon'] }, (honest) => honest, 'the column "moon" is missing'],
  ['search', honestCalls.search.request, (honest) => ({ ...honest, explanations: [{}] }), '1 explanations'],
  ['search', honestCalls.search.request, (honest) => ({ ...honest, groups: [] }), 'the groups have 0 rows'],
  ['readCells', { keys: [{}], columns: [] }, (honest) => honest, '2 rows announced, and at most 1'],
  ...(
    [
      [[{ name: 'Venus' }, { name: 'Mars' }], 'row 0 is none of the rows that were asked for'],
      [[{ name: 'Earth' }, { name: 'Venus' }], 'row 1 is none of the rows that were asked for'],
      [[{ name: 'Mars' }, { name: 'Earth' }], 'row 1 is none of the rows that were asked for, or not in'],
      [[{ name: 'Earth' }, { name: 'Earth' }], 'row 1 is none of the rows that were asked for'],
      [[{ name: 'Earth' }, { name: null }], 'row 1 is none of the rows that were asked for'],
      [
        [
          { name: 'Earth', star: 'Sun' },
          { name: 'Mars', star: 'Sun' },
        ],
        'the key column "star" is missing',
      ],
      [[{ vector: [1, 2] }, { vector: [3, 4] }], 'row 1 is none of the rows that were asked for'],
      [[JSON.parse('{"__proto__": 1}'), {}], 'the key column "__proto__" is missing'],
    ] as const
  ).map(
    ([keys, problem]) =>
      ['readCells', { keys, columns: [] }, (honest: unknown) => honest, problem] as [
        AnsweringMethod,
        unknown,
        (honest: unknown[] & { tables: unknown[] }) => unknown,
        string,
      ],
  ),
  ['readReferences', { cells: [1, 2, 3] }, (honest) => honest, '3 cells were asked for, and 2 lists sent'],
  [
    'readReferences',
    { cells: [[{}], null] },
    ([one]) => [one, one],
    '[1]: 1 rows for a cell that refers to 0',
  ],
  [
    'readReferences',
    { cells: [[{}], 'x'] },
    ([one]) => [one, [one, one].flat()],
    '[1]: 2 rows for a cell that refers to 1',
  ],
  ['browse', { limit: 2 }, (honest) => ({ ...honest, groups: [] }), 'the groups have 0 rows'],
  [
    'browse',
    { limit: 2 },
    (honest) => ({ ...honest, explanations: [{}, {}] }),
    'explanations, which were not asked',
  ],
  ['search', { limit: 2, explain: true }, (honest) => honest, 'it has groups, which were not asked for'],
  ['search', { limit: 2 }, (honest) => honest, 'it has explanations, which were not asked for'],
  [
    'search',
    { limit: 2, explain: true, groupBy: { groups: 1, rowsPerGroup: 2 } },
    (honest) => honest,
    'groups: 2 items, and at most 1 were asked for',
  ],
  [
    'search',
    { limit: 2, explain: true, groupBy: { groups: 2, rowsPerGroup: 1 } },
    (honest) => ({ ...honest, groups: [{ value: 'a', rows: 2 }] }),
    'groups: 2 items, and at most 1 were asked for',
  ],
  [
    'run',
    { ceiling: 'write', limit: 2 },
    (honest) => ({ ...honest, effect: 'read' }),
    'the effect read, and wrote rows',
  ],
  [
    'settleChanges',
    honestCalls.settleChanges.request,
    ([one, two]) => [{ ...(one as object), existing: true }, two],
    'the row exists, and its status is applied, not skipped',
  ],
  [
    'settleChanges',
    honestCalls.settleChanges.request,
    ([one, two]) => [{ ...(one as object), stored: ['name'] }, two],
    'a part of the row is stored, and its status is applied',
  ],
  ['findReferences', { limit: 1 }, ([one]) => [one, one], '2 items, and at most 1'],
  ['describeTable', 'planets', (honest) => ({ ...honest, key: ['moon'] }), 'the key has the column "moon"'],
  ['describeTable', 'planets', (honest) => ({ ...honest, key: ['name', 'name'] }), 'two key columns'],
  [
    'describeTable',
    'planets',
    (honest) => ({ ...honest, name: 'moons' }),
    'it is the table "moons", and "planets" was asked for',
  ],
  ['describeTable', 'planetz', (honest) => honest, 'it is the table "planets"'],
  ['describeTable', '', (honest) => honest, 'it is the table "planets"'],
  ['describeTable', 'planets', (honest) => ({ ...honest, key: [] }), 'the column "name".inKey: it is true'],
  ...Object.entries({
    'the index "byName" has the column "moon"': {
      indexes: [{ name: 'byName', columns: ['moon'], unique: true }],
    },
    'a foreign key has the column "moon"': {
      foreignKeys: [{ columns: ['moon'], table: 'moons', references: ['planet'] }],
    },
    'keyword search has the column "moon"': {
      searches: { modes: [], targetVectors: [], options: { keywordColumns: ['moon'] } },
    },
    'the grouping of a search has the column "moon"': {
      searches: { modes: [], targetVectors: [], options: { groupBy: { columns: ['moon'] } } },
    },
    'the reranking of a search has the column "moon"': {
      searches: { modes: [], targetVectors: [], options: { rerank: { columns: ['moon'] } } },
    },
    'no target vector is called "moon"': {
      searches: { modes: [], targetVectors: [], broughtVectors: ['moon'] },
    },
  }).map(
    ([problem, lie]) =>
      ['describeTable', 'planets', (honest: unknown) => ({ ...(honest as object), ...lie }), problem] as [
        AnsweringMethod,
        unknown,
        (honest: unknown[] & { tables: unknown[] }) => unknown,
        string,
      ],
  ),
  ['describeTables', { limit: 1 }, ({ tables: [one] }) => ({ tables: [one, one], total: 9 }), 'at most 1'],
  [
    'describeTables',
    { limit: 9 },
    ({ tables: [one] }) => ({ tables: [one], total: 0 }),
    '0 tables announced',
  ],
  ['listTables', undefined, ([one]) => [one, one], 'two tables are called "planets"'],
  ['listPartitions', undefined, ([one]) => [one, one], 'two partitions are called "a"'],
  ['count', {}, () => -1, 'it is -1, not a whole number from 0'],
  ['count', {}, () => 1e300, 'it is 1e+300'],
  ['count', {}, () => Number.NaN, 'it is NaN'],
  [
    'measure',
    {},
    (honest) => ({ ...honest, tables: [{ table: 'a', rows: -1 }] }),
    'tables[0].rows: it is -1',
  ],
  ['classify', 'x', (honest) => ({ ...honest, effect: 'none' }), 'the text "none", not read, write, destroy'],
  ['run', { ceiling: 'read', limit: 2 }, (honest) => honest, 'the effect write, and only read was allowed'],
  ['run', { ceiling: 'write', limit: 1 }, (honest) => honest, 'results[0].rows: 2 rows announced'],
  ['settleChanges', { changes: [{ id: 'a' }] }, (honest) => honest, '3 items, and at most 1'],
  [
    'settleChanges',
    { changes: ['a', 'c', 'd'].map((id) => ({ id })) },
    (all) => all,
    'the change "b" is not one',
  ],
  ['settleChanges', honestCalls.settleChanges.request, ([one]) => [one], '2 of 3 changes have no outcome'],
  ['settleChanges', honestCalls.settleChanges.request, ([one]) => [one, one], 'a second outcome'],
  ['previewChanges', honestCalls.previewChanges.request, ([one]) => [one], '2 of 3 changes have no preview'],
])('%s of %j: a lie about another part of the answer or the request', (method, request, lie, problem) => {
  const { answer } = honestCalls[method as keyof typeof honestCalls];
  expect(problemOf(() => checkAnswer(method, [request], lie(answer as never)))).toContain(problem);
});

const batch = (names: string[], rowCount = 1, kind = cells(Array(rowCount).fill('x'))) => ({
  rowCount,
  columns: names.map(head),
  values: names.map(() => kind),
});
const vectors = { kind: 'vectors', dimensions: 9, floats: new Float32Array(9), present: new Uint8Array(1) };
const changes = honestStreams.applyChanges.request;

/** A report with one outcome. */
const conflict = (id: string, theirs: unknown, status = 'conflict') => ({
  sent: [],
  outcomes: [{ id, status, theirs }],
});

test.each<[StreamingMethod, unknown, unknown[], string]>([
  ['exportRows', {}, [batch(['a']), batch(['b'])], 'the column "b", and the first batch has "a"'],
  ['exportRows', {}, [batch(['a']), batch(['a', 'b'])], 'a batch has 2 columns, and the first batch has 1'],
  ['exportRows', { columns: ['c'] }, [batch(['a'])], 'the column "c" is missing'],
  ['exportRows', { vectors: ['c'] }, [batch(['a'])], 'the column "c" is missing'],
  [
    'exportRows',
    { shortVectors: { dimensions: 8 } },
    [batch(['a'], 1, vectors as never)],
    'vectors of 9 numbers',
  ],
  ['sampleRows', { rows: 1 }, Array(11).fill(batch(['a'], 1000)), 'rows announced'],
  ['applyChanges', changes, [{ sent: ['x'], outcomes: [] }], 'the change "x" is not one of the request'],
  ['applyChanges', changes, [{ sent: ['a', 'a'], outcomes: [] }], 'a second announcement'],
  ['applyChanges', changes, [{ sent: [], outcomes: [{ id: 'a', status: 'applied' }] }], 'not announced'],
  ['applyChanges', changes, [{ sent: [], keys: { a: {} }, outcomes: [] }], 'a key for the change "a"'],
  ['applyChanges', changes, [{ sent: [], keys: { x: {} }, outcomes: [] }], 'not one of the request'],
  ['applyChanges', changes, [{ sent: ['a'], outcomes: [] }], '3 of 3 changes have no outcome'],
  [
    'applyChanges',
    changes,
    [
      { sent: ['a'], keys: { a: { name: 'Mars' } }, outcomes: [] },
      { sent: [], outcomes: [{ id: 'a', status: 'applied', key: { name: 'Earth' } }] },
    ],
    'another key for the change "a" than the one that was announced',
  ],
  [
    'applyChanges',
    changes,
    [
      { sent: ['a'], keys: { a: { name: 'Mars' } }, outcomes: [] },
      { sent: [], keys: { a: { name: 'Venus' } }, outcomes: [] },
    ],
    'another key for the change "a" than the one that was announced',
  ],
  [
    'applyChanges',
    changes,
    [{ sent: ['a'], outcomes: [{ id: 'a', status: 'failed', existing: true }] }],
    'the row exists, and its status is failed, not skipped',
  ],
  [
    'applyChanges',
    changes,
    [{ sent: [], outcomes: ['a', 'a'].map((id) => ({ id, status: 'skipped' })) }],
    'a second outcome for the change "a"',
  ],
  [
    'applyChanges',
    changes,
    [conflict('b', {})],
    'the outcome conflict for the change "b" that expects nothing',
  ],
  [
    'applyChanges',
    changes,
    [conflict('c', undefined)],
    'the outcome conflict for the change "c" without theirs',
  ],
  ['applyChanges', changes, [conflict('c', { name: 'Venus' })], 'theirs has the column "name"'],
  ['applyChanges', changes, [conflict('c', { ['__proto__']: 1 })], 'theirs has the column "__proto__"'],
  ['applyChanges', changes, [conflict('c', { moons: 1 }, 'skipped')], 'theirs for the change "c"'],
])('%s of %j: a lie about another item or the request', (method, request, items, problem) => {
  expect(problemOf(() => follow(method, request, items))).toContain(problem);
});

test('an answer may have other spellings than the request', () => {
  const { answer } = honestCalls.describeTable;
  expect(problemOf(() => checkAnswer('describeTable', ['PLANETS'], answer))).toBeUndefined();
  const keys = [{ NAME: 'earth' }, { NAME: 'Venus' }, { NAME: 'MARS ' }];
  const cellsOf = { table: 'planets', keys, columns: ['VECTOR'] };
  expect(problemOf(() => checkAnswer('readCells', [cellsOf], honestCalls.readCells.answer))).toBeUndefined();
  const pageOf = { limit: 2, columns: ['NAME'] };
  expect(problemOf(() => checkAnswer('browse', [pageOf], honestCalls.browse.answer))).toBeUndefined();
});

test('a mismatch in what a connection says of itself, and in an error', () => {
  const server = { product: 'a', version: '1' };
  expect(problemOf(() => checkServerInfo(server))).toBeUndefined();
  for (const lie of [undefined, null, {}, { ...server, version: 7 }, { product: 'a' }, []])
    expect(problemOf(() => checkServerInfo(lie))).toEqual(expect.any(String));
  expect(problemOf(() => checkCapabilities(['search', 'of a newer kit']))).toBeUndefined();
  for (const lie of [undefined, {}, [7], 'search', Array(2000).fill('x')])
    expect(problemOf(() => checkCapabilities(lie))).toEqual(expect.any(String));
  const error = { code: 'conflict', message: 'x' };
  expect(problemOf(() => checkError({ ...error, hint: 'y', needs: 'write' }))).toBeUndefined();
  for (const lie of [
    null,
    'x',
    {},
    { code: 'x', message: 'x' },
    { ...error, message: 7 },
    { ...error, hint: [] },
  ])
    expect(problemOf(() => checkError(lie))).toEqual(expect.any(String));
  expect(problemOf(() => checkError({ ...error, needs: 'all' }))).toContain('needs: it is the text "all"');
  // The code of Trestle itself, whose text clients read as Trestle's.
  expect(problemOf(() => checkError({ ...error, code: 'driver_crashed' }))).toContain('driver_crashed');
});

function follow(method: StreamingMethod, request: unknown, items: unknown[]): void {
  const check = checkStream(method, request);
  for (const item of items) check.item(item);
  check.end();
}

/** The problem of a mismatch. Any other error fails the test. */
function problemOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof AnswerMismatch) return error.message;
    throw error;
  }
}

function typeOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}
