import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type DriverLink, openDriverLink } from './index.ts';
import { openScriptLink } from './testing/script-link.ts';
import { scriptLinkOptions } from './testing/script-options.ts';

/**
 * Drivers that lie, each in its own process. The first value of each lie is what the method returns (for a stream: the
 * items that it yields). The checks themselves have more tests in the driver kit.
 */
const all = { table: 'planets', filters: [], match: 'all', sort: [], offset: 0, limit: 10 } as const;
const changes = [
  { kind: 'insert', id: 'a', values: {} },
  { kind: 'delete', id: 'b', key: { name: 'Earth' } },
] as const;
const save = { table: 'planets', changes, rowTimeoutMs: 5_000 };
const head = "{ name: 'a', type: 'text', nativeType: 'text' }";
const rows = (count: string, cells: string) =>
  `{ rowCount: ${count}, columns: [${head}], values: [{ kind: 'cells', cells: ${cells} }] }`;
const page = (count: string, cells: string) => `{ rows: ${rows(count, cells)} }`;
const vectors = (count: string, dimensions: string, floats: string) =>
  `{ rows: { rowCount: ${count}, columns: [${head}], values: [{ kind: 'vectors', dimensions: ${dimensions},
    floats: ${floats}, present: new Uint8Array(1) }] } }`;
const counted = (count: string, cells: string) =>
  `{ rows: { rowCount: ${count}, columns: [{ name: 'rows', type: 'int', nativeType: '' }],
    values: [{ kind: 'cells', cells: ${cells} }] }, hasMore: false }`;
const description = `{ name: 'planets', kind: 'table', columns: [], key: [], indexes: [], foreignKeys: [],
  exampleQuery: '', notes: [] }`;
const column = `{ ...${head}, nullable: true, inKey: false, operators: [] }`;
const outcome = (id: string, status = 'applied') => `{ id: '${id}', status: '${status}' }`;
const report = (parts: string) => `{ sent: [], outcomes: [], ${parts} }`;

interface Lies {
  method: string;
  request: unknown;
  lies: [answer: string, problem: string][];
}

