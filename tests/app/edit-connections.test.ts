import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { atTerminal, hasTerminal } from './terminal.ts';
import { createHome, launcher, shareApp } from './trestle.ts';

const weaviate = (name: string, ...more: string[]) => [
  ...['connections', 'add', '--driver', 'weaviate', '--name', name],
  ...more,
];

const refused: [string[], string][] = [
  [['edit', 'A'], 'Name at least one thing to change.'],
  [['edit'], 'Name the connection first.'],
  [['edit', 'Nothing', '--name', 'x'], 'There is no connection "Nothing"'],
  [['edit', 'A', '--name', 'B'], 'A connection named "B" already exists'],
  [['edit', 'A', '--port', '0'], 'Port must be between 1 and 65535'],
  [['edit', 'A', '--ssl-mode', 'verifyCa'], 'CA File is required by Verify CA'],
  [['edit', 'A', '--ssl-mode', 'verifyCa', '--ca-file', '/nowhere/ca.pem'], 'there is no such file'],
  [['add', '--driver', 'weaviate', '--name', 'A'], 'A connection named "A" already exists'],
  [['add', '--driver', 'weaviate', '--name', 'C', '--host', 'ftp://a'], 'not a URL'],
  [['add', '--driver', 'weaviate', '--name', 'C', '--host', 'a b'], 'Host must be a host name'],
  [['add', '--driver', 'weaviate', '--name', 'C', '--ssl-mode', 'verifyCa'], 'CA File is required by'],
  [['add', '--driver', 'weaviate', '--name', 'C', '--auth-method', 'apiKey'], 'API Key is required'],
];

describe.each([
  ['with the app running', true],
  ['without the app', false],
])('%s', (_name, isRunning) => {
  const open = isRunning ? shareApp() : createHome;

  test('an edit changes the given settings; without the passphrase, a changed field drops the stored secrets', async () => {
    const home = await open();
    await home.run([...weaviate('Cluster', '--auth-method', 'apiKey')], { input: 'first-key' });
    const edit = (...args: string[]) => home.json('connections', 'edit', 'Cluster', ...args);
    const [before] = (await home.json('connections', 'list')).filter(
      (one: { name: string }) => one.name === 'Cluster',
    );
    const { updatedAt: _, ...kept } = before;
    expect(await edit('--safe-mode', 'confirm')).toMatchObject({ ...kept, safeMode: 'confirm' });
    expect(await edit('--external-clients', 'blocked')).toMatchObject({ externalClients: 'blocked' });

    const elsewhere = await home.run(['connections', 'edit', 'Cluster', '--host', 'elsewhere.example']);
    expect(elsewhere).toMatchObject({
      code: 1,
      stderr:
        'API Key is required. A change to a field drops the stored secrets: enter them again with --secrets.\n',
    });
    const nowhere = await home.run(['connections', 'edit', 'Cluster', '--host', '']);
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Host is required\.?\n$/) });
    const moved = await home.run(
      ['connections', 'edit', 'Cluster', '--host', 'https://elsewhere.example:8443', '--secrets'],
      { input: '{"apiKey":"second-key","providerKeys":{"X-OpenAI-Api-Key":"sk"}}' },
    );
    expect(moved).toMatchObject({ code: 0, stderr: '' });
    expect((await edit('--name', 'Moved')).fields).toMatchObject({
      host: 'elsewhere.example',
      port: 8443,
      sslMode: 'required',
    });
    const listed = await home.json('connections', 'list');
    expect(listed.find(({ name }: { name: string }) => name === 'Moved')).toMatchObject({
      storedSecrets: expect.arrayContaining(['apiKey', 'providerKeys']),
    });
    const dropped = await home.run(['connections', 'edit', 'Moved', '--port', '8444', '--secrets'], {
      input: 'third-key',
    });
    expect(dropped.stdout).toContain('Model Provider Keys: dropped. Enter it again with --secrets.');
    const withKeys = { input: '{"providerKeys":{"X-OpenAI-Api-Key":"sk"}}' };
    await home.run(['connections', 'edit', 'Moved', '--secrets'], withKeys);
    const emptied = await home.run(['connections', 'edit', 'Moved', '--secrets'], {
      input: '{"providerKeys":{}}',
    });
    expect(emptied.stdout).toMatch(/^Saved "Moved" .*\n {2}Model Provider Keys: removed\.\n$/);
  });

  test('an invalid add or edit is refused with a message, and nothing changes', async () => {
    const home = await open();
    await home.run(weaviate('A'));
    await home.run(weaviate('B'));
    const before = await home.json('connections', 'list');
    for (const [args, words] of refused) {
      const { code, stdout, stderr } = await home.run(['connections', ...args]);
      expect([args, code, stdout]).toEqual([args, 1, '']);
      expect(stderr).toContain(words);
    }
    expect(await home.json('connections', 'list')).toEqual(before);
  });
});

