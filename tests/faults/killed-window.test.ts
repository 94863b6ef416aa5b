import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { startApp, type TestApp } from '../e2e/app.ts';
import { browserPath, needsBrowser, press } from '../e2e/browser.ts';
import { gridOf } from '../e2e/grid.ts';
import { openSample, openTable } from '../e2e/journey.ts';
import { importCluster, showThings, stageInserts, startThings } from '../e2e/save-journey.ts';
import { readRecords } from '../e2e/stored-records.ts';
import { KillableWindow, type Victim } from './killable-window.ts';
import { tally } from './tally.ts';

/*
 * The browser or the process of its page is killed while the user types, edits, saves or exports. Then the
 * user opens a new window. TRESTLE_WINDOW_KILLS=200 is the long form.
 */
const kills = Number(process.env.TRESTLE_WINDOW_KILLS ?? 4);
const rounds = Math.ceil(kills / 4);
const timeout = 180_000 + rounds * 60_000;
const windowTest = test.skipIf(!browserPath);

/** Two tests start with the browser and two with the page's process, so the short form kills both. */
const victimOf = (round: number): Victim => (round % 2 === 0 ? 'browser' : 'renderer');

async function begin() {
  const app = await startApp();
  onTestFinished(() => app.close());
  let window = await KillableWindow.open(app);
  onTestFinished(() => window.close());
  return {
    app,
    get page(): Page {
      return window.page;
    },
    async kill(victim: Victim, during: string): Promise<void> {
      window = await window.kill(victim);
      tally(`kills of the window (${victim}) while the user ${during}`, 1);
    },
  };
}

const staged = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });

windowTest(
  `typed text that was stored is in the next window (${rounds} kills)${needsBrowser}`,
  { timeout },
  async () => {
    const at = await begin();
    await openSample(at.page);
    await at.page.keyboard.press('Alt+n');
    const editor = () => at.page.getByRole('textbox', { name: 'Query 1' });
    const shown = async () => (await editor().locator('.cm-line').allTextContents()).join('\n');
    await editor().waitFor();
    for (let round = 0; round < rounds; round++) {
      const typed = `-- round ${round} ${'abcdefghij'.repeat(30)}`;
      await editor().focus();
      await at.page.keyboard.press('ControlOrMeta+a');
      const typing = at.page.keyboard.type(typed, { delay: 5 }).catch(() => 'killed');
      const stored = () => storedText(at.app, `-- round ${round} `);
      await expect.poll(stored).not.toBe('');
      await delay(Math.random() * 800);
      const before = stored();
      await at.kill(victimOf(round), 'types');
      await typing;
      await expect.poll(shown).toContain(before);
      expect([round, typed.startsWith(await shown())]).toEqual([round, true]);
    }
  },
);

windowTest(
  `staged edits that were stored are in the next window, which saves each in its row (${rounds} kills)${needsBrowser}`,
  { timeout },
  async () => {
    const at = await begin();
    const rows = await ownTable(at.app, 60);
    await openOwn(at.page);
    for (let round = 0; round < rounds; round++) {
      const grid = gridOf(at.page, 'Rows of fact');
      await grid.focus();
      await at.page.keyboard.press('ControlOrMeta+Home');
      await at.page.keyboard.press('ArrowRight');
      const value = (row: number) => `r${round}v${row}`;
      const editing = editRows(at.page, 50, value).catch(() => 'killed');
      const stored = () => stagedCount(at.app);
      await expect.poll(stored).toBeGreaterThan(0);
      await delay(Math.random() * 800);
      const before = stored();
      await at.kill(victimOf(round + 1), 'edits');
      await editing;
      // The app may have stored a few more edits between the count and the kill.
      const count = Number(/(\d+) edited/.exec(await staged(at.page).innerText())?.[1]);
      expect(count).toBeGreaterThanOrEqual(before);
      await gridOf(at.page, 'Rows of fact').focus();
      await at.page.keyboard.press('ControlOrMeta+s');
      await staged(at.page).waitFor({ state: 'detached' });
      const saved = rows().filter(({ text }) => text.startsWith(`r${round}v`));
      expect(saved).toEqual(Array.from({ length: count }, (_, row) => ({ id: row, text: value(row) })));
      expect(rows()).toHaveLength(60);
    }
  },
);