const table: Lies[] = [
  {
    method: 'health',
    request: undefined,
    lies: [
      ['undefined', 'it is undefined, not an object'],
      ['{ warning: 7 }', 'warning: it is 7, not a text'],
      ["'fine'", 'it is the text "fine", not an object'],
    ],
  },
  {
    method: 'listTables',
    request: undefined,
    lies: [
      ['{ length: 1e9 }', 'it is an object, not a list'],
      ['Array(3)', '[0]: it is undefined, not an object'],
      ["[{ name: 'a' }]", '[0].kind: it is missing'],
      ["[{ name: ['a'], kind: 'table' }]", '[0].name: it is a list, not a text'],
      ["[{ name: 'a', kind: 'planet' }]", '[0].kind: it is the text "planet", not table, view, collection'],
      ["Array(2).fill({ name: 'a', kind: 'view' })", 'two tables are called "a"'],
    ],
  },
  {
    method: 'describeTable',
    request: 'planets',
    lies: [
      ['null', 'it is null, not an object'],
      [
        `{ ...${description}, key: ['moon'] }`,
        'the key has the column "moon", which the table does not have',
      ],
      [`{ ...${description}, name: 'moons' }`, 'it is the table "moons", and "planets" was asked for'],
      [`{ ...${description}, name: '' }`, 'it is the table "", and "planets" was asked for'],
      [`{ ...${description}, columns: [${column}], key: ['a'] }`, 'it is false, and the key has the column'],
      [
        `{ ...${description}, columns: [${column}], indexes: [{ name: 'i', columns: ['b'], unique: true }] }`,
        'the index "i" has the column "b", which the table does not have',
      ],
      [
        `{ ...${description}, foreignKeys: [{ columns: ['b'], table: 'moons', references: ['c'] }] }`,
        'a foreign key has the column "b", which the table does not have',
      ],
      [
        `{ ...${description}, searches: { modes: [], targetVectors: [], options: { keywordColumns: ['b'] } } }`,
        'keyword search has the column "b", which the table does not have',
      ],
      [`{ ...${description}, columns: {} }`, 'columns: it is an object, not a list'],
      [`{ ...${description}, notes: [1n] }`, 'notes[0]: it is a bigint, not a text'],
      [
        `{ ...${description}, definition: new Map() }`,
        'definition: it is an object of the class Map, not a text',
      ],
    ],
  },
  {
    method: 'browse',
    request: all,
    lies: [
      [page('1e9', "['x']"), '1,000,000,000 rows announced, and at most 10 were asked for'],
      [page('-1', '[]'), 'it is -1, not a whole number from 0'],
      [page('0.5', '[]'), 'it is 0.5, not a whole number from 0'],
      [page('NaN', '[]'), 'it is NaN, not a whole number from 0'],
      [page("'1'", "['x']"), 'it is the text "1", not a whole number from 0'],
      [page('10', "['x']"), '10 rows announced, 1 sent'],
      [page('1', "['x', 'y']"), '1 rows announced, 2 sent'],
      [page('1', 'Object.assign([], { length: 1000 })'), '1 rows announced, 1,000 sent'],
      [page('1', '[new Map([[1, 2]])]'), 'row 0: it is an object of the class Map, not a plain object'],
      [page('1', '[new Date(0)]'), 'an object of the class Date, not a plain object'],
      [page('1', '[2n ** 4000n]'), 'an integer with more than 128 bits'],
      ['{ rows: { rowCount: 1e9, columns: [], values: [] } }', '1,000,000,000 rows announced'],
      [`{ rows: { rowCount: 1, columns: [${head}], values: [] } }`, '1 columns announced, 0 sent'],
      [vectors('1', '1e300', 'new Float32Array(1)'), 'dimensions: it is 1e+300'],
      [vectors('1', '-1', 'new Float32Array(1)'), 'dimensions: it is -1'],
      [vectors('1', '2', 'new Float32Array(1)'), '1 vectors of 2 numbers announced, 1 numbers sent'],
      [vectors('1', '1', 'new Float64Array(1)'), 'an object of the class Float64Array, not a Float32Array'],
      [vectors('10', '1', 'new Float32Array(10)'), '10 rows announced, 1 sent'],
      [`{ ...${page('1', "['x']")}, depth: -1 }`, 'depth: it is -1'],
      [`{ ...${page('1', "['x']")}, note: {} }`, 'note: it is an object, not a text'],
    ],
  },
  {
    method: 'search',
    request: { ...all, mode: 'keyword', text: 'x' },
    lies: [
      [page('1e9', "['x']"), '1,000,000,000 rows announced'],
      [
        `{ ...${page('1', "['x']")}, groups: [{ value: 'a', rows: 1e9 }] }`,
        'the groups have 1,000,000,000 rows',
      ],
      [`{ ...${page('1', "['x']")}, groups: [{ value: 'a', rows: 1 }] }`, 'groups, which were not asked for'],
      [`{ ...${page('1', "['x']")}, explanations: [{}] }`, 'explanations, which were not asked for'],
      [`{ ...${page('1', "['x']")}, explanations: [] }`, '1 rows sent, with 0 explanations'],
      [`{ ...${page('1', "['x']")}, explanations: [{ terms: 7 }] }`, 'explanations[0].terms: it is 7'],
    ],
  },
  {
    method: 'count',
    request: all,
    lies: [
      ['-1', 'it is -1, not a whole number from 0'],
      ['1e300', 'it is 1e+300, not a whole number from 0'],
      ['NaN', 'it is NaN'],
      ['7n', 'it is a bigint'],
      ["'7'", 'it is the text "7"'],
    ],
  },
  {
    method: 'aggregate',
    request: { ...all, by: [], measured: [], groups: 5 },
    lies: [
      ['{ rows: { rowCount: 1, columns: [], values: [] }, hasMore: false }', 'the column "rows" is missing'],
      [`{ ...${page('1', "['x']")}, hasMore: false }`, 'the column "rows" is missing'],
      [counted('2', '[1, 2]'), '2 rows announced, and at most 1 were asked for'],
      [counted('0', '[]'), 'without groups, it must have one row'],
      [counted('1', '[1]').replace('false', '7'), 'hasMore: it is 7, not true or false'],
      [counted('1', '[1]').replace('false', 'true'), 'without groups, it must have one row'],
    ],
  },
  {
    method: 'changeMark',
    request: 'planets',
    lies: [
      ['7', 'it is 7, not a text'],
      ["'x'.repeat(1001)", 'it has 1,001 characters, and at most 1,000 are allowed'],
    ],
  },
  {
    method: 'classify',
    request: 'SELECT 1',
    lies: [
      ["{ effect: 'none', summary: '' }", 'effect: it is the text "none", not read, write, destroy'],
      ["{ effect: 'read' }", 'summary: it is missing'],
      ["{ effect: 'read', summary: '', tables: 'planets' }", 'tables: it is the text "planets", not a list'],
    ],
  },
  {
    method: 'measure',
    request: { text: 'DELETE' },
    lies: [
      ["{ tables: [{ table: 'a', rows: -5 }], cascades: false, schema: '' }", 'tables[0].rows: it is -5'],
      ["{ tables: [{ table: 'a', rows: 'all' }], cascades: false, schema: '' }", 'it is the text "all"'],
      ["{ tables: [], cascades: 0, schema: '' }", 'cascades: it is 0, not true or false'],
      ['{ tables: [], cascades: true }', 'schema: it is missing'],
    ],
  },
  {
    method: 'run',
    request: { text: 'x', ceiling: 'read', limit: 1 },
    lies: [
      ["{ effect: 'read', results: [{ kind: 'plan' }], messages: [] }", 'kind: it is the text "plan"'],
      ["{ effect: 'write', results: [], messages: [] }", 'the effect write, and only read was allowed'],
      [
        "{ effect: 'read', results: [{ kind: 'affected', rows: -1 }], messages: [] }",
        'results[0].rows: it is -1',
      ],
      ["{ effect: 'read', results: [{ kind: 'document', document: new Set() }], messages: [] }", 'class Set'],
      [
        `{ effect: 'read', results: [{ kind: 'rows', rows: ${rows('1e9', '[]')}, truncated: false }], messages: [] }`,
        '1,000,000,000 rows announced',
      ],
      [
        "{ effect: 'read', results: [], messages: [{ level: 'fatal', text: '' }] }",
        'level: it is the text "fatal"',
      ],
      [
        "{ effect: 'read', results: [], messages: [], written: { changed: 0, inserted: 1 } }",
        'the statement had the effect read, and wrote rows',
      ],
      ["{ effect: 'read', results: [], messages: Array(1e6).fill(7) }", 'messages[0]: it is 7'],
    ],
  },
  {
    method: 'describeTables',
    request: { limit: 1 },
    lies: [
      [`{ tables: Array(2).fill(${description}), total: 2 }`, '2 items, and at most 1 were asked for'],
      ['{ tables: [], total: -1 }', 'total: it is -1'],
    ],
  },
  {
    method: 'describeStructure',
    request: 'planets',
    lies: [
      ["{ sections: [{ title: '', kind: 'tree' }] }", 'kind: it is the text "tree"'],
      [
        "{ sections: [{ title: '', kind: 'table', columns: ['a'], rows: [['a', 'b']] }] }",
        '2 cells in a row',
      ],
    ],
  },
  {
    method: 'readCells',
    request: {
      table: 'planets',
      keys: [
        { a: 'x', b: 1 },
        { a: 'y', b: 2 },
      ],
      columns: [],
    },
    lies: [
      [rows('1', "['x']"), 'the key column "b" is missing'],
      [
        `{ rowCount: 1, columns: [${head}, { name: 'b', type: 'int', nativeType: '' }],
          values: [{ kind: 'cells', cells: ['x'] }, { kind: 'cells', cells: [2] }] }`,
        'row 0 is none of the rows that were asked for',
      ],
      [
        `{ rowCount: 2, columns: [${head}, { name: 'b', type: 'int', nativeType: '' }],
          values: [{ kind: 'cells', cells: ['y', 'x'] }, { kind: 'cells', cells: [2, 1] }] }`,
        'row 1 is none of the rows that were asked for, or not in their order',
      ],
    ],
  },
  { method: 'listPartitions', request: 'planets', lies: [['[{}]', '[0].name: it is missing']] },
  {
    method: 'readCells',
    request: { table: 'planets', keys: [{ a: 'x' }], columns: ['a'] },
    lies: [
      [rows('2', "['x', 'y']"), '2 rows announced, and at most 1 were asked for'],
      [rows('1', "['y']"), 'row 0 is none of the rows that were asked for'],
      [rows('1', '[null]'), 'row 0 is none of the rows that were asked for'],
      [rows('1', "['xx']"), 'row 0 is none of the rows that were asked for'],
      [rows('1', "['x… ⟨cut: 9 characters⟩']"), 'row 0 is none of the rows that were asked for'],
      [
        "{ rowCount: 0, columns: [{ name: 'b', type: 'any', nativeType: '' }], values: [] }",
        'the column "a"',
      ],
      ['{ rowCount: 0, columns: [], values: [] }', 'the column "a" is missing'],
    ],
  },
  {
    method: 'readReferences',
    request: { table: 'planets', column: 'a', cells: [null] },
    lies: [
      ['[[], []]', '1 cells were asked for, and 2 lists sent'],
      ["[[{ table: 'a', key: {}, title: null, value: null }]]", '[0]: 1 rows for a cell that refers to 0'],
      ["[[{ table: 'a', key: 'k', title: null, value: null }]]", 'key: it is the text "k", not an object'],
    ],
  },
  {
    method: 'findReferences',
    request: { table: 'planets', column: 'a', text: '', limit: 0 },
    lies: [['[{}]', '1 items, and at most 0 were asked for']],
  },
  {
    method: 'settleChanges',
    request: save,
    lies: [
      [`[${outcome('a')}]`, '1 of 2 changes have no outcome'],
      [`[${outcome('a')}, ${outcome('a')}]`, 'a second outcome for the change "a"'],
      [`[${outcome('a')}, ${outcome('c')}]`, 'the change "c" is not one of the request'],
      [`[${outcome('a')}, ${outcome('b', 'lost')}]`, 'status: it is the text "lost"'],
      [
        "[{ id: 'a', status: 'failed', error: { code: 'x', message: '' } }]",
        '[0].error.code: it is the text "x"',
      ],
    ],
  },
  {
    method: 'previewChanges',
    request: save,
    lies: [["[{ id: 'c', text: '' }, { id: 'b', text: '' }]", 'the change "c" is not one of the request']],
  },
  {
    method: 'showRequest',
    request: { kind: 'browse', request: all },
    lies: [["[{ label: 'SQL', language: 'sql' }]", '[0].text: it is missing']],
  },
  {
    method: 'editorSchema',
    request: undefined,
    lies: [
      [
        "{ language: 'sql', tables: { planets: 'name' } }",
        'tables."planets": it is the text "name", not a list',
      ],
      ["{ language: 'graphql', sdl: 7 }", 'sdl: it is 7, not a text'],
      ["{ language: 'none' }", 'language: it is the text "none"'],
    ],
  },
  {
    method: 'exportRows',
    request: all,
    lies: [
      [rows('1e9', "['x']"), '1,000,000,000 rows announced, 1 sent'],
      [`${rows('1', "['x']")}, { rowCount: 0, columns: [], values: [] }`, 'the first batch has 1'],
      ['null', 'it is null, not an object'],
    ],
  },
  {
    method: 'sampleRows',
    request: { ...all, rows: 1 },
    lies: [[`...Array(20).fill(${rows('1000', "Array(1000).fill('x')")})`, 'rows announced, and at most']],
  },
  {
    method: 'applyChanges',
    request: save,
    lies: [
      ['null', 'it is null, not an object'],
      [report("sent: ['a', 7]"), 'sent[1]: it is 7, not a text'],
      [report("sent: ['c']"), 'the change "c" is not one of the request'],
      [report("sent: ['a', 'a']"), 'a second announcement for the change "a"'],
      [report(`outcomes: [${outcome('a')}]`), 'the change "a", which was not announced'],
      [report(`outcomes: [${outcome('a', 'skipped')}]`), '1 of 2 changes have no outcome'],
      [report('keys: { c: {} }'), 'the change "c" is not one of the request'],
      [
        `${report("sent: ['a'], keys: { a: { name: 'Mars' } }")}, ${report("outcomes: [{ id: 'a', status: 'applied', key: { name: 'Earth' } }]")}`,
        'another key for the change "a" than the one that was announced',
      ],
    ],
  },
  {
    method: 'importRows',
    request: save,
    lies: [
      [report("outcomes: [{ id: 'a', status: 'skipped', existing: 1 }]"), 'existing: it is not true'],
      [
        report("outcomes: [{ id: 'a', status: 'failed', existing: true }]"),
        'the row exists, and its status is failed, not skipped',
      ],
    ],
  },
];

