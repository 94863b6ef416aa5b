import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { enterWindow } from '../enter-window.ts';
import { standInBrowser } from '../stand-in-browser.ts';
import { atTerminal, hasTerminal } from './terminal.ts';
import { createHome, type Home } from './trestle.ts';

const passphrase = 'correct horse';

const makeFullAccess = ['tokens', 'create', '--name', 'Mine', '--permission', 'fullAccess'];

function setPassphrase(home: Home) {
  return atTerminal(
    home.folder,
    ['passphrase', 'set'],
    [
      ['New passphrase: ', passphrase],
      ['Repeat it: ', passphrase],
    ],
  );
}

function writeImport(home: Home, change: object): string {
  const connection = {
    name: 'Facts',
    driver: 'sqlite',
    fields: { file: join(home.folder, 'facts.db') },
    ...change,
  };
  writeFileSync(join(home.folder, 'import.json'), JSON.stringify({ connections: [connection] }));
  return join(home.folder, 'import.json');
}

/** Makes one call to the app's API, as the page does. */
async function call(entry: Awaited<ReturnType<typeof enterWindow>>, path: string, input: unknown) {
  const headers = { ...entry.headers, 'content-type': 'application/json' };
  const body = JSON.stringify(input);
  const answer = await (await fetch(`${entry.origin}/api/${path}`, { method: 'POST', headers, body })).json();
  return answer.error ? answer.error.data.app : answer.result.data;
}

const token = { name: 'T', permission: 'fullAccess', allowlist: null, expiresAt: null };

describe.each([
  ['with the app running', true],
  ['without the app', false],
])('%s, a program with a shell', (_name, isRunning) => {
  test('cannot make a Full Access token or raise a level', async () => {
    const home = createHome();
    if (isRunning) await home.start();
    expect(await home.run(makeFullAccess)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        'Creating a Full Access token needs the administrator passphrase, and none is set',
      ),
    });
    const file = writeImport(home, { externalClients: 'blocked', aiPolicy: 'never' });
    expect((await home.run(['connections', 'import', file])).code).toBe(0);
    const raised = writeImport(home, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
    const { code, stdout, stderr } = await home.run(['connections', 'import', raised, '--replace']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch('"Facts": External Clients: blocked → readWrite; AI Policy: never → alwaysAllow');
    const connections: { name: string; aiPolicy: string }[] = await home.json('connections', 'list');
    expect(connections.find(({ name }) => name === 'Facts')).toMatchObject({ aiPolicy: 'never' });
    expect(await home.json('tokens', 'list')).toEqual([]);
    expect(await home.run(['connections', 'import', raised, '--replace', '--dry-run'])).toMatchObject({
      stdout:
        'Replaced  "Facts"\n  External Clients: blocked → readWrite\n  AI Policy: never → alwaysAllow\n' +
        '  Clients may do more here than before.\nNothing was saved.\n',
    });
  });

  test.skipIf(!hasTerminal)(
    'cannot give the passphrase through a pipe; the person types it at a terminal',
    async () => {
      const home = createHome();
      if (isRunning) await home.start();
      expect(
        await home.run(['passphrase', 'set'], { input: `${passphrase}\n${passphrase}\n` }),
      ).toMatchObject({
        code: 1,
        stderr: 'The administrator passphrase must be typed at a terminal.\n',
      });
      expect(await setPassphrase(home)).toMatchObject({ code: 0 });
      expect(await home.run(makeFullAccess, { input: `${passphrase}\n` })).toMatchObject({
        code: 1,
        stdout: '',
      });
      const wrong = await atTerminal(home.folder, makeFullAccess, [
        ['Administrator passphrase: ', 'a wrong guess'],
      ]);
      expect([wrong.code, wrong.output]).toEqual([
        1,
        expect.stringMatching('The administrator passphrase is not right'),
      ]);
      const right = await atTerminal(home.folder, makeFullAccess, [
        ['Administrator passphrase: ', passphrase],
      ]);
      expect([right.code, right.output]).toEqual([0, expect.stringMatching(/trs_\w+/)]);
      expect(right.output).not.toMatch(passphrase);
      const unchanged = await atTerminal(
        home.folder,
        ['passphrase', 'set'],
        [
          ['Current passphrase: ', 'a wrong guess'],
          ['New passphrase: ', 'another horse'],
          ['Repeat it: ', 'another house'],
          ['New passphrase: ', 'another horse'],
          ['Repeat it: ', 'another horse'],
          ['Current passphrase: ', 'a second guess'],
          ['Current passphrase: ', 'a third guess'],
        ],
      );
      expect(unchanged.output).toMatch('The two passphrases differ. Type the new one again.');
      expect([unchanged.code, unchanged.output]).toEqual([
        1,
        expect.stringMatching('The administrator passphrase is not right'),
      ]);
      expect(unchanged.output).not.toMatch('Administrator passphrase: ');
      expect(await home.json('tokens', 'list')).toMatchObject([{ name: 'Mine', permission: 'fullAccess' }]);
    },
  );
});

