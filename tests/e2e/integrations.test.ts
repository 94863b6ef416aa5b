import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished } from 'vitest';
import { processes, type TestApp } from './app.ts';
import { findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { journey, openTable, refusedRequest } from './journey.ts';
import { addLibrary, connectClient, textOf } from './mcp-client.ts';
import { moveToTab, openIntegrations } from './settings.ts';

const bridge = join(import.meta.dirname, '..', '..', 'bin', 'trestle-mcp');

const port = async (app: TestApp) => (await app.status()).mcpPort;

journey(
  'the user turns the server off and on, and changes its rate limit and its port',
  async ({ page, app }) => {
    await openIntegrations(page, 'Server');
    await page.getByText(`http://127.0.0.1:${await port(app)}/mcp`).waitFor();
    expect(await findings(page)).toEqual([]);
    await press(page.getByRole('switch', { name: 'Enable MCP Server' }), { key: 'Space' });
    await page.getByText('Off. AI clients cannot reach any connection.').waitFor();
    await expect.poll(() => port(app)).toBe(null);
    await page.keyboard.press('Space');
    await page.getByText('Running, for programs on this machine only').waitFor();

    const field = page.getByRole('textbox', { name: 'Requests a minute' });
    await tabTo(field);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('0');
    await page.getByText('A whole number between 1 and 1,000,000').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    const { call } = await connectClient(app);
    await expect
      .poll(() => call('list_connections', {}).then(() => 'answered', String))
      .toMatch(/-33010|429/);

    const chosen = await freePort();
    await tabTo(page.getByRole('textbox', { name: 'Preferred port' }), { back: true });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(String(chosen));
    await page.keyboard.press('Enter');
    await page.getByText(`http://127.0.0.1:${chosen}/mcp`).waitFor();
  },
);

journey(
  'the page says when the handshake cannot be written, and what that means for clients',
  async ({ page, app }) => {
    const file = join(app.folder, 'mcp-handshake.json');
    rmSync(file);
    mkdirSync(join(file, 'in its place'), { recursive: true });
    await app.run('start', '--no-window');
    await openIntegrations(page, 'Server');
    await page.getByText(/^At .* clients that start trestle-mcp will be cut off/).waitFor();
    expect(await findings(page)).toEqual([]);
    await press(page.getByRole('switch', { name: 'Enable MCP Server' }), { key: 'Space' });
    await page.getByText('Off. AI clients cannot reach any connection.').waitFor();
    await page.keyboard.press('Space');
    await page.getByText(/The server could not start: .* a folder is in its place/).waitFor();
    expect(await findings(page)).toEqual([]);
    rmSync(file, { recursive: true });
    await app.run('start', '--no-window');
    await page.getByText('Running, for programs on this machine only').waitFor();
  },
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}

journey('the page shows the clients, their calls, and whether the log was changed', async ({ page, app }) => {
  await addLibrary(app, { aiPolicy: 'alwaysAllow', externalClients: 'readOnly' });
  const { call } = await connectClient(app, { permission: 'readWrite' });
  await openIntegrations(page, 'Clients');
  await page.getByText('Connected, no call yet').waitFor();
  await call('browse_table', { connection_id: 'Library', table: 'books' });
  const refused = await call('execute_query', {
    connection_id: 'Library',
    query: 'UPDATE books SET title = NULL WHERE id = 1',
  });
  expect(refused.isError).toBe(true);
  const clients = page.getByRole('list', { name: 'Clients' });
  await clients.getByText('Notebook').waitFor();
  await clients.getByText(/^2 calls/).waitFor();
  await clients.getByText('Token “Laptop”').waitFor();
  expect(await findings(page)).toEqual([]);

  await tabTo(page.getByRole('tab', { name: 'Clients' }), { back: true });
  await moveToTab(page, 'Activity');
  const log = page.getByRole('list', { name: 'Activity' });
  const rows = () => log.getByRole('listitem').allTextContents();
  await expect.poll(async () => (await rows()).join('\n')).toMatch(/query on Library.*browse on Library/s);
  expect(await findings(page)).toEqual([]);
  await press(page.getByRole('combobox', { name: 'Action' }));
  await choose(page.getByRole('option', { name: 'browse' }));
  await expect.poll(async () => (await rows()).length).toBe(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    press(page.getByRole('button', { name: 'Export matching rows as CSV' })),
  ]);
  const csv = readFileSync(await download.path(), 'utf8');
  expect(csv.trim().split(/\r?\n/)).toHaveLength(2);
  expect(csv).toMatch('Notebook');

  await tabTo(page.getByRole('textbox', { name: 'Find text' }), { back: true });
  await page.keyboard.type('no such thing');
  await page.getByText('No row matches the filter').waitFor();
  await press(page.getByRole('button', { name: 'Clear filter' }));
  await expect.poll(async () => (await rows()).length).toBeGreaterThan(2);

  await press(page.getByRole('button', { name: 'Verify log' }));
  await page.getByText(/^\d+ rows checked: none was changed, removed or moved\.$/).waitFor();
  const database = new DatabaseSync(join(app.folder, 'trestle.db'));
  database.exec("UPDATE activity SET client_name = 'Somebody' WHERE action = 'browse'");
  database.close();
  await page.keyboard.press('Enter');
  await page.getByText(/\(\d+ rows? passed the check\)/).waitFor();
});

