import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { atTerminal, hasTerminal } from './terminal.ts';
import { createHome, type Home } from './trestle.ts';

const passphrase = 'correct horse';
const asked: [string, string] = ['Administrator passphrase: ', passphrase];
const sure: [string, string] = ['Type yes to run it: ', 'yes'];
const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

/** Two connections to one file: `Open` for clients without a question, and `Asks` with the default levels. */
async function begin(isRunning: boolean) {
  const home = createHome();
  if (isRunning) await home.start();
  const file = join(mkdtempSync(join(home.folder, 'test-')), 'facts.db');
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE fact (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO fact VALUES (1, 'one')");
  database.exec("INSERT INTO fact VALUES (2, NULL), (9007199254740993, char(27) || ']0;owned' || char(7))");
  database.close();
  const add = (name: string, ...levels: string[]) =>
    home.json('connections', 'add', '--driver', 'sqlite', '--name', name, '--file', file, ...levels);
  await add('Open', '--external-clients', 'readWrite', '--ai-policy', 'alwaysAllow');
  await add('Asks');
  const tables = () => {
    const reading = new DatabaseSync(file, { readOnly: true });
    const found = reading.prepare('SELECT name FROM sqlite_master ORDER BY 1').all();
    reading.close();
    return found.map(({ name }) => name);
  };
  const change = (sql: string) => {
    const writing = new DatabaseSync(file);
    writing.exec(sql);
    writing.close();
  };
  const query = (...args: string[]) => home.run(['query', ...args]);
  return { home, query, tables, change };
}

function setPassphrase({ folder }: Home) {
  return atTerminal(
    folder,
    ['passphrase', 'set'],
    [
      ['New passphrase: ', passphrase],
      ['Repeat it: ', passphrase],
    ],
  );
}

describe.each([
  ['with the app running', true],
  ['without the app', false],
])('%s', (_name, isRunning) => {
  test('a program reads and writes where a client may without a question, and nothing else', async () => {
    const { home, query, tables } = await begin(isRunning);
    expect(await query('Open', 'SELECT * FROM fact')).toEqual({
      code: 0,
      stdout:
        'id                text\n' +
        '----------------  ----------\n' +
        '1                 one\n' +
        '2                 NULL\n' +
        '9007199254740993  �]0;owned�\n' +
        '(3 rows)\n',
      stderr: '',
    });
    expect(await query('Open', 'SELECT id FROM fact', '--limit', '1')).toMatchObject({
      stdout: 'id\n--\n1\n(1 row, and more: raise --limit)\n',
    });
    expect(await home.json('query', 'Open', 'SELECT id, text FROM fact WHERE id > 1')).toMatchObject({
      effect: 'read',
      messages: [],
      results: [
        {
          kind: 'rows',
          truncated: false,
          columns: [
            { name: 'id', type: 'int' },
            { name: 'text', type: 'text' },
          ],
          rows: [
            [2, null],
            ['9007199254740993', '\u001b]0;owned\u0007'],
          ],
        },
      ],
    });
    expect(await query('Open', "UPDATE fact SET text = 'x' WHERE id < 3")).toEqual({
      code: 0,
      stdout: '2 rows changed\n',
      stderr: '',
    });
    const piped = await home.run(['query', 'Open', '-'], { input: 'SELECT text\nFROM fact WHERE id = 1\n' });
    expect(piped).toEqual({ code: 0, stdout: 'text\n----\nx\n(1 row)\n', stderr: '' });
    for (const args of [
      ['Open', 'DROP TABLE fact'],
      ['Open', 'DELETE FROM fact'],
      ['Asks', 'SELECT 1'],
      ['Asks', 'DROP TABLE fact'],
    ]) {
      const refused = await query(...args);
      expect([args, refused.code, refused.stdout]).toEqual([args, 1, '']);
      expect(refused.stderr).toMatch(/^[^\n]*needs the administrator passphrase, and none is set[^\n]*\n$/);
    }
    expect(tables()).toEqual(['fact']);
  });

  test.skipIf(!hasTerminal)(
    'the person types the passphrase, sees what a statement would lose, and types yes',
    async () => {
      const { home, query, tables, change } = await begin(isRunning);
      await setPassphrase(home);
      // Neither a pipe, an argument nor the environment carries the passphrase, and no option says yes.
      const drop = ['query', 'Open', 'DROP TABLE fact'];
      const env = { TRESTLE_PASSPHRASE: passphrase, PASSPHRASE: passphrase };
      for (const args of [drop, ['query', 'Open', '-']]) {
        const refused = await home.run(args, { input: `DROP TABLE fact\n${passphrase}\nyes\n`, env });
        expect([refused.code, refused.stdout]).toEqual([1, '']);
      }
      for (const option of [`--passphrase=${passphrase}`, '--yes', '--force']) {
        expect((await home.run([...drop, option])).stderr).toContain('Unknown option');
      }
      const wrong = await atTerminal(home.folder, drop, [['Administrator passphrase: ', 'a wrong guess']]);
      expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('passphrase is not right')]);
      for (const answer of ['no', 'y', '', '\u0003']) {
        const declined = await atTerminal(home.folder, drop, [asked, ['Type yes to run it: ', answer]]);
        expect([answer, declined.code]).toEqual([answer, 1]);
        expect(declined.output).toContain('The statement was not run.');
      }
      expect(tables()).toEqual(['fact']);

      const read = await atTerminal(
        home.folder,
        ['query', 'Asks', 'SELECT text FROM fact WHERE id = 1'],
        [asked],
      );
      expect([read.code, read.output]).toEqual([0, expect.stringContaining('one')]);
      expect(read.output).not.toContain(passphrase);

      const dropped = await atTerminal(
        home.folder,
        ['query', 'Asks', 'DROP TABLE fact'],
        [
          asked,
          ['Changed or deleted: 3 rows of fact.', () => change("INSERT INTO fact VALUES (7, 'seven')")],
          sure,
          ['The data or the schema has changed. Nothing was run.', () => {}],
          ['Changed or deleted: 4 rows of fact.', () => {}],
          sure,
        ],
      );
      expect([dropped.code, tables()]).toEqual([0, []]);
      expect(dropped.output).toContain('On "Asks": Drop table fact');
      expect((await query('Open', 'SELECT * FROM fact')).stderr).toContain('no such table');
    },
    90_000,
  );

  test.skipIf(!hasTerminal)('Ctrl-C cancels the statement', async () => {
    const { home, query } = await begin(isRunning);
    const { code, output } = await atTerminal(
      home.folder,
      ['query', 'Open', endless, '--timeout', '200'],
      [['Ctrl-C cancels the statement.', '\u0003']],
    );
    expect([code, output]).toEqual([130, expect.stringContaining('Cancelled.')]);
    // The driver is free again: a serial driver runs one statement of clients at a time.
    expect((await query('Open', 'SELECT 1 AS one')).code).toBe(0);
  });
});

