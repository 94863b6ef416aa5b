import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Job } from '../../packages/core/src/types.ts';
import { atTerminal, hasTerminal } from './terminal.ts';
import { createHome, type Home, shareApp } from './trestle.ts';

const open = shareApp();

async function begin({
  isRunning,
  clients = 'readWrite',
  policy = 'alwaysAllow',
}: {
  isRunning: boolean;
  clients?: string;
  policy?: string;
}) {
  const home = isRunning ? await open() : createHome();
  const folder = mkdtempSync(join(home.folder, 'test-'));
  const file = join(folder, 'facts.db');
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE fact (id INTEGER PRIMARY KEY, text TEXT NOT NULL, year INT UNIQUE)');
  database.exec('CREATE TABLE note (id TEXT PRIMARY KEY, text TEXT)');
  database.close();
  const level = ['--external-clients', clients, '--ai-policy', policy];
  await home.json('connections', 'add', '--driver', 'sqlite', '--name', 'Facts', '--file', file, ...level);
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const rows = (table: string) => {
    const reading = new DatabaseSync(file, { readOnly: true });
    const found = reading.prepare(`SELECT * FROM ${table} ORDER BY 1`).all();
    reading.close();
    return found.map((row) => ({ ...row }));
  };
  const bring = (...args: string[]) => home.run(['import', 'Facts', ...args]);
  return { home, folder, write, rows, bring };
}

