import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openWindow } from '../faults/window-client.ts';
import { startApp, type TestApp } from './app.ts';
import { openPage } from './browser.ts';

const shippedSample = join(import.meta.dirname, '..', '..', 'dist', 'sample', 'trestle-sample.db');

export type SharedWindow = Awaited<ReturnType<typeof openSharedWindow>>;

/** The options that can be changed while the page is open. */
export type SharedOptions = Pick<BrowserContextOptions, 'viewport' | 'permissions'>;

/** An app and its page. Many journeys use them one after another, because a new app for each journey is slow. */
export async function openSharedWindow(browser: Browser) {
  const app = await startApp();
  const { page, problems } = await openPage(browser, app);
  await page.getByRole('button', { name: /^Sample: SQLite/ }).waitFor();
  const firstFiles = new Set(readdirSync(app.folder));
  const firstState = await stateOf(app);
  const firstSettings = (await app.ask('settings.get')) as Record<string, unknown>;
  const firstText = await page.evaluate(textOfPage);
  let isUsed = false;

  const isAsAtFirst = async () =>
    (await page.evaluate(textOfPage)) === firstText && isDeepStrictEqual(await stateOf(app), firstState);

  return {
    app,
    page,
    problems,
    /** Makes the window like new. Returns false if a change of the last journey remains. */
    async renew({ viewport, permissions = [] }: SharedOptions): Promise<boolean> {
      for (const other of page.context().pages()) if (other !== page) await other.close();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      for (const type of testedEvents) page.removeAllListeners(type as 'request');
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(viewport ?? { width: 1280, height: 800 });
      await page.context().clearPermissions();
      await page.context().grantPermissions(permissions);
      if (!isUsed) {
        isUsed = true;
        return true;
      }
      await page.evaluate(closeConnections, openConnections);
      await page.locator(openConnections).first().waitFor({ state: 'detached' });
      if (await page.evaluate(isElsewhere)) await page.reload();
      await renewConnections(app);
      for (const { id } of (await app.ask('tokens.list')) as { id: string }[])
        await app.tell('tokens.remove', id);
      await renewSettings(app, firstSettings);
      for (const name of readdirSync(app.folder, { withFileTypes: true })) {
        if (name.isFile() && !firstFiles.has(name.name) && !/^[.]|^trestle|^mcp/.test(name.name))
          rmSync(join(app.folder, name.name));
      }
      await page.evaluate(leaveNothingBehind);
      for (const end = Date.now() + 3000; Date.now() < end; await page.waitForTimeout(20)) {
        if (await isAsAtFirst()) {
          // Drops the problems that the last journey and this renewal caused.
          problems.length = 0;
          return true;
        }
        await deleteRecords(app);
        await app.tell('jobs.forget', {});
      }
      return false;
    },
    async close(): Promise<void> {
      await page.context().close();
      await app.close();
    },
  };
}

const testedEvents = [
  'request',
  'response',
  'requestfailed',
  'requestfinished',
  'download',
  'dialog',
  'popup',
];

/** Removes the connections except the Weaviate sample, with their tabs and edits. Creates the SQLite sample again. */
async function renewConnections(app: TestApp): Promise<void> {
  const connections = (await app.ask('connections.list')) as { id: string; name: string }[];
  // The Weaviate connection is kept, because its removal would end the sample node.
  const kept = connections.find(({ name }) => name === 'Sample: Weaviate');
  for (const { id } of connections) if (id !== kept?.id) await app.tell('connections.remove', id);
  if (kept) await clearStaged(app);
  if (kept && JSON.stringify(await storedIn(app)).includes(kept.id)) {
    await app.tell('sessions.close', kept.id);
    await app.tell('samples.reset', { connectionId: kept.id });
    await app.tell('history.clear', { connectionId: kept.id });
  }
  const file = join(app.folder, 'samples', 'trestle-sample.db');
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
  copyFileSync(shippedSample, file);
  const { id } = (await app.tell('connections.create', {
    name: 'Sample: SQLite',
    driver: 'sqlite',
    fields: { file },
    externalClients: 'readWrite',
    aiPolicy: 'alwaysAllow',
    safeMode: 'off',
    color: null,
  })) as { id: string };
  const db = new DatabaseSync(join(app.folder, 'trestle.db'), { timeout: 10_000 });
  db.prepare('UPDATE connections SET sample = 1 WHERE id = ?').run(id);
  db.close();
  // Makes the app read the changed row again.
  await app.tell('connections.reorder', kept ? [kept.id, id] : [id]);
}