const sqlite = (name: string, file: string, ...levels: string[]) => [
  ...['connections', 'add', '--driver', 'sqlite', '--name', name, '--file', file],
  ...levels,
];
const open = ['--external-clients', 'readWrite', '--ai-policy', 'alwaysAllow'];

describe.skipIf(!hasTerminal).each([
  ['with the app running', true],
  ['without the app', false],
])('%s, once the passphrase is set last', (_name, isRunning) => {
  test('a program cannot add, import or move a connection with levels above the default; the person can', async () => {
    const home = createHome();
    if (isRunning) await home.start();
    const file = (name: string) => {
      const path = join(home.folder, `${name}.db`);
      new DatabaseSync(path).exec('CREATE TABLE fact (id INTEGER PRIMARY KEY)');
      return path;
    };
    // The set-up script of docs/command-line.md.
    expect((await home.run(sqlite('Open', file('open'), ...open))).code).toBe(0);
    expect((await home.run(sqlite('Kept', file('kept')))).code).toBe(0);
    expect((await setPassphrase(home)).code).toBe(0);

    const kept = file('kept2');
    const raised = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow', fields: { file: kept } };
    const imported = writeImport(home, raised);
    const attempts = [
      sqlite('Facts', kept, ...open),
      sqlite('Facts', kept, '--reach-limit', '101'),
      ['connections', 'import', imported],
      ['connections', 'import', imported, '--replace'],
      ['connections', 'edit', 'Open', '--file', kept],
      ['connections', 'edit', 'Kept', ...open],
    ];
    for (const args of attempts) {
      const refused = await home.run(args, {
        input: `${passphrase}\n`,
        env: { TRESTLE_PASSPHRASE: passphrase },
      });
      expect([args, refused.code, refused.stdout]).toEqual([args, 1, '']);
      expect(refused.stderr).toContain('needs the administrator passphrase');
    }
    const given = await home.run([...sqlite('Facts', kept, ...open), '--passphrase', passphrase]);
    expect([given.code, given.stderr]).toEqual([1, expect.stringContaining("Unknown option '--passphrase'")]);
    await home.run(['connections', 'remove', 'Kept']);
    expect(await home.run(sqlite('Kept', file('kept3'), ...open))).toMatchObject({ code: 1 });
    expect(await home.run(sqlite('Kept', file('kept4')))).toMatchObject({ code: 0 });

    expect((await home.run(['connections', 'import', imported, '--dry-run'])).stdout).toBe(
      'New       "Facts"\n' +
        '  Needs the administrator passphrase: External Clients: readOnly → readWrite\n' +
        '  Needs the administrator passphrase: AI Policy: askEachTime → alwaysAllow\n' +
        'Nothing was saved.\n',
    );
    const asked: [string, string][] = [['Administrator passphrase: ', passphrase]];
    const added = await atTerminal(home.folder, ['connections', 'import', imported], asked);
    expect([added.code, added.output]).toEqual([0, expect.stringContaining('New       "Facts"')]);
    expect(added.output).not.toContain(passphrase);
    const levels = (await home.json('connections', 'list'))
      .filter(({ sample }: { sample: boolean }) => !sample)
      .map((one: { name: string; aiPolicy: string }) => [one.name, one.aiPolicy]);
    expect(levels).toEqual([
      ['Open', 'alwaysAllow'],
      ['Kept', 'askEachTime'],
      ['Facts', 'alwaysAllow'],
    ]);
  });
});