journey('a client whose bridge was killed is shown as not connected', async ({ page, app }) => {
  const client = new Client({ name: 'Notebook', version: '1.0' });
  const env = { HOME: app.folder, PATH: process.env.PATH ?? '', TRESTLE_HOME: app.folder };
  const transport = new StdioClientTransport({ command: bridge, env, stderr: 'ignore' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  await client.callTool({ name: 'list_connections', arguments: {} });
  await openIntegrations(page, 'Clients');
  const row = page
    .getByRole('list', { name: 'Clients' })
    .getByRole('listitem')
    .filter({ hasText: 'Notebook' });
  await row.getByText(/^1 call/).waitFor();
  await row.getByRole('img', { name: 'Connected', exact: true }).waitFor();
  // The client starts a launcher, which becomes the bridge or starts the bridge as a child.
  for (const pid of familyOf(transport.pid!)) process.kill(pid, 'SIGKILL');
  await row.getByRole('img', { name: 'Not connected' }).waitFor();
  // The client's last call is still shown.
  expect(await row.getByText(/^Last: list_connections/).count()).toBe(1);
});

function familyOf(pid: number): number[] {
  const children = processes().filter(({ parent }) => parent === pid);
  return [pid, ...children.flatMap((child) => familyOf(child.pid))];
}

journey(
  'the server moves to its preferred port if the port is free when the user tries it again',
  async ({ page, app }) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port: wanted } = taken.address() as AddressInfo;
    await openIntegrations(page, 'Server');
    const field = page.getByRole('textbox', { name: 'Preferred port' });
    await tabTo(field);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(String(wanted));
    await page.keyboard.press('Enter');
    await page.getByText(new RegExp(`^Port ${wanted} was taken, so the server listens on \\d+`)).waitFor();
    const kept = await port(app);
    expect(kept).not.toBe(wanted);
    const again = page.getByRole('button', { name: `Try ${wanted} again` });
    await press(again);
    await page.getByText(`Port ${wanted} is still taken`).waitFor();
    expect(await port(app)).toBe(kept);

    taken.close();
    await once(taken, 'close');
    await press(again);
    await page.getByText(`http://127.0.0.1:${wanted}/mcp`).waitFor();
    await again.waitFor({ state: 'detached' });
    expect(await port(app)).toBe(wanted);
  },
);