test('a statement that takes too long ends with its timeout', async () => {
  const { query } = await begin(true);
  const late = await query('Open', endless, '--timeout', '1');
  expect([late.code, late.stdout]).toEqual([1, '']);
  expect(late.stderr.trimEnd().split('\n')).toHaveLength(1);
});

const refused: [string[], string][] = [
  [['Opem', 'SELECT 1'], 'There is no connection "Opem". Did you mean "Open"?'],
  [['Open', 'SELECT 1; SELECT 2'], 'more than one statement'],
  [['Open', 'SELECT 1; DROP TABLE fact'], 'more than one statement'],
  [['Open', 'SELEC 1'], 'syntax error'],
  [['Open', ''], ''],
  [['Open'], 'An argument is missing.'],
  [['Open', 'SELECT', '1'], 'one argument too many'],
  [['Open', 'SELECT 1', '--limit', '0'], '--limit takes a whole number between 1 and 10000, not "0".'],
  [['Open', 'SELECT 1', '--limit', '99999999'], '--limit takes'],
  [['Open', 'SELECT 1', '--timeout', '301'], '--timeout takes'],
];

test('a wrong call fails with one line', async () => {
  const { query, tables } = await begin(false);
  for (const [args, sentence] of refused) {
    const { code, stdout, stderr } = await query(...args);
    expect([args, code, stdout]).toEqual([args, 1, '']);
    expect(stderr).toContain(sentence);
    expect([args, stderr.trimEnd().split('\n')]).toEqual([args, [expect.any(String)]]);
  }
  expect(tables()).toEqual(['fact']);
});

test('the sample of Weaviate takes GraphQL and request lines; errors of GraphQL go to standard error', async () => {
  const { home, query } = await begin(true);
  const sample = 'Sample: Weaviate';
  const rows = await query(sample, '{ Get { Mission(limit: 2) { name } } }');
  expect(rows).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('(2 rows)\n') });
  const line = await home.json('query', sample, 'GET /v1/schema/Mission');
  expect(line).toMatchObject({
    effect: 'read',
    results: [{ kind: 'document', document: { class: 'Mission' } }],
  });
  const wrong = await query(sample, '{ Get { Mission { nothing } } }');
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('nothing')]);
  const refused = await query(sample, 'DELETE /v1/schema/Mission');
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Running a destructive statement needs the administrator passphrase'),
  });
  if (!hasTerminal) return;
  await setPassphrase(home);
  const counted = await query(sample, '{ Aggregate { Mission { meta { count } } } }', '--json');
  const total = /"count": (\d+)/.exec(counted.stdout)?.[1];
  const dropped = await atTerminal(
    home.folder,
    ['query', sample, 'DELETE /v1/schema/Mission'],
    [asked, sure],
  );
  expect(dropped.code).toBe(0);
  expect(dropped.output).toMatch(new RegExp(`Changed or deleted: ${total} rows of Mission`));
  expect((await query(sample, 'GET /v1/schema/Mission')).code).toBe(1);
});