describe.each([
  ['with the app running', true],
  ['without the app', false],
])('%s', (_name, isRunning) => {
  test('an import into a connection that AI clients may not write to freely needs the passphrase', async () => {
    for (const level of [{ clients: 'readOnly' }, { policy: 'askEachTime' }, { policy: 'never' }]) {
      const { write, rows, bring } = await begin({ isRunning, ...level });
      const answer = await bring('note', write('notes.csv', 'id,text\n1,one\n'));
      expect(answer.code).toBe(1);
      expect(answer.stderr).toContain(
        'Importing into a connection that is masked, blocked, read-only or not Always Allow',
      );
      expect(rows('note')).toEqual([]);
    }
  });

  test('each value is stored whatever the names of the columns are, and an empty text is an id', async () => {
    const { folder, write, bring, rows } = await begin({ isRunning });
    const names = [
      ...Object.getOwnPropertyNames(Object.prototype),
      'a"b',
      ' lead',
      'trestle_line',
      'trestle_error',
      'trestle_id',
      '\u{1F600}',
    ];
    const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`);
    const database = new DatabaseSync(join(folder, 'facts.db'));
    for (const table of ['from_csv', 'from_json'])
      database.exec(`CREATE TABLE ${table} (id TEXT NOT NULL PRIMARY KEY, ${quoted.join(' TEXT, ')} TEXT)`);
    database.close();
    const row = Object.fromEntries([['id', ''], ...names.map((name) => [name, `of ${name}`])]);
    const values = names.map((name) => `"of ${name.replaceAll('"', '""')}"`);
    await bring('from_csv', write('odd.csv', `id,${quoted.join(',')}\n"",${values.join(',')}\n`));
    await bring('from_json', write('odd.jsonl', JSON.stringify(row)));
    for (const table of ['from_csv', 'from_json'])
      expect(rows(table).map((one) => Object.entries(one))).toEqual([Object.entries(row)]);
  });

  test('a NULL for a column that does not allow it fails its row, also with --replace', async () => {
    const { folder, write, bring, rows } = await begin({ isRunning });
    const database = new DatabaseSync(join(folder, 'facts.db'));
    database.exec("CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL DEFAULT 'none')");
    database.exec("INSERT INTO word VALUES (1, 'one')");
    database.close();
    const file = write('words.csv', 'id,text\n1,\n2,\n3,three\n');
    for (const flags of [[], ['--replace']]) {
      const report = await bring('word', file, '--json', ...flags);
      expect(JSON.parse(report.stdout)).toMatchObject(
        flags.length === 0 ? { stored: 1, existing: 1, failed: 1 } : { replaced: 1, failed: 2 },
      );
      expect(report.stdout).toContain('NOT NULL constraint failed: word.text');
    }
    expect(rows('word')).toEqual([
      { id: 1, text: 'one' },
      { id: 3, text: 'three' },
    ]);
  });

  test('replacing more rows than the reach limit needs the passphrase', async () => {
    const { write, rows, bring } = await begin({ isRunning });
    const file = (name: string, count: number) =>
      write(name, `id,text\n${Array.from({ length: count }, (_, row) => `${row},${name}`).join('\n')}\n`);
    expect((await bring('note', file('first', 101))).code).toBe(0);
    const refused = await bring('note', file('second', 101), '--replace');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('Replacing more than 100 rows (the reach limit of this connection)'),
    ]);
    expect(new Set(rows('note').map(({ text }) => text))).toEqual(new Set(['first']));
    expect((await bring('note', file('third', 101), '--replace', '--dry-run')).code).toBe(0);
    expect((await bring('note', file('fourth', 100), '--replace')).code).toBe(0);
    expect(rows('note').filter(({ text }) => text === 'fourth')).toHaveLength(100);
  });

  test('rows that fit the table are stored; the other rows are reported, and can be corrected and imported', async () => {
    const { folder, write, rows, bring } = await begin({ isRunning });
    const file = write(
      'facts.csv',
      '\ufeffID;Words;year\r\n1;"Sputnik; first";1957\r\n2;Laika;soon\r\n3;;1961\r\n4;"Two\r\nlines";1969\r\n5;Same;1957\r\n',
    );
    const failed = join(folder, 'failed.csv');
    const first = await bring('fact', file, '--map', 'Words=text', '--failed', failed);
    expect(first.stderr.split('\n')).toEqual([
      'Line 3: year: Expected a whole number such as 42',
      expect.stringMatching(/^Line 4: .*NOT NULL.*text/),
      expect.stringMatching(/^Line 7: .*UNIQUE.*year/),
      '',
    ]);
    expect(first).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^fact: 2 stored, 3 failed \(5 rows\)\.\n/),
    });
    expect(rows('fact')).toEqual([
      { id: 1, text: 'Sputnik; first', year: 1957 },
      { id: 4, text: 'Two\r\nlines', year: 1969 },
    ]);

    const mended = readFileSync(failed, 'utf8')
      .replace('soon', '1958')
      .replace('3;;', '3;Gagarin;')
      .replace('Same;1957', 'Same;1970');
    const second = await bring('fact', write('mended.csv', mended), '--map', 'Words=text');
    expect(second).toEqual({ code: 0, stdout: 'fact: 3 stored (3 rows).\n', stderr: '' });
    expect(rows('fact').map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });

  test('a row whose id exists is left alone without --replace, and replaced with it', async () => {
    const { write, rows, bring } = await begin({ isRunning });
    await bring(
      'fact',
      write('a.jsonl', '{"id": 1, "text": "old", "year": 1}\n{"id": 2, "text": "two", "year": 2}\n'),
    );
    const file = write('b.json', '[{"id": 1, "text": "new"}, {"id": 3, "text": "three"}]');
    expect(await bring('fact', file)).toEqual({
      code: 0,
      stdout: 'fact: 1 stored, 1 exists already (2 rows).\n',
      stderr: '',
    });
    expect(rows('fact')[0]).toEqual({ id: 1, text: 'old', year: 1 });
    expect(await bring('fact', file, '--replace')).toMatchObject({
      code: 0,
      stdout: 'fact: 0 stored, 2 replaced (2 rows).\n',
    });
    expect(rows('fact')).toEqual([
      { id: 1, text: 'new', year: 1 },
      { id: 2, text: 'two', year: 2 },
      { id: 3, text: 'three', year: null },
    ]);
  });
});

