import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { openWindow } from '../faults/window-client.ts';
import { openPage, press } from './browser.ts';
import { gridOf } from './grid.ts';
import { type Journey, journey, openSample, openTable, sharedJourney } from './journey.ts';
import { holdInserts, openThings, showThings, startThings } from './save-journey.ts';

/** A second window of the same app, in its own browser profile. */
async function secondWindow({ app, page }: Journey): Promise<Page> {
  const opened = await openPage(page.context().browser()!, app);
  opened.page.setDefaultTimeout(45_000);
  onTestFinished(async () => {
    expect(opened.problems).toEqual([]);
    await opened.page.context().close();
  });
  return opened.page;
}

const staged = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });
const editor = (page: Page, number: number) => page.getByRole('textbox', { name: `Query ${number}` });
const textOf = async (page: Page, number: number) =>
  (await editor(page, number).locator('.cm-line').allTextContents()).join('\n');

sharedJourney('an edit in one window shows in the other, and so does its undo', async (at) => {
  const { page } = at;
  await openSample(page);
  await openTable(page, 'planets');
  const grid = gridOf(page, 'Rows of planets');
  await grid.focus();
  // Waits until the tab is stored, because the second window starts with the stored state.
  await page.getByRole('tab', { name: 'planets' }).waitFor();
  await page.waitForTimeout(600);
  const other = await secondWindow(at);
  const there = gridOf(other, 'Rows of planets');
  await there.locator.waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('Hermes');
  await page.keyboard.press('Enter');
  await staged(other).getByText('1 edited').waitFor();
  await expect.poll(async () => (await there.texts('name'))[0]).toBe('Hermes');

  await there.focus();
  await other.keyboard.press('ArrowRight');
  await other.keyboard.press('ArrowDown');
  await other.keyboard.type('Aphrodite');
  await other.keyboard.press('Enter');
  await staged(page).getByText('2 edited').waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await staged(other).getByText('1 edited').waitFor();
  await expect.poll(async () => (await there.texts('name')).slice(0, 2)).toEqual(['Hermes', 'Venus']);

  await other.keyboard.press('ControlOrMeta+s');
  await staged(page).waitFor({ state: 'detached' });
  await staged(other).waitFor({ state: 'detached' });
  await expect.poll(async () => (await grid.texts('name'))[0]).toBe('Hermes');
});

sharedJourney('while one window saves, another window shows the save and starts no save', async (at) => {
  const { page } = at;
  const things = await startThings();
  const inserts = holdInserts(things.proxy);
  await openThings(at, things, ['One', 'Two', 'Three']);
  await staged(page).getByText('3 new').waitFor();
  await page.waitForTimeout(600);
  const other = await secondWindow(at);
  await staged(other).getByText('3 new').waitFor();

  await page.keyboard.press('ControlOrMeta+s');
  await staged(other).getByText('Saving 0 of 3').waitFor();
  expect(await other.getByRole('button', { name: /^Save \d/ }).count()).toBe(0);
  await other.keyboard.press('ControlOrMeta+s');
  await other.getByText('A save of this table is running').waitFor();
  inserts.open();
  await staged(page).waitFor({ state: 'detached' });
  await staged(other).waitFor({ state: 'detached' });
  expect(await things.titles()).toEqual(['One', 'Three', 'Two']);
});

journey('if a window closes during its save, another window settles the save', async (at) => {
  const { page } = at;
  const things = await startThings();
  const inserts = holdInserts(things.proxy);
  const other = await secondWindow(at);
  await openThings(at, things, ['One', 'Two', 'Three']);
  await press(other.getByRole('button', { name: /^Cluster/ }));
  await showThings(other);
  await staged(page).getByText('3 new').waitFor();
  await staged(other).getByText('3 new').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await staged(other).getByText('Saving 0 of 3').waitFor();
  await page.goto('about:blank');
  inserts.open();
  await expect.poll(async () => (await things.titles()).length).toBeGreaterThan(0);
  await staged(other).getByText('Saving').waitFor({ state: 'detached' });
  const stored = (await things.titles()).length;
  if (stored < 3) {
    await staged(other)
      .getByText(`${3 - stored} new`)
      .waitFor();
    await other.keyboard.press('ControlOrMeta+s');
  }
  await staged(other).waitFor({ state: 'detached' });
  expect(await things.titles()).toEqual(['One', 'Three', 'Two']);
});

/** Holds this window's save request until it is released. */
async function holdSave(page: Page) {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route('**/data/applyChanges', async (route) => {
    asked.resolve();
    await held.promise;
    // The page may be closed already.
    await route.continue().catch(() => {});
  });
  return { asked: asked.promise, letGo: () => held.resolve() };
}

sharedJourney('a late save request saves nothing that another window has already saved', async (at) => {
  const { page } = at;
  const things = await startThings();
  await openThings(at, things, ['One', 'Two', 'Three']);
  await staged(page).getByText('3 new').waitFor();
  const other = await secondWindow(at);
  await staged(other).getByText('3 new').waitFor();
  const request = await holdSave(page);
  await page.keyboard.press('ControlOrMeta+s');
  await request.asked;
  await staged(page).getByText('Saving 0 of 3').waitFor();
  await other.keyboard.press('ControlOrMeta+s');
  await staged(other).waitFor({ state: 'detached' });
  expect(await things.titles()).toEqual(['One', 'Three', 'Two']);
  // In an earlier version, a request as late as this could save the rows a second time.
  await page.waitForTimeout(6_500);
  request.letGo();
  await page.getByText('Nothing was saved').waitFor();
  await staged(page).waitFor({ state: 'detached' });
  expect(await things.titles()).toEqual(['One', 'Three', 'Two']);
});