test('a connection is opened and closed in the running app', async () => {
  const home = createHome();
  const file = join(home.folder, 'facts.db');
  new DatabaseSync(file).exec('CREATE TABLE fact (id INTEGER PRIMARY KEY)');
  await home.json('connections', 'add', '--driver', 'sqlite', '--name', 'Facts', '--file', file);
  const stopped = await home.run(['connections', 'connect', 'Facts']);
  expect(stopped).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Trestle is not running/) });
  expect((await home.run(['connections', 'disconnect', 'Facts'])).stdout).toBe(
    '"Facts" was not connected.\n',
  );

  await home.start();
  const opened = await home.run(['connections', 'connect', 'Facts']);
  expect(opened).toMatchObject({ code: 0, stdout: expect.stringMatching(/^"Facts" is connected: SQLite 3/) });
  expect((await home.run(['connections', 'disconnect', 'Facts'])).stdout).toBe('"Facts" is disconnected.\n');
  expect((await home.run(['connections', 'disconnect', 'Facts'])).stdout).toBe(
    '"Facts" was not connected.\n',
  );

  await home.json('connections', 'add', '--driver', 'sqlite', '--name', 'Gone', '--file', '/nowhere/x.db');
  const failed = await home.run(['connections', 'connect', 'Gone']);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Connection failed/) });
});

test('the name of a connection cannot send control sequences to the terminal', async () => {
  const home = createHome();
  const name = '\u001b[2Jgone';
  const added = await home.run(weaviate(name));
  expect(added).toMatchObject({ code: 1, stdout: '' });
  expect(added.stderr).toMatch('The name of the connection has characters that cannot be seen');
  const edited = await home.run(['connections', 'edit', name, '--word', 'PROD']);
  expect([edited.code, added.stderr.includes(name), edited.stderr.includes(name)]).toEqual([1, false, false]);
});

test.runIf(hasTerminal)('provider keys are asked for at a terminal', async () => {
  const home = createHome();
  const { code } = await atTerminal(home.folder, weaviate('Cluster', '--auth-method', 'apiKey'), [
    ['API Key: ', 'hush-key'],
    ['header name (such as X-OpenAI-Api-Key; empty for none): ', 'X-OpenAI-Api-Key'],
    ['Value of X-OpenAI-Api-Key: ', 'hush-provider'],
    ['header name (empty to continue): ', ''],
  ]);
  expect(code).toBe(0);
  expect((await home.json('connections', 'list')).at(-1)).toMatchObject({
    storedSecrets: expect.arrayContaining(['apiKey', 'providerKeys']),
  });
});

test('connect --write lists the clients if none is named, and the commands that it suggests name the file or folder', async () => {
  const home = createHome();
  const none = await home.run(['connect', '--write']);
  expect(none).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Name the client: claude/),
  });

  const config = join(home.folder, 'mcp.json');
  const write = (...args: string[]) =>
    home.run(['connect', 'cursor', '--write', '--config', config, ...args]);
  const written = await write();
  expect(written.code).toBe(0);
  expect(written.stdout).toContain(`connect cursor --undo --config ${config}\` undoes the change.`);
  expect(JSON.parse(readFileSync(config, 'utf8')).mcpServers.trestle.env).toEqual({
    TRESTLE_HOME: home.folder,
  });
  const other = await home.run(['connect', 'cursor', '--write', '--config', config], {
    env: { TRESTLE_HOME: join(home.folder, 'other') },
  });
  expect(other.code).toBe(1);
  expect(other.stderr).toContain(`connect cursor --write --replace --config ${config}\``);

  // The client Continue has a file per project. The undo command must find that file from any folder.
  const project = mkdtempSync(join(home.folder, 'project-'));
  const continued = await home.run(['connect', 'continue', '--write'], { cwd: project });
  expect(continued.stdout).toContain(`connect continue --undo --workspace ${project}\` undoes the change.`);

  const zed = await home.run(['connect', 'zed', '--write']);
  expect(zed).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Save') });
});

test('a message names a command as the user can type it', async () => {
  const home = createHome();
  const refused = async (options: Parameters<typeof home.run>[1]) =>
    (await home.run(['connect', 'http'], options)).stderr;
  expect(await refused({})).toContain(`\`${launcher} start --no-window\``);
  expect(await refused({ cwd: join(launcher, '..', '..') })).toContain('`bin/trestle start --no-window`');
  const bin = join(home.folder, 'bin');
  mkdirSync(bin);
  symlinkSync(launcher, join(bin, 'trestle'));
  expect(existsSync(join(bin, 'trestle'))).toBe(true);
  expect(await refused({ env: { PATH: `${bin}:/usr/bin:/bin` } })).toContain('`trestle start --no-window`');
});
