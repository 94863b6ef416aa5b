import { createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { journey, openSample, openTable } from './journey.ts';

/**
 * Occupies the preferred port. So the app of these journeys chooses another port, and uses that port again after a
 * restart. The preferred port is avoided, because another app could take it during the restart.
 */
const taken = createServer();
beforeAll(
  () =>
    new Promise<void>((resolve) => {
      taken.once('error', () => resolve()).listen(23507, '127.0.0.1', resolve);
    }),
);
afterAll(() => void taken.close());

const allow = /net::ERR|Failed to fetch|NetworkError|status of 401/;
const stopped = (page: Page) => page.getByRole('alert').filter({ hasText: 'Trestle is not answering' });
const unknown = (page: Page) => page.getByRole('alert').filter({ hasText: 'no longer knows this window' });

async function rename(page: Page, name: string): Promise<void> {
  await gridOf(page, 'Rows of planets').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.getByText('1 edited').waitFor();
}

async function enterCode(page: Page, code: string): Promise<void> {
  await tabTo(page.getByLabel('One-time code'), { back: true });
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}

async function save(page: Page): Promise<void> {
  await gridOf(page, 'Rows of planets').focus();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('1 edited').waitFor({ state: 'detached' });
}

journey(
  'after a restart of the app, a window keeps its edits and accepts a code to continue',
  async ({ page, app }) => {
    await openSample(page);
    await openTable(page, 'planets');
    const before = (await app.status()).uiAddress;
    await app.stop();
    await stopped(page).waitFor();
    await rename(page, 'Hermes');
    // The dialog is loaded on demand. Without the app, the load fails, but the page stays.
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.keyboard.press('ControlOrMeta+/');
    await page.getByText('The dialog could not be loaded').first().waitFor();
    await page.getByText('1 edited').waitFor();

    await app.start();
    expect((await app.status()).uiAddress).toBe(before);
    await unknown(page).waitFor();
    await enterCode(page, await app.printCode());
    await unknown(page).waitFor({ state: 'detached' });
    await page.getByText('1 edited').waitFor();
    await page.keyboard.press('ControlOrMeta+/');
    await sheet.waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await save(page);
    await page.reload();
    await expect.poll(() => gridOf(page, 'Rows of planets').texts('name')).toContain('Hermes');
  },
  { allow },
);

journey(
  'Quit in the palette stops the app after a question, and the next start has the edits',
  async ({ page, app }) => {
    await openSample(page);
    await openTable(page, 'planets');
    await rename(page, 'Hermes');
    const question = page.getByRole('alertdialog', { name: 'Quit Trestle?' });
    const palette = page.getByRole('combobox', { name: 'Open anything' });
    const ask = async () => {
      await page.keyboard.press('ControlOrMeta+p');
      await palette.waitFor();
      await page.keyboard.type('quit');
      await page.getByRole('option', { name: 'Quit Trestle' }).waitFor();
      await page.keyboard.press('Enter');
      await palette.waitFor({ state: 'detached' });
      const cancel = question.getByRole('button', { name: 'Cancel' });
      await expect.poll(() => cancel.evaluate((button) => button === document.activeElement)).toBe(true);
    };
    await ask();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await app.status();
    await ask();
    await press(question.getByRole('button', { name: 'Quit Trestle' }));
    await stopped(page).waitFor();
    await question.waitFor({ state: 'detached' });

    await app.start();
    await unknown(page).waitFor();
    await enterCode(page, await app.printCode());
    await unknown(page).waitFor({ state: 'detached' });
    await page.getByText('1 edited').waitFor();
  },
  { allow },
);

journey('a reload and a second window of the same browser need no new link', async ({ page }) => {
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  expect(page.url()).not.toContain('key');
  await page.reload();
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByRole('heading', { name: 'Connections' }).waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

journey(
  'after “End all windows”, each page shows an alert; one code admits the pages again, and the edits are kept',
  async ({ page, app }) => {
    await openSample(page);
    await openTable(page, 'planets');
    await rename(page, 'Hermes');
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByRole('heading', { level: 1 }).or(second.getByRole('grid')).first().waitFor();

    await page.keyboard.press('ControlOrMeta+Comma');
    const question = page.getByRole('alertdialog');
    await page.route('**/app.endWindows*', (route) => route.abort(), { times: 1 });
    await press(page.getByRole('button', { name: 'End all windows…' }));
    await press(question.getByRole('button', { name: 'End all windows' }));
    await question.getByRole('alert').waitFor();
    await press(question.getByRole('button', { name: 'Cancel' }), { back: true });
    await question.waitFor({ state: 'detached' });
    // The dialog opens again without the earlier error.
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'End all windows' }).waitFor();
    expect(await question.getByRole('alert').count()).toBe(0);
    await press(question.getByRole('button', { name: 'End all windows' }));
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    for (const one of [page, second]) await unknown(one).waitFor();

    await enterCode(page, await app.printCode());
    for (const one of [page, second]) await unknown(one).waitFor({ state: 'detached' });
    await save(page);
  },
  { allow },
);

journey(
  'a browser without a key is asked for a code, and a wrong code is refused',
  async ({ page, app }) => {
    const other = await (await page.context().browser()!.newContext()).newPage();
    await other.goto((await app.status()).uiAddress);
    await other.getByText('Open Trestle from its launcher').waitFor();
    await enterCode(other, 'AAAA-AAAA');
    await other.getByText('This link or code is not valid').waitFor();
    await other.getByLabel('One-time code').fill('');
    await enterCode(other, await app.printCode());
    await other.getByRole('heading', { name: 'Connections' }).waitFor();
    await other.context().close();
  },
  { allow },
);