journey('if a window dies before its save request arrives, another window can save the rows', async (at) => {
  const { page } = at;
  const things = await startThings();
  await openThings(at, things, ['One', 'Two']);
  await staged(page).getByText('2 new').waitFor();
  const other = await secondWindow(at);
  await staged(other).getByText('2 new').waitFor();
  const request = await holdSave(page);
  await page.keyboard.press('ControlOrMeta+s');
  await request.asked;
  await page.goto('about:blank');
  request.letGo();
  await press(other.getByRole('button', { name: /^Save 2 rows/ }));
  await staged(other).waitFor({ state: 'detached' });
  expect(await things.titles()).toEqual(['One', 'Two']);
});

sharedJourney('an edit made while a save is being sent is kept, and is not part of that save', async (at) => {
  const { page } = at;
  const things = await startThings();
  const { grid } = await openThings(at, things, ['One', 'Two']);
  await staged(page).getByText('2 new').waitFor();
  await grid.focus();
  const request = await holdSave(page);
  await page.keyboard.press('ControlOrMeta+s');
  await request.asked;
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => grid.active()).toBe('One');
  await page.keyboard.type('One again');
  await page.keyboard.press('Enter');
  request.letGo();
  await staged(page).getByText('1 edited').waitFor();
  await expect.poll(() => things.titles()).toEqual(['One', 'Two']);
  await staged(page)
    .getByRole('button', { name: /^Save 1 row/ })
    .waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await staged(page).waitFor({ state: 'detached' });
  expect(await things.titles()).toEqual(['One again', 'Two']);
});

sharedJourney('text typed into a query in one window shows in the other', async (at) => {
  const { page } = at;
  await openSample(page);
  await page.keyboard.press('Alt+n');
  await editor(page, 1).waitFor();
  await page.keyboard.type('SELECT 1');
  await page.waitForTimeout(600);
  const other = await secondWindow(at);
  await editor(other, 1).waitFor();
  await expect.poll(() => textOf(other, 1)).toBe('SELECT 1');
  await page.keyboard.type(' AS one');
  await expect.poll(() => textOf(other, 1)).toBe('SELECT 1 AS one');

  await editor(other, 1).focus();
  await other.keyboard.press('ControlOrMeta+End');
  await other.keyboard.type(', 2 AS two');
  await expect.poll(() => textOf(page, 1)).toBe('SELECT 1 AS one, 2 AS two');
  // A tab opened in one window appears in the other window, but does not become the active tab there.
  await other.keyboard.press('Alt+n');
  await page.getByRole('tab', { name: 'Query 2' }).waitFor();
  await editor(page, 1).waitFor();
});

sharedJourney('if two windows write at the same place in a query, both texts are kept', async (at) => {
  const { page } = at;
  await openSample(page);
  await page.keyboard.press('Alt+n');
  await editor(page, 1).waitFor();
  await page.keyboard.type('SELECT ');
  await page.waitForTimeout(600);
  const other = await secondWindow(at);
  await expect.poll(() => textOf(other, 1)).toBe('SELECT ');
  await editor(other, 1).focus();
  await other.keyboard.press('ControlOrMeta+End');

  // Holds the write of the second window until the first window has written.
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await other.route('**/api/records.write*', async (route) => {
    await held;
    await route.continue();
  });
  await other.keyboard.type('two');
  await page.keyboard.type('one');
  await page.waitForTimeout(600);
  letGo();
  await other.getByText('Your text is now in Query 2').waitFor();
  await other.keyboard.type(' more');
  await expect.poll(() => textOf(other, 2)).toBe('SELECT two more');
  await expect.poll(() => textOf(page, 1)).toBe('SELECT one');
  await page.getByRole('tab', { name: 'Query 2' }).waitFor();
  // The text in Query 2 is kept when both windows are reloaded.
  await other.waitForTimeout(600);
  await page.reload();
  await other.reload();
  await other.getByRole('tab', { name: 'Query 1' }).waitFor();
  await other.getByRole('tab', { name: 'Query 2' }).waitFor();
  await expect.poll(() => textOf(other, 2)).toBe('SELECT two more');
});

journey(
  'text typed 400 ms before a kill -9 of the app is kept',
  async ({ page, app }) => {
    await openSample(page);
    await page.keyboard.press('Alt+n');
    await editor(page, 1).waitFor();
    await page.keyboard.type('SELECT 12345');
    await page.waitForTimeout(400);
    await app.kill();
    await app.start();
    const window = await openWindow(app);
    const all = await window.call('records.all');
    const texts = all.flatMap(({ value }: { value: { text?: string } }) => value.text ?? []);
    expect(texts).toEqual(['SELECT 12345']);
  },
  { allow: /Failed to (load resource|fetch)|ERR_/ },
);
