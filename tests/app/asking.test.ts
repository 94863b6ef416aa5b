import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { callRunningApp } from '../../apps/desktop/src/control/client.ts';
import { findBrowser } from '../../apps/desktop/src/window/find-browser.ts';
import { enterWindow } from '../enter-window.ts';
import { createHome, type Home } from './trestle.ts';

const chromium = findBrowser(process.env);
const bridge = join(import.meta.dirname, '..', '..', 'bin', 'trestle-mcp');

/**
 * Writes a script that starts a headless browser, and adds a connection that asks each time. Returns the environment
 * that names the script.
 */
async function setUp(home: Home): Promise<Record<string, string>> {
  const bin = join(home.folder, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\necho $$ >> ${bin}/opened\nexec ${chromium} --ozone-platform=headless "$@"\n`;
  writeFileSync(join(bin, 'browser'), script, { mode: 0o755 });
  const file = join(home.folder, 'library.db');
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE books (title TEXT); INSERT INTO books VALUES ('Emma')");
  database.close();
  const list = join(home.folder, 'library.json');
  const connection = { name: 'Library', driver: 'sqlite', fields: { file }, aiPolicy: 'askEachTime' };
  writeFileSync(list, JSON.stringify({ connections: [connection] }));
  await home.json('connections', 'import', list);
  return { DISPLAY: ':none', TRESTLE_CHROMIUM: join(bin, 'browser') };
}

const opened = (home: Home) => existsSync(join(home.folder, 'bin', 'opened'));

async function connectBridge(home: Home, env: Record<string, string>) {
  const client = new Client({ name: 'Notebook', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: bridge,
      env: { HOME: home.folder, PATH: '/usr/local/bin:/usr/bin:/bin', TRESTLE_HOME: home.folder, ...env },
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  return () =>
    client.callTool({
      name: 'browse_table',
      arguments: { connection_id: 'Library', table: 'books' },
    }) as Promise<CallToolResult>;
}

/** Answers the app's question, as a page does that a printed link opened. */
async function answer(home: Home, how: 'allow' | 'refuse'): Promise<string> {
  const { link } = (await home.ask('link')) as { link: string };
  const entry = await enterWindow(link);
  const { origin } = entry;
  const headers = { ...entry.headers, 'content-type': 'application/json' };
  const pending = await fetch(`${origin}/api/approvals.pending`, { headers });
  const [question] = (await pending.json()).result.data;
  const post = async (path: string, input: object) => {
    const body = JSON.stringify(input);
    return (await fetch(`${origin}/api/${path}`, { method: 'POST', headers, body })).status;
  };
  const given = { id: question.id, answer: how };
  if (how === 'allow') {
    expect(await post('approvals.answer', given)).toBe(422);
    await callRunningApp(home.folder, 'passphrase.set', { current: null, next: 'correct horse' });
    expect(await post('app.unlock', { passphrase: 'correct horse' })).toBe(200);
  }
  expect(await post('approvals.answer', given)).toBe(200);
  return question.clientName;
}

test.skipIf(!chromium)('an app without a window opens one, and an allowed call continues', async () => {
  const home = createHome();
  const env = await setUp(home);
  await home.start(['--no-window'], { env });
  expect(opened(home)).toBe(false);
  const browse = await connectBridge(home, env);
  const waiting = browse();
  await expect.poll(() => opened(home)).toBe(true);
  await expect.poll(() => home.log()).toMatch('a window was admitted');
  expect(await answer(home, 'allow')).toBe('Notebook');
  expect(JSON.stringify(await waiting)).toMatch('Emma');
  expect(
    readFileSync(join(home.folder, 'bin', 'opened'), 'utf8')
      .trim()
      .split('\n'),
  ).toHaveLength(1);
});

test.skipIf(!chromium)('an app that the bridge started opens a window to ask', async () => {
  const home = createHome();
  const env = await setUp(home);
  const browse = await connectBridge(home, env);
  onTestFinished(async () => {
    await home.run(['stop']);
  });
  const waiting = browse();
  await expect.poll(() => opened(home)).toBe(true);
  await answer(home, 'refuse');
  expect(JSON.stringify(await waiting)).toMatch('denied: The user did not approve access');
});

test('if no window opens, the call is denied and the message says what to do', async () => {
  const home = createHome();
  const env = { ...(await setUp(home)), TRESTLE_CHROMIUM: '/bin/false' };
  const bin = join(home.folder, 'bin');
  writeFileSync(join(bin, 'xdg-open'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  await home.start(['--no-window'], { env: { ...env, PATH: `${bin}:/usr/local/bin:/usr/bin:/bin` } });
  const browse = await connectBridge(home, {});
  const denied = await browse();
  expect(denied.isError).toBe(true);
  expect(JSON.stringify(denied)).toMatch(/no window to ask in.*Open the app/s);
});