const streams = ['exportRows', 'sampleRows', 'applyChanges', 'importRows'];

let neighbour: DriverLink;
beforeAll(async () => {
  const options = scriptLinkOptions({}, { log: () => {} });
  neighbour = await openDriverLink(options, { signal: new AbortController().signal, timeoutMs: 20_000 });
});
afterAll(() => neighbour.close());

describe.each(table)('a lie about $method', ({ method, request, lies }) => {
  test.each(lies)('%s', async (answer, problem) => {
    const link = await openLiar(method, answer);
    const { pid } = link;
    const error = await ask(link, method, request);
    expect(error).toMatchObject({ code: 'driver_crashed' });
    expect(error.message).toMatch(new RegExp(`^The driver "Script" answered ${method} wrongly: `));
    expect(error.message).toContain(problem);
    expect(error.hint).toBe('Trestle stopped the driver. Update it, or report this to its publisher.');
    await expect.poll(() => isRunning(pid!)).toBe(false);
    expect(link.exits).toEqual([{ expected: false, message: error.message }]);
    expect(await countOf(neighbour)).toBe(0);
  });
});

test('other calls of the lying driver end, and the next call gets a new process', async () => {
  const link = await openLiar('browse', page('1e9', "['x']"));
  const waiting = link.run('await new Promise(() => {})');
  const failed = expect(waiting).rejects.toMatchObject({ code: 'driver_crashed' });
  await ask(link, 'browse', all);
  await failed;
  expect(await link.run('return 1')).toBe(1);
});

