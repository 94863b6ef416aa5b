import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHome, type Home, shareApp } from './trestle.ts';

describe.each([
  ['with the app running', true],
  ['without the app', false],
])('%s', (_name, isRunning) => {
  const open = isRunning ? shareApp() : createHome;
  let home: Home;
  let file: string;

  beforeEach(async () => {
    home = await open();
    file = join(home.folder, 'facts.db');
    rmSync(file, { force: true });
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE fact (id INTEGER PRIMARY KEY, text TEXT)');
    database.close();
    if (isRunning) {
      for (const { id } of (await home.ask('connections.list')) as { id: string }[])
        await home.ask('connections.remove', id);
    }
  });

  const add = (...args: string[]) =>
    home.json('connections', 'add', '--driver', 'sqlite', '--name', 'Facts', '--file', file, ...args);

  test('a connection is added, listed, tested, exported, removed and imported', async () => {
    const added = await add('--external-clients', 'readWrite', '--word', 'PROD', '--color', 'red');
    expect(added).toMatchObject({
      name: 'Facts',
      driver: 'sqlite',
      fields: { file },
      externalClients: 'readWrite',
      aiPolicy: 'askEachTime',
      safeMode: 'off',
      sample: false,
    });
    expect(await home.json('connections', 'list')).toEqual([added]);
    const listed = await home.run(['connections', 'list']);
    expect(listed.stdout).toMatch(/^NAME .*\nFacts +sqlite +\S*facts\.db +readWrite +askEachTime +\S+\n$/);

    const tested = await home.run(['connections', 'test', 'Facts']);
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/^"Facts" works: SQLite \d/) });

    const exported = await home.run(['connections', 'export']);
    const shape = { name: 'Facts', driver: 'sqlite', fields: { file }, externalClients: 'readWrite' };
    expect(JSON.parse(exported.stdout).connections).toEqual([
      {
        ...shape,
        aiPolicy: 'askEachTime',
        safeMode: 'off',
        color: 'red',
        word: 'PROD',
        masking: { columns: [], patterns: [] },
        reachLimit: 100,
      },
    ]);

    expect(await home.run(['connections', 'remove', 'Facts'])).toEqual({
      code: 0,
      stdout: 'Removed "Facts".\n',
      stderr: '',
    });
    expect(await home.json('connections', 'list')).toEqual([]);

    const imported = await home.run(['connections', 'import', '-'], { input: exported.stdout });
    expect(imported).toEqual({ code: 0, stdout: 'New       "Facts"\n', stderr: '' });
    expect(await home.json('connections', 'list')).toMatchObject([shape]);
  });

  test('an import saves all connections of its file or none', async () => {
    const one = { name: 'One', driver: 'sqlite', fields: { file: 'facts.db' } };
    const importing = async (connections: object[], ...args: string[]) => {
      writeFileSync(join(home.folder, 'import.json'), JSON.stringify({ connections }));
      return home.run(['connections', 'import', join(home.folder, 'import.json'), ...args]);
    };
    const refused = await importing([one, { name: 'Two', driver: 'sqlite', fields: { nonsense: 1 } }]);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^"Two": .*nonsense/),
    });
    expect(await home.json('connections', 'list')).toEqual([]);

    expect((await importing([one])).code).toBe(0);
    expect(await home.json('connections', 'list')).toMatchObject([
      { name: 'One', fields: { file }, externalClients: 'readOnly', aiPolicy: 'askEachTime' },
    ]);
    expect(await importing([one])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching('already exists'),
    });
    expect((await importing([{ ...one, aiPolicy: 'never' }], '--replace')).code).toBe(0);
    expect(await home.json('connections', 'list')).toMatchObject([{ name: 'One', aiPolicy: 'never' }]);
  });

  test('the test of a connection that does not work prints one line and exits with 1', async () => {
    await home.json('connections', 'add', '--driver', 'sqlite', '--name', 'Gone', '--file', '/nowhere/x.db');
    const outcome = await home.run(['connections', 'test', 'Gone']);
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^[^\n]+\n$/) });
  });

  test('a token is created, shown once, listed and revoked', async () => {
    const { id: connectionId } = await add();
    const { token, secret } = await home.json(
      ...['tokens', 'create', '--name', 'Laptop', '--permission', 'readWrite'],
      ...['--connections', 'Facts', '--expires', '30d'],
    );
    expect(secret).toMatch(new RegExp(`^trs_${token.id}_[\\w-]{43}$`));
    expect(token).toMatchObject({ name: 'Laptop', permission: 'readWrite', allowlist: [connectionId] });
    expect(await home.json('tokens', 'list')).toEqual([token]);
    expect((await home.run(['tokens', 'list'])).stdout).not.toContain(secret);

    const plain = await home.run(['tokens', 'create', '--name', 'Plain']);
    expect(plain.stdout).toMatch(/^trs_\S+\n$/);

    expect(await home.run(['tokens', 'revoke', 'Laptop'])).toMatchObject({
      code: 0,
      stdout: 'Revoked "Laptop".\n',
    });
    const [revoked] = (await home.json('tokens', 'list')).filter(
      (one: { id: string }) => one.id === token.id,
    );
    expect(revoked.revokedAt).toEqual(expect.any(String));
    for (const named of ['Laptop', token.id])
      expect(await home.run(['tokens', 'revoke', named])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`The token "${named}" is already revoked`),
      });
  });

  test.each([
    [['connections', 'remove', 'Nothing'], 'There is no connection "Nothing"'],
    [['connections', 'import', '/nowhere.json'], 'There is no file /nowhere.json.'],
    [['connections', 'add', '--driver', 'oracle', '--name', 'x'], 'There is no driver "oracle".'],
    [['connections', 'add', '--driver', 'sqlite', '--name', 'x'], 'Database file is required'],
    [['plugins', 'install', '/nowhere.tgz'], 'Step "read" refused the driver: there is no file /nowhere.tgz'],
    [['plugins', 'remove', 'oracle'], 'The driver oracle is not installed'],
    [['plugins', 'remove', 'sqlite'], 'SQLite ships with the app and cannot be removed'],
    [['tokens', 'create', '--name', 'x', '--permission', 'root'], '--permission is one of'],
    [['tokens', 'create', '--name', 'x', '--expires', '2001-01-01'], 'is in the past'],
  ])('trestle %j fails with one line', async (args, sentence) => {
    const { code, stdout, stderr } = await home.run(args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

test('several commands can create tokens at the same time in one data directory', async () => {
  const home = createHome();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const outcomes = await Promise.all(names.map((name) => home.run(['tokens', 'create', '--name', name])));
  expect(outcomes.map((outcome) => outcome.code)).toEqual(names.map(() => 0));
  const tokens: { name: string }[] = await home.json('tokens', 'list');
  expect(tokens.map((token) => token.name).sort()).toEqual(names);
});

test.each([
  [['--help']],
  [['start', '--help']],
  [['stop', '--help']],
  [['status', '--help']],
  [['connections', '--help']],
  [['connections', 'add', '--help']],
  [['connections', 'add', '--driver', 'sqlite', '--help']],
  [['connections', 'import', '--help']],
  [['connections', 'reset', '--help']],
  [['import', '--help']],
  [['plugins', '--help']],
  [['plugins', 'install', '--help']],
  [['passphrase', '--help']],
  [['tokens', '--help']],
  [['tokens', 'create', '--help']],
])('trestle %j prints its usage', async (args) => {
  const outcome = await createHome().run(args);
  expect(outcome).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: ?/), stderr: '' });
});

test.each([
  [['nonsense']],
  [['status', '--wrong']],
  [['connections']],
  [['connections', 'fly']],
  [['stop', 'now']],
])('trestle %j is refused with one line', async (args) => {
  const { code, stderr } = await createHome().run(args);
  expect(code).toBe(1);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('deleted samples do not come back at the next start', async () => {
  const home = createHome();
  await home.start();
  const samples: { id: string; sample: boolean }[] = await home.json('connections', 'list');
  expect(samples.map(({ sample }) => sample)).toEqual([true, true]);
  for (const { id } of samples) {
    expect((await home.run(['connections', 'test', id])).code).toBe(0);
    await home.json('connections', 'remove', id);
  }
  await home.run(['stop']);
  await home.start();
  expect(await home.json('connections', 'list')).toEqual([]);
});
