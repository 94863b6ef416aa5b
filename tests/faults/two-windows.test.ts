import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stagedRows } from '@trestle/core/staged-edits';
import { type RandomSource, randomSource } from '@trestle/driver-kit/testing/random';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { importConnections, startApp } from '../e2e/app.ts';
import { browserPath, launchBrowser, needsBrowser, openPage, press } from '../e2e/browser.ts';
import { gridOf } from '../e2e/grid.ts';
import { openTable } from '../e2e/journey.ts';
import { openWindow } from './window-client.ts';

/** `npm run proofs -- two-windows` edits for ten minutes. */
const seconds = Number(process.env.TRESTLE_TWO_WINDOWS_SECONDS ?? 0);
const fewestRounds = 4;
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 1);
const rowCount = 10;

type Values = Map<number, string>;

/**
 * `apart`: each window edits its own rows, and one window saves while the other edits. `together`: both edit the same
 * rows. `history`: they also undo and redo.
 */
const kinds = ['apart', 'together', 'history'] as const;

test.skipIf(!browserPath)(
  `two windows edit one table at random at the same time: no edit is lost, and both show what is stored${needsBrowser}`,
  { timeout: 300_000 + seconds * 2_000 },
  async () => {
    const random = randomSource(seed);
    const { pages, stored, staged } = await begin();
    const counts = { edits: 0, saves: 0, rounds: 0 };
    const end = Date.now() + seconds * 1_000;
    for (; counts.rounds < fewestRounds || Date.now() < end; counts.rounds++) {
      const kind = kinds[counts.rounds % kinds.length]!;
      const before = stored();
      const typed = await Promise.all(
        pages.map((page, who) => edit(page, { who, kind, round: counts.rounds, random })),
      );
      counts.edits += typed.reduce((sum, { count }) => sum + count, 0);
      await expect.poll(async () => (await staged()).saving).toBeNull();
      const { updated } = stagedRows(await staged());
      for (const page of pages) await expect.poll(() => editedIn(page)).toBe(updated.size);
      const expected = new Map(stored());
      for (const { key, values } of updated.values()) expected.set(Number(key.id), String(values.text));
      if (kind !== 'history') {
        for (const [id, text] of expected) {
          const last = typed.flatMap(({ values }) => values.get(id) ?? []);
          expect(last.length > 0 ? last : [before.get(id)], `seed ${seed}, row ${id}`).toContain(text);
        }
      }
      const saver = random.pick(pages);
      await expect
        .poll(async () => {
          if ((await editedIn(saver)) > 0) await saver.keyboard.press('ControlOrMeta+s');
          return stagedRows(await staged()).updated.size;
        })
        .toBe(0);
      counts.saves++;
      expect(stored(), `seed ${seed}, round ${counts.rounds}`).toEqual(expected);
      for (const page of pages) {
        await expect.poll(() => editedIn(page)).toBe(0);
        await expect.poll(() => gridOf(page, 'Rows of fact').texts('text')).toEqual([...expected.values()]);
      }
    }
    console.log(`seed ${seed}: ${counts.rounds} rounds, ${counts.edits} edits, ${counts.saves} last saves`);
  },
);

async function begin() {
  const app = await startApp();
  onTestFinished(() => app.close());
  const file = join(app.folder, 'own.db');
  const database = new DatabaseSync(file, { timeout: 10_000 });
  onTestFinished(() => database.close());
  database.exec(`CREATE TABLE fact (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${rowCount - 1})
    INSERT INTO fact SELECT i, 'text of ' || i FROM n`);
  await importConnections(app, [{ name: 'Own', driver: 'sqlite', fields: { file } }]);
  const all = (await app.ask('connections.list')) as { id: string; name: string }[];
  const { id: connectionId } = all.find(({ name }) => name === 'Own')!;
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const pages = [await openFact((await openPage(browser, app)).page)];
  pages.push(await openFact((await openPage(browser, app)).page));
  const window = await openWindow(app);
  return {
    pages,
    stored: (): Values =>
      new Map(
        database
          .prepare('SELECT id, text FROM fact ORDER BY id')
          .all()
          .map(({ id, text }) => [Number(id), String(text)]),
      ),
    /** The staged edits as the app has them. */
    staged: async () => (await window.staged(connectionId, { table: 'fact' })).edits,
  };
}

async function openFact(page: Page): Promise<Page> {
  page.setDefaultTimeout(60_000);
  const grid = gridOf(page, 'Rows of fact');
  const connection = page.getByRole('button', { name: /^Own/ });
  await connection.or(grid.locator).first().waitFor();
  if (!(await grid.locator.isVisible())) {
    await press(connection);
    const table = page.getByRole('button', { name: 'Table fact', exact: true });
    await table.or(grid.locator).first().waitFor();
    if (!(await grid.locator.isVisible())) await openTable(page, 'fact');
  }
  await grid.locator.waitFor();
  await grid.focus();
  return page;
}

/** The last text that this window typed into each row, and how many texts it typed. */
async function edit(
  page: Page,
  at: { who: number; kind: (typeof kinds)[number]; round: number; random: RandomSource },
): Promise<{ values: Values; count: number }> {
  const { who, kind, round, random } = at;
  const values: Values = new Map();
  let count = 0;
  for (let step = 0; step < 8; step++) {
    const turn = random.below(6);
    if (kind === 'history' && turn < 2) await page.keyboard.press('ControlOrMeta+z');
    else if (kind === 'history' && turn === 2) await page.keyboard.press('ControlOrMeta+Shift+z');
    else if (kind === 'apart' && who === 0 && turn === 0) await page.keyboard.press('ControlOrMeta+s');
    else {
      const any = random.below(rowCount);
      const row = kind === 'apart' ? any - (any % 2) + who : any;
      const text = `r${round}w${who}s${step}`;
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.press('ArrowRight');
      for (let down = 0; down < row; down++) await page.keyboard.press('ArrowDown');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      values.set(row, text);
      count++;
    }
  }
  return { values, count };
}

/** How many rows are edited, as the window says it. */
async function editedIn(page: Page): Promise<number> {
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  const text = (await bar.count()) > 0 ? await bar.innerText() : '';
  return Number(/(\d+) edited/.exec(text)?.[1] ?? 0);
}