test('a serial driver that lies is stopped too', async () => {
  const link = await openLiar('browse', page('1e9', "['x']"), 'serial');
  expect((await ask(link, 'browse', all)).message).toContain('1,000,000,000 rows announced');
  expect(await link.run('return 1')).toBe(1);
});

test.each([
  ['session.server = null', 'internal', 'Cannot destructure'],
  ["session.server = { product: 7, version: '1' }", 'driver_crashed', 'product: it is 7, not a text'],
  ["session.server = { product: 'a' }", 'driver_crashed', 'version: it is undefined, not a text'],
  [
    "log({ level: 'shout', message: 'x' })",
    'driver_crashed',
    'The Script driver was stopped because it called log wrongly (level: it is the text "shout", not debug, info, warn, error).',
  ],
  [
    "throw Object.assign(new Error('x'), { name: 'DriverError', code: 'made_up' })",
    'driver_crashed',
    'error.code',
  ],
  [
    "throw Object.assign(new Error('SYSTEM'), { name: 'DriverError', code: 'driver_crashed' })",
    'driver_crashed',
    'The driver "Script" answered connect wrongly: error.code: it is the text "driver_crashed"',
  ],
])('a lie while connecting: %s', async (connect, code, problem) => {
  const error = await openScriptLink({ fields: { connect } }).catch((reason) => reason);
  expect(error).toMatchObject({ code });
  expect(error.message).toContain(problem);
  expect(await countOf(neighbour)).toBe(0);
});