test.skipIf(!hasTerminal)(
  'a window opened by a printed link asks for the passphrase before it saves higher levels',
  async () => {
    const home = createHome();
    const app = await home.start();
    const entry = await enterWindow(app.link);
    const file = join(home.folder, 'facts.db');
    new DatabaseSync(file).exec('CREATE TABLE fact (id INTEGER PRIMARY KEY)');
    const draft = {
      name: 'Facts',
      driver: 'sqlite',
      fields: { file },
      externalClients: 'readWrite',
      aiPolicy: 'alwaysAllow',
      safeMode: 'off',
      color: null,
    };
    expect(await call(entry, 'connections.create', { ...draft, name: 'First' })).toMatchObject({
      name: 'First',
    });
    await setPassphrase(home);
    // As the window duplicates a connection.
    expect(await call(entry, 'connections.create', draft)).toMatchObject({ code: 'passphrase_needed' });
    const text = JSON.stringify({ connections: [draft] });
    expect(
      await call(entry, 'connections.importFile', { name: 'a.json', text, dryRun: false }),
    ).toMatchObject({ code: 'passphrase_needed' });
    await call(entry, 'app.unlock', { passphrase });
    expect(await call(entry, 'connections.create', draft)).toMatchObject({ name: 'Facts' });
  },
);

test.skipIf(!hasTerminal)('a window opened by a printed link asks for the passphrase once', async () => {
  const home = createHome();
  const app = await home.start();
  const entry = await enterWindow(app.link);
  expect(await call(entry, 'tokens.create', token)).toMatchObject({ code: 'forbidden' });
  await setPassphrase(home);
  expect(await call(entry, 'tokens.create', token)).toMatchObject({ code: 'passphrase_needed' });
  expect(await call(entry, 'app.unlock', { passphrase: 'a wrong guess' })).toMatchObject({
    code: 'passphrase_needed',
  });
  expect(await call(entry, 'tokens.create', token)).toMatchObject({ code: 'passphrase_needed' });
  await call(entry, 'app.unlock', { passphrase });
  expect(await call(entry, 'tokens.create', token)).toMatchObject({ token: { permission: 'fullAccess' } });
  const second = { ...token, name: 'Second' };
  expect(await call(entry, 'tokens.create', second)).toMatchObject({ token: { permission: 'fullAccess' } });
});

test('a window that the app opened needs no passphrase for a Full Access token; the log names each door', async () => {
  const home = createHome();
  const screen = standInBrowser(home.folder);
  const app = await home.start([], { env: { ...screen.env, ...screen.display } });
  const own = await enterWindow(await screen.first());
  expect(await call(own, 'tokens.create', token)).toMatchObject({ token: { permission: 'fullAccess' } });
  await home.run(makeFullAccess);
  const printed = await enterWindow(/http:\S+/.exec((await home.run(['--no-window'])).stdout)![0]);
  await call(printed, 'tokens.create', token);
  const doors = (await call(own, 'activity.list', { limit: 10 })).map(
    (row: { outcome: string; detail: string }) => [row.outcome, row.detail.split(':')[0]],
  );
  expect(doors).toEqual([
    ['denied', 'Through a window opened by a printed link'],
    ['denied', 'Through the command line'],
    ['ok', "Through Trestle's window"],
  ]);
  app.process.kill('SIGTERM');
  expect(await app.exited).toBe(0);
});

test('an export contains the settings of an SQLite connection, and importing it again changes nothing', async () => {
  const home = createHome();
  const masking = { columns: ['people.email'], patterns: ['card', 'phone'] };
  const levels = {
    externalClients: 'readWrite',
    aiPolicy: 'alwaysAllow',
    safeMode: 'confirm',
    color: 'red',
    word: 'PROD',
    masking,
    reachLimit: 7,
  };
  await home.run(['connections', 'import', writeImport(home, levels)]);
  const { stdout } = await home.run(['connections', 'export']);
  expect(JSON.parse(stdout).connections).toEqual([
    { name: 'Facts', driver: 'sqlite', fields: { file: join(home.folder, 'facts.db') }, ...levels },
  ]);
  const again = await home.run(['connections', 'import', '-', '--replace'], { input: stdout });
  expect(again).toEqual({ code: 0, stdout: 'Unchanged "Facts"\n', stderr: '' });
});