/** Changes only what differs: an update of the port would restart the MCP server. */
async function renewSettings(app: TestApp, first: Record<string, unknown>): Promise<void> {
  const now = (await app.ask('settings.get')) as Record<string, unknown>;
  const changed = Object.entries(first).filter(([name, value]) => now[name] !== value);
  if (changed.length > 0) await app.tell('settings.update', Object.fromEntries(changed));
}

/** Clears the staged edits that the Weaviate sample still has, and what can be undone or redone there. */
async function clearStaged(app: TestApp): Promise<void> {
  const db = new DatabaseSync(join(app.folder, 'trestle.db'), { timeout: 10_000 });
  const lists = db
    .prepare('SELECT connection_id, table_name, partition FROM staged_lists WHERE is_empty = 0')
    .all();
  db.close();
  if (lists.length === 0) return;
  const window = await openWindow(app);
  for (const { connection_id, table_name, partition } of lists) {
    const place = { table: String(table_name), ...(partition !== null && { partition: String(partition) }) };
    await (await window.staged(String(connection_id), place)).send({ kind: 'clear' });
  }
}

interface Stored {
  key: string;
  version: number;
  value: unknown;
}

const storedIn = (app: TestApp) => app.ask('records.all') as Promise<Stored[]>;

/** Deletes all records except the layout. The page handles this like a change by another window. */
async function deleteRecords(app: TestApp): Promise<void> {
  for (const { key, version } of await storedIn(app)) {
    if (key !== 'layout') await app.tell('records.write', { key, version, value: null });
  }
}

/** The part of the app's state that must be the same before each journey. */
async function stateOf(app: TestApp): Promise<unknown> {
  const records = await storedIn(app);
  const layout = records.find(({ key }) => key === 'layout')?.value as object | undefined;
  return {
    settings: await app.ask('settings.get'),
    tokens: await app.ask('tokens.list'),
    jobs: await app.ask('jobs.list'),
    records: records.map(({ key }) => key).filter((key) => key !== 'layout'),
    layout: { open: [], current: null, sidebarWidth: 240, sidebarHidden: false, ...layout, tabs: {} },
  };
}

/** Whether the page is not on the welcome screen, or shows a dialog or a menu. */
function isElsewhere(): boolean {
  const isHome = document.querySelector('h2#connections') !== null;
  return !isHome || document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
}

const openConnections = 'nav[aria-label=Places] button[aria-label^="Go to "]';

/** Closes each open connection with the Delete key. */
function closeConnections(tiles: string): void {
  for (const tile of document.querySelectorAll(tiles))
    tile.dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', bubbles: true }));
}

/**
 * The page's text without the best rows of the sample searches. The page shows these rows only after the sample was
 * open.
 */
function textOfPage(): string | null {
  const copy = document.body.cloneNode(true) as HTMLElement;
  for (const rows of copy.querySelectorAll('[aria-labelledby=try-a-search] ol')) rows.remove();
  return copy.textContent;
}

/** Dismisses the messages of the last journey. Moves the focus so that the next Tab goes to the first control. */
function leaveNothingBehind(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-toast] button[aria-label=Dismiss]'))
    button.click();
  const start = document.createElement('span');
  start.tabIndex = -1;
  document.body.prepend(start);
  start.focus();
  start.remove();
}
