import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { journeyServer, serverKey } from '../e2e/weaviate-servers.ts';
import { atTerminal, hasTerminal } from './terminal.ts';
import { createHome, type Home, launcher } from './trestle.ts';

const passphrase = 'correct horse';
const bridge = join(launcher, '..', 'trestle-mcp');

const setPassphrase = (home: Home) =>
  atTerminal(
    home.folder,
    ['passphrase', 'set'],
    [
      ['New passphrase: ', passphrase],
      ['Repeat it: ', passphrase],
    ],
  );
const answer = (home: Home, args: string[], typed = passphrase) =>
  atTerminal(home.folder, ['approvals', ...args], [['Administrator passphrase: ', typed]]);

/** An app on a machine without a display, with a connection that asks each time. */
async function startHeadless(): Promise<Home> {
  const home = createHome();
  const file = join(home.folder, 'library.db');
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE books (title TEXT); INSERT INTO books VALUES ('Emma')");
  database.close();
  const connection = { name: 'Library', driver: 'sqlite', fields: { file }, aiPolicy: 'askEachTime' };
  const list = join(home.folder, 'library.json');
  writeFileSync(list, JSON.stringify({ connections: [connection] }));
  await home.run(['connections', 'import', list]);
  await home.start(['--no-window']);
  return home;
}

const textOf = (result: CallToolResult) =>
  result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
const commandIn = (text: string) => /`trestle approvals allow ([0-9a-f]{4})`/.exec(text)?.[1] ?? '';

async function connectBridge(home: Home) {
  const client = new Client({ name: 'Notebook', version: '1' });
  const env = { HOME: home.folder, PATH: '/usr/local/bin:/usr/bin:/bin', TRESTLE_HOME: home.folder };
  await client.connect(new StdioClientTransport({ command: bridge, env, stderr: 'ignore' }));
  onTestFinished(() => client.close());
  return async () =>
    textOf(
      (await client.callTool({
        name: 'browse_table',
        arguments: { connection_id: 'Library', table: 'books' },
      })) as CallToolResult,
    );
}

test.skipIf(!hasTerminal)(
  'without a display, a person allows a client of an Ask Each Time connection at a terminal, once and for longer',
  async () => {
    const home = await startHeadless();
    const browse = await connectBridge(home);
    // No passphrase is set, so the refusal first names the command that sets it.
    const first = await browse();
    expect(first).toMatch(/^denied: .*no window to ask in.*`trestle passphrase set` at a terminal/s);
    expect(await home.run(['approvals'])).toMatchObject({ code: 0, stdout: 'No question waits.\n' });
    expect((await setPassphrase(home)).code).toBe(0);

    const id = commandIn(await browse());
    expect(id).toMatch(/^[0-9a-f]{4}$/);
    expect(await home.json('approvals')).toMatchObject([
      { shortId: id, kind: 'access', clientName: 'Notebook', may: 'It may read. It cannot change anything.' },
    ]);
    const { stdout } = await home.run(['approvals']);
    expect(stdout).toMatch(new RegExp(`^${id}  Let “Notebook” use “Library”\\?\n  It may read\\. It cannot`));
    expect(stdout).toMatch(/Wants: +Read rows of books\n.*through the bridge trestle-mcp\n/s);
    expect((await home.run(['status'])).stdout).toMatch(/1 question of an AI client waits for you/);

    const wrong = await answer(home, ['allow', id], 'a wrong guess');
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringMatching('passphrase is not right')]);
    expect(await browse()).toMatch('denied: ');

    const once = await answer(home, ['allow', id, '--once']);
    expect([once.code, once.output]).toEqual([0, expect.stringMatching('It may read. It cannot change')]);
    expect(once.output).not.toMatch(passphrase);
    expect(await browse()).toMatch('Emma');
    const again = commandIn(await browse());
    expect(again).not.toBe(id);
    expect((await answer(home, ['allow', id])).output).toMatch(`No question with the id ${id} waits`);
    expect((await answer(home, ['allow', again])).code).toBe(0);
    expect(await browse()).toMatch('Emma');
    expect(await browse()).toMatch('Emma');
  },
);