test('many small imports replace no more rows in an hour than AI clients may change, also after a restart', async () => {
  const { home, write, rows, bring } = await begin({ isRunning: false });
  await home.json('connections', 'edit', 'Facts', '--reach-limit', '2');
  await bring('note', write('old.csv', 'id,text\n1,old\n2,old\n'));
  for (let at = 0; at < 10; at++)
    expect((await bring('note', write('new.csv', `id,text\n1,${at}\n2,${at}\n`), '--replace')).code).toBe(0);
  const refused = await bring('note', write('last.csv', 'id,text\n1,last\n'), '--replace');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('Replacing rows on this connection, where programs have changed as many rows'),
  ]);
  expect(rows('note').map(({ text }) => text)).toEqual(['9', '9']);
  expect((await bring('note', write('more.csv', 'id,text\n3,new\n'))).code).toBe(0);
});

test('a second import of rows without ids adds no rows if the key is a text; a numeric key needs --new-ids', async () => {
  const { write, rows, bring } = await begin({ isRunning: true });
  const file = write('notes.jsonl', '{"text": "a"}\n{"text": "a"}\n{"text": "b"}\n');
  expect((await bring('note', file)).stdout).toBe('note: 3 stored (3 rows).\n');
  expect((await bring('note', file)).stdout).toBe('note: 0 stored, 3 exist already (3 rows).\n');
  expect(
    rows('note')
      .map(({ text }) => text)
      .sort(),
  ).toEqual(['a', 'a', 'b']);

  const numbered = await bring('fact', file);
  expect(numbered).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--new-ids') });
  expect((await bring('fact', file, '--new-ids')).code).toBe(0);
  expect(rows('fact')).toHaveLength(3);
});

test('a dry run shows where each column goes and stores no rows', async () => {
  const { folder, write, rows, bring } = await begin({ isRunning: true });
  const file = write('facts.csv', 'id,TEXT,year,more\n1,one,1900,x\n2,two,x,\n');
  expect(await bring('fact', file)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('fact has no column "more" for the column "more" of the file'),
  });
  const failed = join(folder, 'failed.csv');
  expect(await bring('fact', file, '--dry-run', '--map', 'more=', '--failed', failed)).toEqual({
    code: 1,
    stdout:
      '2 rows, CSV\n  id → id (int), such as 1\n  TEXT → text (text), such as one\n' +
      '  year → year (int), such as 1900\n  more: left out\n1 of 2 rows fit fact. Nothing was sent.\n',
    stderr: 'Line 3: year: Expected a whole number such as 42\n',
  });
  expect(rows('fact')).toEqual([]);
  expect(existsSync(failed)).toBe(true);
  expect(await bring('fact', file, '--map', 'more=', '--failed', failed)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exists already'),
  });
  expect(rows('fact')).toEqual([]);
});

test('the sample of Weaviate takes objects, and a second import of the same file adds none', async () => {
  const { home, write } = await begin({ isRunning: true });
  const file = write('missions.jsonl', '{"name": "Test 1"}\n{"name": "Test 2"}\n');
  const bring = () => home.json('import', 'Sample: Weaviate', 'Mission', file);
  expect(await bring()).toMatchObject({ rows: 2, stored: 2, existing: 0, failed: 0, ended: 'complete' });
  expect(await bring()).toMatchObject({ rows: 2, stored: 0, existing: 2, failed: 0, ended: 'complete' });
});