journey(
  'client setup shows the change, writes it, notices the first call, and undoes the change',
  async (at) => {
    const { page, app } = at;
    const file = join(app.folder, '.cursor', 'mcp.json');
    const before = '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n';
    mkdirSync(dirname(file));
    writeFileSync(file, before);
    await openIntegrations(page, 'Connect a Client');
    await tabTo(page.getByRole('tab', { name: 'Claude Desktop' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'Cursor' }).waitFor();
    await page.getByText('Waiting for the first call from Cursor').waitFor();
    expect(await findings(page)).toEqual([]);

    await press(page.getByRole('button', { name: 'Write it for me…' }));
    await page.getByText(bridge).first().waitFor();
    expect(await findings(page)).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(before);
    await press(page.getByRole('button', { name: 'Write this' }));
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    expect(readFileSync(file, 'utf8')).toMatch('// mine');
    expect(readFileSync(file, 'utf8')).toMatch(bridge);

    const client = new Client({ name: 'cursor-vscode', version: '1.0' });
    const env = { HOME: app.folder, PATH: process.env.PATH ?? '', TRESTLE_HOME: app.folder };
    await client.connect(new StdioClientTransport({ command: bridge, env, stderr: 'ignore' }));
    onTestFinished(() => client.close());
    await client.callTool({ name: 'list_connections', arguments: {} });
    await page.getByText(/^Connected: list_connections/).waitFor();
    expect(await findings(page)).toEqual([]);

    await press(undo);
    await page.getByText('The file has its earlier content again.').waitFor();
    expect(readFileSync(file, 'utf8')).toBe(before);
  },
);

journey(
  'client setup warns before it replaces another entry named “trestle”, and leaves a broken file alone',
  async (at) => {
    const { page, app } = at;
    const file = join(app.folder, '.cursor', 'mcp.json');
    mkdirSync(dirname(file));
    writeFileSync(file, '{ "mcpServers": { "trestle": { "command": "elsewhere" } } }');
    await openIntegrations(page, 'Connect a Client');
    await tabTo(page.getByRole('tab', { name: 'Claude Desktop' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.getByText('The file has another entry named “trestle”').waitFor();
    await press(page.getByRole('button', { name: 'Write it for me…' }));
    await press(page.getByRole('button', { name: 'Replace the entry' }));
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect(readFileSync(file, 'utf8')).toMatch(bridge);

    writeFileSync(join(app.folder, '.claude.json'), '{ broken');
    await tabTo(page.getByRole('tab', { name: 'Cursor' }), { back: true });
    await page.keyboard.press('ArrowUp');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Write it for me…' }).count()).toBe(0);
    expect(readFileSync(join(app.folder, '.claude.json'), 'utf8')).toBe('{ broken');
  },
  { allow: refusedRequest },
);

journey('a token for HTTP is created on the page and is in the configuration', async ({ page, app }) => {
  await openIntegrations(page, 'Connect a Client');
  await tabTo(page.getByRole('tab', { name: 'Claude Desktop' }));
  await page.keyboard.press('End');
  await press(page.getByRole('button', { name: 'Make a token' }));
  await page.getByText('It is not shown again.').waitFor();
  expect(await findings(page)).toEqual([]);
  const text = await page.locator('pre', { hasText: 'Authorization' }).textContent();
  const { mcpServers } = JSON.parse(text!);
  const answer = await fetch(mcpServers.trestle.url, {
    method: 'POST',
    headers: {
      ...mcpServers.trestle.headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  expect(answer.status).not.toBe(401);
  expect(new URL(mcpServers.trestle.url).port).toBe(String(await port(app)));
});

journey(
  'a column and email addresses are masked for clients, and the user still sees the column',
  async ({ page, app }) => {
    await addLibrary(app, { aiPolicy: 'alwaysAllow' });
    const { call } = await connectClient(app);
    const row = async () => textOf(await call('browse_table', { connection_id: 'Library', table: 'books' }));
    expect(await row()).toMatch(/Emma.*a@example\.org/s);
    await press(page.getByRole('button', { name: 'More for Library' }));
    await choose(page.getByRole('menuitem', { name: 'Edit', exact: true }));
    const form = page.getByRole('dialog', { name: 'Edit connection' });
    await press(form.getByRole('button', { name: /^Advanced/ }));
    await press(form.getByRole('checkbox', { name: 'Email addresses' }), { key: 'Space' });
    await press(form.getByRole('button', { name: 'Add column' }));
    await press(form.getByRole('button', { name: 'Remove masked column 1' }));
    // The focus is now on Add column.
    await page.keyboard.press('Enter');
    await page.keyboard.type('books.title');
    expect(await findings(page)).toEqual([]);
    await press(form.getByRole('button', { name: 'Save', exact: true }));
    await form.waitFor({ state: 'detached' });
    const masked = await row();
    expect(masked).not.toMatch(/Emma|example/);
    expect(masked).toMatch('•••');
    const refused = await call('execute_query', {
      connection_id: 'Library',
      query: 'SELECT upper(title) AS t FROM books',
    });
    expect(refused.isError).toBe(true);

    await press(page.getByRole('button', { name: 'More for Library' }));
    await choose(page.getByRole('menuitem', { name: 'Edit', exact: true }));
    await press(form.getByRole('button', { name: /^Advanced/ }));
    await expect
      .poll(() => form.getByRole('textbox', { name: 'Masked column 1' }).inputValue())
      .toBe('books.title');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await press(page.getByRole('button', { name: /^Library/ }).first(), { back: true });
    await openTable(page, 'books');
    await expect.poll(() => gridOf(page, 'Rows of books').texts('title')).toContain('Emma');
  },
);