windowTest(
  `after a kill during a save, the next window takes over the outcomes of the save, and each row is stored once (${rounds} kills)${needsBrowser}`,
  { timeout },
  async () => {
    const things = await startThings();
    const at = await begin();
    const connectionId = await importCluster(at.app, things.proxy.port);
    things.proxy.delayMs = 5;
    const expected: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const titles = Array.from(
        { length: 80 },
        (_, row) => `Round ${round} row ${String(row).padStart(2, '0')}`,
      );
      await stageInserts(at.app, connectionId, titles);
      if (round === 0) {
        await press(at.page.getByRole('button', { name: /^Cluster/ }));
        await showThings(at.page);
      }
      await staged(at.page).getByText('80 new').waitFor();
      await gridOf(at.page, 'Rows of Thing').focus();
      await at.page.keyboard.press('ControlOrMeta+s');
      await delay(Math.random() * 600);
      await at.kill(victimOf(round + 1), 'saves');
      expected.push(...titles);
      // The app continues a save without its window. If the save had not started, the next window saves now.
      const bar = staged(at.page);
      const save = at.page.getByRole('button', { name: /^Save \d+ rows?/ });
      await gridOf(at.page, 'Rows of Thing').locator.waitFor();
      await expect
        .poll(async () => {
          if ((await save.count()) > 0) await at.page.keyboard.press('ControlOrMeta+s');
          return (await bar.count()) + runningSaves(at.app);
        })
        .toBe(0);
      expect(await things.titles()).toEqual([...expected].sort());
    }
  },
);

windowTest(
  `an export whose window is killed leaves no process and no file, and the next export is complete (${rounds} kills)${needsBrowser}`,
  { timeout },
  async () => {
    const at = await begin();
    const total = 300_000;
    await ownTable(at.app, total);
    await openOwn(at.page);
    await gridOf(at.page, 'Rows of fact').locator.waitFor();
    const drivers = at.app.hosts();
    for (let round = 0; round < rounds; round++) {
      const files = filesIn(at.app.folder);
      const begun = at.page.waitForEvent('download');
      await startExport(at.page);
      await begun;
      await delay(Math.random() * 400);
      await at.kill(victimOf(round), 'exports');
      await gridOf(at.page, 'Rows of fact').locator.waitFor();
      await expect.poll(() => at.app.hosts()).toEqual(drivers);
      expect(filesIn(at.app.folder)).toEqual(files);
      const coming = at.page.waitForEvent('download');
      await startExport(at.page);
      const file = join(at.app.folder, 'exported.csv');
      await (await coming).saveAs(file);
      const lines = readFileSync(file, 'utf8').trimEnd().split('\r\n').slice(1);
      expect([lines.length, new Set(lines).size]).toEqual([total, total]);
      await at.page.getByText('Exported 300,000 rows').waitFor();
    }
  },
);

/** All files except those of Node's compile cache, which Node may write at any time. */
function filesIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.filter((file) => !file.startsWith('compile-cache')).sort();
}

/** The text of an editor as the app stored it, from the marker on. */
function storedText(app: TestApp, marker: string): string {
  const all = readRecords(app.folder, '').map((one) => JSON.stringify(one) ?? '');
  const text = all.find((one) => one.includes(marker)) ?? '';
  return new RegExp(`${marker}[a-j]*`).exec(text)?.[0] ?? '';
}

function stagedCount(app: TestApp): number {
  return countOf(app, 'SELECT total(row_count) AS n FROM staged_lists');
}

/** The number of saves that have not ended. */
const runningSaves = (app: TestApp) => countOf(app, 'SELECT count(*) AS n FROM saves');

function countOf(app: TestApp, query: string): number {
  const database = new DatabaseSync(join(app.folder, 'trestle.db'), { readOnly: true });
  try {
    return Number(database.prepare(query).get()?.n);
  } finally {
    database.close();
  }
}

/** Creates a table in a new SQLite file, and a connection to the file. Returns a function that reads the rows. */
async function ownTable(app: TestApp, count: number) {
  const file = join(app.folder, 'own.db');
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE fact (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  database.exec(`
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
    INSERT INTO fact SELECT i, 'text of ' || i FROM n`);
  database.close();
  const list = join(app.folder, 'own.json');
  writeFileSync(list, JSON.stringify({ connections: [{ name: 'Own', driver: 'sqlite', fields: { file } }] }));
  await app.json('connections', 'import', list);
  return () => {
    const reader = new DatabaseSync(file, { readOnly: true });
    try {
      const rows = reader.prepare('SELECT id, text FROM fact ORDER BY id').all();
      return rows.map(({ id, text }) => ({ id: Number(id), text: String(text) }));
    } finally {
      reader.close();
    }
  };
}

async function openOwn(page: Page): Promise<void> {
  await press(page.getByRole('button', { name: /^Own/ }));
  await page.getByRole('button', { name: 'Table fact', exact: true }).waitFor();
  await openTable(page, 'fact');
}

/** Types a value into one row after the other. */
async function editRows(page: Page, count: number, value: (row: number) => string): Promise<void> {
  for (let row = 0; row < count; row++) {
    await page.keyboard.type(value(row));
    await page.keyboard.press('Enter');
  }
}

async function startExport(page: Page): Promise<void> {
  await press(page.getByRole('button', { name: 'Export…' }));
  await press(page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }));
}
