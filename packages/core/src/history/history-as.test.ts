import { expect, test } from 'vitest';
import { Mask } from '../masking/mask.ts';
import { client } from '../testing/test-core.ts';
import type { HistoryEntry } from '../types.ts';
import { createHistoryAs } from './history-as.ts';

const entry: HistoryEntry = {
  ...{ id: '1', connectionId: 'c', caller: 'person', tokenId: null, text: '', cutFrom: null, effect: 'read' },
  ...{ outcome: 'ok', error: null, rows: 1, durationMs: 1, at: '2026-01-01T00:00:00.000Z' },
};

const masksEmail = new Mask({ columns: ['email'], patterns: [] }, { driverGuards: true });

/** The entry as a client sees it, by default on a connection that masks a column. */
function shown(part: Partial<HistoryEntry>, mask = masksEmail): HistoryEntry {
  const searchAs = createHistoryAs({
    history: { search: () => [{ ...entry, ...part }] },
    connections: { visibleTo: () => [] },
    maskOf: () => mask,
  });
  return searchAs(client(), { limit: 1 })[0]!;
}

test.each([
  [`-- the user's rows\nSELECT * FROM t WHERE email = 'secret'`, '•••\nSELECT * FROM t WHERE email = •••'],
  [`SELECT 1 /* user's\n rows */ FROM t WHERE email = 'secret'`, 'SELECT ••• ••• FROM t WHERE email = •••'],
  [`SELECT /* 5" */ a FROM "t" -- it's secret`, 'SELECT •••'],
  [`SELECT a - 1, b / 2 * c FROM t`, 'SELECT a - •••, b / ••• * c FROM t'],
  [
    '{ Get { T(where: {valueText: """a "secret" b"""}) { a } } }',
    '{ Get { T(where: {valueText: •••}) { a } } }',
  ],
  ['{ a(x: """a \\""" "secret" b""", y: "", z: "\\"secret") }', '{ a(x: •••) }'],
  ['# the rows\n{ a(x: "secret", n: 5) { b } }', '•••\n{ a(x: •••, n: •••) { b } }'],
  ['# 5" and "secret"\n{ a(x: "secret", n: 5) { b } }', '•••'],
])('literals and comments of %j are hidden', (text, expected) => {
  expect(shown({ text }).text).toBe(expected);
});

test('literals are hidden if the mask has only patterns, and shown if it hides nothing', () => {
  const mask = new Mask({ columns: [], patterns: ['email'] }, { driverGuards: true });
  expect(shown({ text: "SELECT * FROM t WHERE email LIKE 'ada.love%'" }, mask).text).toBe(
    'SELECT * FROM t WHERE email LIKE •••',
  );
  const none = new Mask({ columns: [], patterns: [] }, { driverGuards: true });
  expect(shown({ text: "SELECT 'ada'" }, none).text).toBe("SELECT 'ada'");
});

test.each([
  "SELECT `it's`, 'secret'",
  "SELECT [it's], 'secret'",
  `SELECT "it's", "5'", 'secret'`,
  "SELECT 'a\\', 'secret', 'b'",
  "SELECT 'it\\'s', 'secret'",
  "SELECT 1 # it's\n, 'secret'",
  "SELECT a #> '{b,\nsecret}'",
  "SELECT $$it's secret$$, $a$it's $$ secret$a$, 'secret'",
  "/* a /* b */ it's */ SELECT 'secret'",
  "-- a\r SELECT 'b\nsecret'",
  "SELECT '-- it''s', /* '*/ 'secret' -- '\n, 'secret'",
  "SELECT 'open secret",
  'SELECT /* open secret',
  '{ a(x: "open secret',
  '{ a(x: """open secret',
])('the value in %j is hidden, whatever the dialect of the statement', (text) => {
  expect(shown({ text }).text).not.toContain('secret');
});

test.each([
  'DELETE /objects/A/36ddd591-2dee-4e7e-a3cc-eb86d30a4303',
  'GET /objects/A/abcdefab-cdef-abcd-efab-cdefabcda3cc',
  'GET /objects?class=A&where=a3cc',
  "SELECT * FROM t WHERE n = ANY(ARRAY['a\\','a3cc'])",
  "SELECT $é$it's a3cc$é$, 'a3cc'",
])('no id, parameter or literal of %j is shown', (text) => {
  expect(shown({ text }).text).not.toContain('a3cc');
});

const tokens = {
  sql: [
    ...[
      "'secret'",
      "'it''s secret'",
      `'5" secret'`,
      "'secret -- '",
      "'/* secret'",
      "'secret\\'",
      "'\nsecret'",
    ],
    ...[`"it's secret"`, `"a""secret"`, '`5" a`', "[it's]", "-- it's secret\n", '-- 5" secret\n'],
    ...["/* it's secret */", '/* "secret */', '/*/ secret */', "/* -- ' */", '- 1', 'a.b1', "x'5ec2e7'"],
  ],
  graphql: [
    ...['"secret"', '"it\'s secret"', '"\\"secret"', '"\\\\"', '""', '"# secret"', '"""secret"""'],
    ...['"""a "secret" b"""', '"""\\""" secret"""', '"""" secret"""', '""""""', '"""a\nsecret\\\\ """'],
    ...["# it's secret\n", '# 5" secret\n', '# """ secret\r', '$a', 'a1', '[', '-5'],
  ],
};

test.each(Object.entries(tokens))('no sequence of three %s tokens shows a value', (_, list) => {
  for (const one of list)
    for (const two of list)
      for (const three of list) {
        const text = [one, two, three, list[0]].join(' ');
        if (shown({ text }).text.includes('secret')) expect(text).toBe('hidden');
      }
});

test('if a statement failed or was cancelled, its whole text and its error are hidden', () => {
  const failed = {
    text: "SELECT 'O'Brien' WHERE email = secret OR a = 'it's'",
    error: 'near "secret": syntax error',
  };
  expect(shown({ ...failed, outcome: 'error' })).toMatchObject({ text: '•••', error: '•••' });
  expect(shown({ ...failed, outcome: 'cancelled', error: null })).toMatchObject({ text: '•••', error: null });
});

test.each([
  "'",
  '"',
  '`',
  '[',
  '/*',
  '*/',
  '/*/*',
  '$a',
  '$$',
  '$a$',
  '"""',
  '\\"',
  '\\',
  '.',
  '-',
  '#\n',
  '"\\',
  '?a=',
  'ab-',
  'abcdabcd-',
  '$é',
])('the search for literals finishes for a text that repeats %j 300,000 times', (part) => {
  expect(shown({ text: part.repeat(300_000) }).text).not.toBe('');
});
