import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { startApp, type TestApp } from './app.ts';
import { openPage } from './browser.ts';

const shippedSample = join(import.meta.dirname, '..', '..', 'dist', 'sample', 'trestle-sample.db');

export type SharedWindow = Awaited<ReturnType<typeof openSharedWindow>>;

/** The options that a page can change later. A journey with others has its own app. */
export type SharedOptions = Pick<BrowserContextOptions, 'viewport' | 'permissions'>;

/** An app and its page for many journeys, one after another: loading both costs more than most journeys do. */
export async function openSharedWindow(browser: Browser) {
  const app = await startApp();
  const { page, problems } = await openPage(browser, app);
  await page.getByRole('button', { name: /^Sample: SQLite/ }).waitFor();
  const firstFiles = new Set(readdirSync(app.folder));
  const firstState = await stateOf(app);
  const firstText = await page.evaluate(() => document.body.innerText);
  let isUsed = false;

  const isAsAtFirst = async () =>
    (await page.evaluate(() => document.body.innerText)) === firstText &&
    isDeepStrictEqual(await stateOf(app), firstState);

  return {
    app,
    page,
    problems,
    /** Makes it look new. False if the last journey changed more than its connections: then it is of no more use. */
    async renew({ viewport, permissions = [] }: SharedOptions): Promise<boolean> {
      for (const other of page.context().pages()) if (other !== page) await other.close();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      for (const type of testedEvents) page.removeAllListeners(type as 'request');
      await page.setViewportSize(viewport ?? { width: 1280, height: 800 });
      await page.context().clearPermissions();
      await page.context().grantPermissions(permissions);
      if (!isUsed) {
        isUsed = true;
        return true;
      }
      const node = await renewConnections(app);
      for (const name of readdirSync(app.folder, { withFileTypes: true })) {
        if (name.isFile() && !firstFiles.has(name.name) && !/^[.]|^trestle|^mcp/.test(name.name))
          rmSync(join(app.folder, name.name));
      }
      if (node && (await isKnown(app, node))) {
        // Its connection stays, since its node would end with it.
        const { origin } = new URL(page.url());
        await page.goto('about:blank');
        await forget(app, node);
        await page.goto(origin);
      }
      await page.evaluate(leaveNothingBehind);
      for (const end = Date.now() + 3000; Date.now() < end; await page.waitForTimeout(20)) {
        if (!(await isAsAtFirst())) continue;
        // Among them are answers to requests about a connection that has just been removed.
        problems.length = 0;
        return true;
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

/**
 * Tabs, staged edits, queries and history belong to a connection, and are deleted with it. Returns the connection of
 * the sample node.
 */
async function renewConnections(app: TestApp): Promise<string | undefined> {
  const connections = (await app.ask('connections.list')) as { id: string; name: string; sample: boolean }[];
  const kept = connections.find(({ name }) => name === 'Sample: Weaviate');
  for (const { id } of connections) if (id !== kept?.id) await app.tell('connections.remove', id);
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
  // The app reads the rows again.
  await app.tell('connections.reorder', kept ? [kept.id, id] : [id]);
  return kept?.id;
}

interface Stored {
  key: string;
  version: number;
  value: unknown;
}

const storedIn = (app: TestApp) => app.ask('records.all') as Promise<Stored[]>;

/** Whether a journey opened the connection. */
async function isKnown(app: TestApp, connectionId: string): Promise<boolean> {
  return JSON.stringify(await storedIn(app)).includes(connectionId);
}

/** Restores the sample node. A page that is going stores its last records, so they are deleted until none comes. */
async function forget(app: TestApp, connectionId: string): Promise<void> {
  await app.tell('sessions.close', connectionId);
  await app.tell('samples.reset', { connectionId });
  await app.tell('history.clear', { connectionId });
  for (let stored = await storedIn(app); stored.length > 0; stored = await storedIn(app)) {
    for (const { key, version } of stored) await app.tell('records.write', { key, version, value: null });
  }
}

/** What a journey may change and does not belong to a connection. */
async function stateOf(app: TestApp): Promise<unknown> {
  const records = await storedIn(app);
  const layout = records.find(({ key }) => key === 'layout');
  return {
    settings: await app.ask('settings.get'),
    tokens: await app.ask('tokens.list'),
    copies: await app.ask('copies.list'),
    records: records.filter((record) => record !== layout).map(({ key }) => key),
    layout: layout?.value ?? { open: [], current: null, sidebarWidth: 240, sidebarHidden: false, tabs: {} },
  };
}

/** Dismisses the messages of the last journey. The next Tab goes to the first control. */
function leaveNothingBehind(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-toast] button[aria-label=Dismiss]'))
    button.click();
  const start = document.createElement('span');
  start.tabIndex = -1;
  document.body.prepend(start);
  start.focus();
  start.remove();
}