test('a long text of the server about itself is cut, since the driver may only pass it on', async () => {
  const connect = "session.server = { product: 'x'.repeat(1e6), version: '1' }";
  const link = await openScriptLink({ fields: { connect } });
  expect(link.session.server).toEqual({ product: 'x'.repeat(200), version: '1' });
});

test.each([
  ["{ code: 'made_up', message: 'x' }", 'error.code: it is the text "made_up"'],
  ["{ code: 'conflict', message: { toString: 1 } }", 'error.message: it is an object, not a text'],
  ["{ code: 'conflict', message: 'x', hint: ['y'] }", 'error.hint: it is a list, not a text'],
  ["{ code: 'conflict', message: 'x', needs: 'everything' }", 'error.needs: it is the text "everything"'],
])('an error that is none: %s', async (error, problem) => {
  const link = await openScriptLink();
  const thrown = `throw Object.defineProperties(new Error(), Object.getOwnPropertyDescriptors({ name: 'DriverError', ...${error} }))`;
  const message = `The driver "Script" answered run wrongly: ${problem}`;
  const reason = await link.run(thrown).catch((reason) => reason);
  expect(reason.message).toContain(message);
  expect(link.pid).toBeUndefined();
  expect(await countOf(neighbour)).toBe(0);
});

test('a quoted text of the driver is cut, and holds no secret of the connection', async () => {
  const link = await openScriptLink({
    fields: {
      apiKey: 'trestle-secret',
      connect: "session.count = async () => fields.apiKey + 'x'.repeat(10_000_000)",
    },
  });
  const error = await ask(link, 'count', all);
  expect(error.message).toContain('it is the text "•••xxx');
  expect(error.message.length).toBeLessThan(200);
});

