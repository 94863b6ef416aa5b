import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { openWindow } from '../faults/window-client.ts';
import { choose, press, tabTo } from './browser.ts';
import { holdRequests } from './held-requests.ts';
import { openSample, refusedRequest, sharedJourney } from './journey.ts';
import { moveToTab, openIntegrations, openSettings } from './settings.ts';

sharedJourney('a chosen theme is applied, and is kept over a reload', async ({ page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  const light = await background();
  await page.keyboard.press('ControlOrMeta+Comma');
  await tabTo(page.getByRole('combobox', { name: 'Theme' }));
  await page.keyboard.press('Enter');
  await choose(page.getByRole('option', { name: 'Dark' }));
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  await expect.poll(() => background()).toBe(dark);
});

sharedJourney('choosing another tab does not move the tabs', async ({ page }) => {
  await openIntegrations(page, 'Server');
  const places = () =>
    page.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().left));
  const before = await places();
  await moveToTab(page, 'Authentication');
  expect(await places()).toEqual(before);
});

sharedJourney(
  'a double click or Escape while a token is created does not lose the token',
  async ({ page }) => {
    await openIntegrations(page, 'Authentication');
    await press(page.getByRole('button', { name: 'New token' }));
    const form = page.getByRole('dialog', { name: 'New token' });
    await tabTo(form.getByRole('textbox', { name: 'Name' }));
    await page.keyboard.type('Laptop');
    const requests = await holdRequests(page, '**/tokens.create*');
    requests.hold();
    await form.getByRole('button', { name: 'Create token' }).dblclick();
    await expect.poll(() => requests.held).toBe(1);
    await page.keyboard.press('Escape');
    requests.release();
    const shown = page.getByRole('dialog', { name: 'Token “Laptop”' });
    await shown.waitFor();
    const done = shown.getByRole('button', { name: 'Done' });
    await done.hover();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    expect(await shown.getByText(/^trs_/).count()).toBe(1);
    await done.click();
    await shown.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'More for Laptop' }).count()).toBe(1);
    expect(requests.held).toBe(1);
    await requests.end();
  },
  { allow: /The mouse was used/ },
);

sharedJourney('a new token is shown once, and works until it is revoked', async ({ page, app }) => {
  await openIntegrations(page, 'Authentication');
  await press(page.getByRole('button', { name: 'New token' }));
  const form = page.getByRole('dialog', { name: 'New token' });
  await tabTo(form.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.type('Laptop');
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Token “Laptop”' });
  const secret = await shown.getByText(/^trs_/).textContent();
  const { mcpPort } = await app.status();
  const admitted = async () => {
    const answer = await fetch(`http://127.0.0.1:${mcpPort}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    await answer.text();
    return answer.status !== 401;
  };
  expect(await admitted()).toBe(true);
  await press(shown.getByRole('button', { name: 'Done' }));
  await expect.poll(() => isFocused(page.getByRole('button', { name: 'New token' }))).toBe(true);
  await shown.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);

  await press(page.getByRole('button', { name: 'More for Laptop' }));
  await choose(page.getByRole('menuitem', { name: 'Revoke…' }));
  const question = page.getByRole('alertdialog', { name: 'Revoke “Laptop”?' });
  await press(question.getByRole('button', { name: 'Revoke token' }));
  await page.getByText(/^Revoked/).waitFor();
  expect(await admitted()).toBe(false);
  await press(page.getByRole('button', { name: 'More for Laptop' }));
  await choose(page.getByRole('menuitem', { name: 'Delete…' }));
  await press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete token' }));
  await page.getByText('No tokens').waitFor();
  await expect.poll(() => isFocused(page.getByRole('button', { name: 'New token' }))).toBe(true);
});

sharedJourney('the rail button of a connection closes Settings and keeps the focus', async ({ page }) => {
  await openSample(page);
  await page.keyboard.press('ControlOrMeta+Comma');
  await tabTo(page.getByRole('tab', { name: 'General' }));
  const tile = page.getByRole('button', { name: /^Go to Sample/ });
  await press(tile, { back: true });
  await page.getByRole('heading', { name: 'Settings' }).waitFor({ state: 'detached' });
  await expect.poll(() => isFocused(tile)).toBe(true);
});

sharedJourney(
  'an error that arrives after its question was closed is not shown in the next question',
  async ({ page }) => {
    await openSettings(page, 'General');
    let fail = () => {};
    const isFailed = new Promise<void>((resolve) => {
      fail = resolve;
    });
    await page.route('**/app.endWindows*', async (route) => {
      await isFailed;
      await route.fulfill({ status: 422, json: {} });
    });
    const open = page.getByRole('button', { name: 'End all windows…' });
    const question = page.getByRole('alertdialog', { name: 'End all windows?' });
    await press(open);
    const confirm = question.getByRole('button', { name: 'End all windows' });
    await press(confirm);
    await press(question.getByRole('button', { name: 'Cancel' }), { back: true });
    await question.waitFor({ state: 'detached' });
    await press(open);
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    fail();
    await expect.poll(() => confirm.getAttribute('aria-disabled')).not.toBe('true');
    expect(await question.getByRole('alert').count()).toBe(0);
  },
  { allow: refusedRequest },
);

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

sharedJourney(
  'if the user lowers the limit of the stored history, the oldest statements are removed',
  async ({ page, app }) => {
    const window = await openWindow(app);
    const { id: connectionId } = await app.sample();
    const statement = (number: number) => `SELECT ${number} -- ${'x'.repeat(60_000)}`;
    for (let number = 1; number <= 40; number++) {
      await window.data('runQuery', { connectionId, request: { text: statement(number), limit: 1 } });
    }
    const storage = await openSettings(page, 'Storage');
    await storage.getByText(/^40 statements, 2\.\d MB of 100 MB$/).waitFor();
    const limit = storage.getByRole('textbox', { name: 'History in MB' });
    await tabTo(limit);
    await limit.press('ControlOrMeta+a');
    await page.keyboard.type('0');
    await storage.getByText('A whole number between 1 and 100,000').waitFor();
    await limit.press('ControlOrMeta+a');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await storage.getByText(/^1\d statements, (0\.\d|1) MB of 1 MB/).waitFor();
    const kept = storedNumbers(app.folder);
    expect(kept).toEqual(Array.from(kept, (_, at) => 41 - kept.length + at));
    expect((await app.status()).logProblem).toBeNull();
  },
);

/** The numbers that the statements of the history select, the oldest first. */
function storedNumbers(folder: string): number[] {
  const database = new DatabaseSync(join(folder, 'trestle.db'), { readOnly: true });
  try {
    return database
      .prepare('SELECT text FROM history ORDER BY id')
      .all()
      .map(({ text }) => Number(/^SELECT (\d+)/.exec(String(text))?.[1]));
  } finally {
    database.close();
  }
}