test.each([
  [['Facts', 'fact', '/nowhere.csv'], 'There is no file /nowhere.csv'],
  [['Nothing', 'fact', '{file}'], 'There is no connection "Nothing"'],
  [['Facts', 'nothing', '{file}'], 'nothing'],
  [['Facts', 'fact', '{file}', '--tenant', 'x'], 'fact has no tenants'],
  [['Facts', 'fact', '{file}', '--map', 'x'], '--map needs FROM=TO'],
  [['Facts', 'fact', '{file}', '--failed', '{file}'], '--failed must name another file'],
])('trestle import %j fails with one line', async (args, sentence) => {
  const { home, write } = await begin({ isRunning: false });
  const file = write('facts.csv', 'id,text\n1,one\n');
  const { code, stdout, stderr } = await home.run([
    'import',
    ...args.map((one) => one.replace('{file}', file)),
  ]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(sentence);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test.runIf(hasTerminal)('a terminal shows progress; after Ctrl-C, the stored count is right', async () => {
  const { home, write, rows } = await begin({ isRunning: true });
  const total = 200_000;
  const file = write(
    'many.csv',
    `id,text\n${Array.from({ length: total }, (_, id) => `${id},row ${id}`).join('\n')}\n`,
  );
  const { code, output } = await atTerminal(
    home.folder,
    ['import', 'Facts', 'fact', file],
    [[' a second', '\u0003']],
  );
  expect(output).toMatch(new RegExp(`\\d+ of ${total} rows, \\d+ a second`));
  const stored = Number(/fact: (\d+) stored, (\d+) not sent/.exec(output)?.[1]);
  expect(output).toContain('Cancelled.');
  expect(code).toBe(130);
  expect(rows('fact')).toHaveLength(stored);
});

/** Returns a function that returns the first job that began after this call. */
async function nextJob(home: Home) {
  const jobs = async () => (await home.ask('jobs.list')) as Job[];
  const known = new Set((await jobs()).map(({ id }) => id));
  return async () => (await jobs()).find(({ id }) => !known.has(id));
}

test('an import of the command line is a job of the running app, which a window can cancel', async () => {
  const { home, write, rows, bring } = await begin({ isRunning: true });
  const count = 300_000;
  const lines = Array.from({ length: count }, (_, row) => `${row},text of ${row}`);
  const listed = await nextJob(home);
  const importing = bring('note', write('notes.csv', `id,text\n${lines.join('\n')}\n`));
  const words = /^[\d,]+ stored of 300,000 rows$/;
  await expect.poll(listed).toMatchObject({
    title: 'Import into note, from the command line',
    progress: { words: expect.stringMatching(words) },
  });
  await home.ask('jobs.cancel', (await listed())!.id);
  const { code, stdout } = await importing;
  expect(code).toBe(130);
  const [, stored] = /^note: (\d+) stored, \d+ not sent/.exec(stdout) ?? [];
  expect(rows('note')).toHaveLength(Number(stored));
  expect(await listed()).toMatchObject({
    outcome: { how: 'cancelled', words: 'The import was cancelled' },
    progress: { done: Number(stored), total: count },
  });
});

test('the job of a command that was killed ends, and so does its import', async () => {
  const { home, write } = await begin({ isRunning: true });
  const lines = Array.from({ length: 300_000 }, (_, row) => `${row},text of ${row}`);
  const listed = await nextJob(home);
  const child = home.launch([
    'import',
    'Facts',
    'note',
    write('notes.csv', `id,text\n${lines.join('\n')}\n`),
  ]);
  await expect.poll(async () => (await listed())?.progress.done).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await expect
    .poll(listed)
    .toMatchObject({ outcome: { how: 'unknown', words: 'The command ended without a report' } });
});

test('an import stops when its connection becomes read-only for clients, and reports the stored rows', async () => {
  const { home, write, rows, bring } = await begin({ isRunning: true });
  const count = 300_000;
  const lines = Array.from({ length: count }, (_, row) => `${row},text of ${row}`);
  const file = write('notes.csv', `id,text\n${lines.join('\n')}\n`);
  const importing = bring('note', file, '--new-ids');
  await expect.poll(() => rows('note').length).toBeGreaterThan(0);
  await home.json('connections', 'edit', 'Facts', '--external-clients', 'readOnly');
  const { code, stdout, stderr } = await importing;
  expect([code, stderr]).toEqual([1, '']);
  const [, stored, unsent] = /^note: (\d+) stored, (\d+) not sent \(300000 rows\)\.\n/.exec(stdout) ?? [];
  expect(stdout).toContain(
    'Stopped: "Facts" was restricted while the import ran: it is now masked, blocked, read-only or not Always Allow for AI clients. The rows that are counted as stored stay there. No further rows were sent.',
  );
  // If the key is a text, Trestle derives missing ids, so --new-ids changes nothing.
  expect(stdout).toContain('Run the same command again to continue: stored rows do not change.');
  expect(Number(stored) + Number(unsent)).toBe(count);
  expect(rows('note')).toHaveLength(Number(stored));
});