/** Messages that need far more memory than their bytes, or that describe no plain data. Written to the link itself. */
test.each([
  [
    'thirty million objects in 90 MB',
    'many(30_000_000, [0x6f, 0x7b, 0])',
    'sent a message that would need too much memory',
  ],
  [
    'a list of 130 million nulls',
    'many(130_000_000, [0x30])',
    'sent a message that would need too much memory',
  ],
  ['an Error', "serialize(new Error('x'))", 'wrote an invalid message to the link'],
  ['a regular expression', 'serialize(/x/)', 'wrote an invalid message to the link'],
  ['an older version of the format', '[0xff, 13, 0x30]', 'wrote an invalid message to the link'],
  [
    'a length without an end',
    '[0xff, version, 0x22, 255, 255, 255, 255, 255]',
    'wrote an invalid message to the link',
  ],
  [
    'a text that is longer than the message',
    '[0xff, version, 0x22, 100, 65]',
    'wrote an invalid message to the link',
  ],
])('%s', async (_, bytes, offence) => {
  const link = await openScriptLink();
  await expect(link.run(writeRaw(bytes))).rejects.toMatchObject({
    code: 'driver_crashed',
    message: `The Script driver was stopped because it ${offence}.`,
  });
  expect(await countOf(neighbour)).toBe(0);
});

/** Answers that the host process in front of an honest driver would have cut or refused. */
test.each([
  ['a cycle', 'const value = []; value.push(value); return value;', 'it is nested more than 500 deep'],
  [
    'a value in a hundred thousand lists',
    'let value = 1; for (let n = 0; n < 1e5; n++) value = [value]; return value;',
    null,
  ],
  [
    'two lists in two lists, 25 times',
    'let value = [1]; for (let n = 0; n < 25; n++) value = [value, value]; return value;',
    'the answer is too large',
  ],
  [
    'a list of four billion holes',
    'return Object.assign([], { length: 4294967295 });',
    'it is undefined, not a value that a cell can hold',
  ],
  ['an integer of a million bits', 'return 2n ** 1000000n;', 'it is an integer with more than 128 bits'],
  ['80 MB of text', "return 'x'.repeat(80e6);", 'the answer is too large'],
])('%s as an answer', async (_, value, problem) => {
  const link = await openScriptLink();
  const reply = `serialize({ type: 'reply', id: 1, value: { effect: 'read', messages: [],
    results: [{ kind: 'document', document: (() => { ${value} })() }] } })`;
  const error = await link.run(writeRaw(reply)).catch((reason) => reason);
  if (problem === null) expect(error).toMatchObject({ name: 'DriverError' });
  else
    expect(error.message).toBe(`The driver "Script" answered run wrongly: results[0].document: ${problem}`);
  expect(await countOf(neighbour)).toBe(0);
});

function writeRaw(bytes: string): string {
  return `
    const { serialize } = process.getBuiltinModule('v8');
    const version = serialize(null)[1];
    const varint = (n) => {
      const all = [];
      for (; n >= 128; n = Math.floor(n / 128)) all.push((n % 128) | 128);
      return [...all, n];
    };
    const many = (n, one) => Buffer.concat([
      Buffer.from([0xff, version, 0x41, ...varint(n)]), Buffer.alloc(n * one.length, Buffer.from(one)),
      Buffer.from([0x24, 0, ...varint(n)])]);
    const body = Buffer.from(${bytes});
    const header = Buffer.alloc(4);
    header.writeUInt32LE(body.length);
    const message = Buffer.concat([header, body]);
    const { writeSync } = process.getBuiltinModule('fs');
    for (let at = 0; at < message.length;) {
      try { at += writeSync(3, message, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
    }
    await new Promise(() => {});`;
}

async function openLiar(method: string, answer: string, concurrency: 'parallel' | 'serial' = 'parallel') {
  const body = streams.includes(method)
    ? `async function* () { yield* [${answer}]; }`
    : `async () => (${answer})`;
  const connect = `session.${method} = ${body};`;
  const link = await openScriptLink({ fields: { connect }, concurrency });
  onTestFinished(() => link.close());
  return link;
}

async function ask(link: DriverLink, method: string, request: unknown): Promise<Error & { hint?: string }> {
  const session = link.session as unknown as Record<string, (...args: unknown[]) => unknown>;
  const call = { signal: new AbortController().signal, timeoutMs: 30_000 };
  try {
    if (streams.includes(method)) {
      for await (const _ of session[method]!(request, call) as AsyncIterable<unknown>);
    } else await session[method]!(...(request === undefined ? [call] : [request, call]));
  } catch (error) {
    return error as Error;
  }
  throw new Error('The lie was accepted');
}

async function countOf(link: DriverLink): Promise<number> {
  return link.session.count({ ...all, filters: [] } as never, { signal: new AbortController().signal });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