test.skipIf(!hasTerminal)(
  'a program without the passphrase cannot allow a question, and may refuse it',
  async () => {
    const home = await startHeadless();
    expect((await setPassphrase(home)).code).toBe(0);
    const browse = await connectBridge(home);
    const id = commandIn(await browse());
    expect(await home.run(['approvals', 'allow', id], { input: `${passphrase}\n` })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Allowing a client's request needs the administrator passphrase"),
    });
    const [waiting] = (await home.ask('approvals.list')) as { id: string }[];
    for (const given of ['allow', 'allowOnce']) {
      await expect(home.ask('approvals.answer', { id: waiting!.id, answer: given })).rejects.toMatchObject({
        code: 'passphrase_needed',
      });
    }
    for (const guess of [id, '', 'ffff', '*', `${waiting!.id} `]) {
      await expect(home.ask('approvals.answer', { id: guess, answer: 'refuse' })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    expect(await browse()).toMatch('denied: ');
    expect(await home.run(['approvals', 'refuse', id])).toMatchObject({ code: 0, stdout: 'Refused.\n' });
    expect(await browse()).toMatch('denied: The user did not approve access to this connection');
    expect(await home.ask('approvals.list')).toEqual([]);
  },
);

test.skipIf(!hasTerminal)(
  `without a display, a person refuses and allows at a terminal that a client drops a collection of ${journeyServer.name}`,
  { timeout: 300_000 },
  async () => {
    const server = await journeyServer.start();
    onTestFinished(() => server.stop());
    const rest = (method: string, path: string, body?: unknown) =>
      fetch(`http://127.0.0.1:${server.port}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${serverKey}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const properties = [{ name: 'title', dataType: ['text'] }];
    await rest('POST', '/schema', { class: 'Notes', vectorizer: 'none', properties });
    const add = async () => {
      const object = { class: 'Notes', properties: { title: 'One' } };
      expect((await rest('POST', '/objects', object)).status).toBe(200);
    };
    await add();
    const exists = async () => (await rest('GET', '/schema/Notes')).status === 200;

    const home = createHome();
    const fields = { host: '127.0.0.1', port: server.port, authMethod: 'apiKey', apiKey: serverKey };
    const levels = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' };
    const list = join(home.folder, 'cluster.json');
    const connections = [{ name: 'Cluster', driver: 'weaviate', fields, ...levels }];
    writeFileSync(list, JSON.stringify({ connections }));
    expect((await home.run(['connections', 'import', list])).code).toBe(0);
    await home.start(['--no-window']);
    await setPassphrase(home);
    const { mcpPort } = await home.json('status');
    const drops = async (token: string) => {
      const made = await atTerminal(
        home.folder,
        ['tokens', 'create', '--name', token, '--permission', 'fullAccess'],
        [['Administrator passphrase: ', passphrase]],
      );
      const [secret] = /trs_[\w-]+/.exec(made.output) ?? [];
      const client = new Client({ name: 'Notebook', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${mcpPort}/mcp`), {
          requestInit: { headers: { Authorization: `Bearer ${secret}` } },
        }),
      );
      onTestFinished(() => client.close());
      return async (reason: string) =>
        textOf(
          (await client.callTool({
            name: 'confirm_destructive_operation',
            arguments: { connection_id: 'Cluster', query: 'DELETE /v1/schema/Notes', reason },
          })) as CallToolResult,
        );
    };

    const refused = await drops('Refused');
    const question = commandIn(await refused('A clean start'));
    const shown = await home.run(['approvals']);
    expect(shown.stdout).toMatch(/destroy data in “Cluster”.*Changed or deleted: 1 row of Notes/s);
    expect(shown.stdout).toMatch('A clean start');
    expect((await home.run(['approvals', 'refuse', question])).code).toBe(0);
    expect(await refused('Please')).toMatch('denied: The user did not approve this statement');
    expect(await exists()).toBe(true);

    const drop = await drops('Allowed');
    const stale = commandIn(await drop('A clean start'));
    expect((await answer(home, ['allow', stale])).code).toBe(0);
    // The collection changes after the yes, so the next try asks again with the new number.
    await add();
    const current = commandIn(await drop('A clean start'));
    expect(current).not.toBe(stale);
    expect(await exists()).toBe(true);
    const allowed = await answer(home, ['allow', current]);
    expect(allowed.output).toMatch('Changed or deleted: 2 rows of Notes');
    expect(await drop('A clean start')).not.toMatch('denied');
    expect(await exists()).toBe(false);
  },
);

test('the tools, resources and prompts of a client neither list nor answer questions', async () => {
  const home = await startHeadless();
  const made = await home.json('tokens', 'create', '--name', 'T');
  const { mcpPort } = await home.json('status');
  const client = new Client({ name: 'Notebook', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${mcpPort}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${made.secret}` } },
    }),
  );
  onTestFinished(() => client.close());
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => /approv|question|answer/.test(name))).toEqual([]);
  for (const method of ['approvals.list', 'approvals.answer', 'approvals.pending']) {
    await expect(client.callTool({ name: method, arguments: {} })).rejects.toThrow();
  }
});
