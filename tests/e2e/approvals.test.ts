import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasTerminal } from '../app/terminal.ts';
import { startApp } from './app.ts';
import { findings } from './axe.ts';
import { press, tabTo } from './browser.ts';
import { journey, openSample, refusedRequest, sharedJourney } from './journey.ts';
import { addLibrary, connectClient, createLibrary, textOf } from './mcp-client.ts';
import { openPrintedLink, passphrase, setPassphrase } from './printed-link.ts';
import { openIntegrations } from './settings.ts';

const books = { connection_id: 'Library', table: 'books' };
const access = (page: Page) => page.getByRole('alertdialog', { name: 'Let “Notebook” use “Library”?' });
const destroy = (page: Page) =>
  page.getByRole('alertdialog', { name: 'Let “Notebook” destroy data in “Library”?' });
/** A dialog ignores answers in its first half second, counted from its first frame. */
const ripen = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 600)))),
  );

sharedJourney(
  'a client’s call waits for the user, and after “Allow until Trestle stops” the next call does not',
  async ({ page, app }) => {
    await addLibrary(app);
    const { call } = await connectClient(app);
    await page.getByRole('button', { name: /^Library/ }).waitFor();
    const waiting = call('browse_table', books);
    await access(page).waitFor();
    await page.getByText('Read rows of books').waitFor();
    await page.getByText('Token “Laptop”').waitFor();
    await expect.poll(() => page.title()).toBe('(1) Question – Trestle');
    expect(await findings(page)).toEqual([]);
    await ripen(page);
    await press(access(page).getByRole('button', { name: 'Allow until Trestle stops' }));
    expect(textOf(await waiting)).toContain('Emma');
    await access(page).waitFor({ state: 'detached' });
    await expect.poll(() => page.title()).toBe('Trestle');
    expect(textOf(await call('browse_table', { ...books, count_only: true }))).toContain('3');
  },
);

sharedJourney(
  'a client that was allowed once asks again, and a lasting approval can be withdrawn',
  async ({ page, app }) => {
    await addLibrary(app);
    const { call } = await connectClient(app);
    await page.getByRole('button', { name: /^Library/ }).waitFor();
    const once = call('browse_table', books);
    await access(page).waitFor();
    await ripen(page);
    await press(access(page).getByRole('button', { name: 'Allow once' }));
    expect(textOf(await once)).toContain('Emma');
    await access(page).waitFor({ state: 'detached' });

    const again = call('browse_table', books);
    await access(page).waitFor();
    await ripen(page);
    await press(access(page).getByRole('button', { name: 'Allow until Trestle stops' }));
    expect(textOf(await again)).toContain('Emma');
    await access(page).waitFor({ state: 'detached' });
    await openIntegrations(page, 'Clients');
    const approvals = page.getByRole('list', { name: 'Approvals' });
    await approvals.getByText('Notebook may use Library').waitFor();
    await press(approvals.getByRole('button', { name: 'Withdraw: Notebook, Library' }));
    await page.getByText('No client has a lasting approval.').waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Approvals');

    const third = call('browse_table', books);
    await access(page).waitFor();
    await ripen(page);
    await page.keyboard.press('Enter');
    expect(textOf(await third)).toMatch('denied: ');
  },
);

sharedJourney(
  'a refusal tells the client what to do, and applies to the next call too',
  async ({ page, app }) => {
    await addLibrary(app);
    const { call } = await connectClient(app);
    await page.getByRole('button', { name: /^Library/ }).waitFor();
    await page.keyboard.press('ControlOrMeta+p');
    await page.getByRole('combobox', { name: 'Open anything' }).waitFor();
    const waiting = call('browse_table', books);
    await access(page).waitFor();
    await ripen(page);
    // The focus is on Refuse, although the palette is open under the dialog.
    await page.keyboard.press('Enter');
    const refused = await waiting;
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/denied: The user did not approve access.*Always Allow/s);
    await access(page).waitFor({ state: 'detached' });
    expect(textOf(await call('browse_table', { ...books, count_only: true }))).toMatch('denied: ');
  },
);

journey(
  'a question that appears while the user types takes no key as its answer until a pause',
  async ({ page, app }) => {
    await openSample(page);
    await addLibrary(app);
    const { call } = await connectClient(app);
    await page.keyboard.press('Alt+n');
    const editor = page.getByRole('textbox', { name: 'Query 1' });
    await editor.waitFor();
    const pass = await holdTime(page);
    const waiting = call('browse_table', books);
    const isOpen = () => access(page).isVisible();
    while (!(await isOpen())) await page.keyboard.press('x', { delay: 20 });
    // More keys for more than a second, each less than half a second after the one before.
    for (const key of ['Enter', 'Space', 'Escape', 'Enter', 'Space', 'Escape', 'Enter']) {
      await page.keyboard.press(key);
      await pass(200);
    }
    expect(await isOpen()).toBe(true);
    await pass(600);
    await page.keyboard.press('Escape');
    await access(page).waitFor({ state: 'detached' });
    await expect.poll(() => editor.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole('tab', { name: 'Query 1' }).waitFor();
    // Escape puts the question aside. It did not answer it.
    // Tab belongs to the editor, which has the focus.
    await page.getByRole('button', { name: 'Show 1 waiting question' }).press('Enter');
    await access(page).waitFor();
    await pass(600);
    await press(access(page).getByRole('button', { name: 'Refuse' }));
    expect(textOf(await waiting)).toMatch('denied: ');
  },
);

sharedJourney(
  'Later and Escape put a question aside; it waits, and the mark in the rail shows it again',
  async ({ page, app }) => {
    await addLibrary(app);
    const { call } = await connectClient(app);
    await page.getByRole('button', { name: /^Library/ }).waitFor();
    const waiting = call('browse_table', books);
    await access(page).waitFor();
    await access(page).getByText('It may read. It cannot change anything.').waitFor();
    const mark = page.getByRole('button', { name: 'Show 1 waiting question' });
    for (const putAside of [
      () => press(access(page).getByRole('button', { name: 'Later' })),
      () => page.keyboard.press('Escape'),
    ]) {
      await ripen(page);
      await putAside();
      await access(page).waitFor({ state: 'detached' });
      await page.getByText('The question of “Notebook” waits').first().waitFor();
      expect(await app.ask('approvals.pending')).toHaveLength(1);
      // The focus returns to the mark after Escape. Its tooltip repeats its name, and is in no landmark.
      await tabTo(page.getByRole('button', { name: 'New connection' }));
      await page.getByText('Show 1 waiting question').waitFor({ state: 'detached' });
      expect(await findings(page)).toEqual([]);
      await press(mark);
      await access(page).waitFor();
    }
    await ripen(page);
    await press(access(page).getByRole('button', { name: 'Allow once' }));
    expect(textOf(await waiting)).toContain('Emma');
    await mark.waitFor({ state: 'detached' });
  },
);

sharedJourney('a question that was put aside does not keep the next one away', async ({ page, app }) => {
  await addLibrary(app);
  const first = await connectClient(app);
  const second = await connectClient(app, { name: 'Terminal', token: 'Shell' });
  await page.getByRole('button', { name: /^Library/ }).waitFor();
  const asked = first.call('browse_table', books);
  await access(page).waitFor();
  await ripen(page);
  await page.keyboard.press('Escape');
  await access(page).waitFor({ state: 'detached' });
  const askedToo = second.call('browse_table', books);
  const other = page.getByRole('alertdialog', { name: 'Let “Terminal” use “Library”?' });
  await other.waitFor();
  await ripen(page);
  await press(other.getByRole('button', { name: 'Refuse' }));
  expect(textOf(await askedToo)).toMatch('denied: ');
  await press(page.getByRole('button', { name: 'Show 1 waiting question' }));
  await access(page).waitFor();
  await ripen(page);
  await press(access(page).getByRole('button', { name: 'Refuse' }));
  expect(textOf(await asked)).toMatch('denied: ');
});

journey(
  'in a window from a printed link, the passphrase is typed in the question, and a wrong one is said there',
  async ({ page: own, app, skip }) => {
    if (!hasTerminal) skip('the passphrase is typed at a terminal, and there is none here');
    await addLibrary(app);
    await setPassphrase(app);
    const page = await openPrintedLink(own, app);
    const { call } = await connectClient(app);
    await page.getByRole('button', { name: /^Library/ }).waitFor();
    const waiting = call('browse_table', books);
    const dialog = access(page);
    await dialog.waitFor();
    const field = dialog.getByLabel('Administrator passphrase');
    await field.waitFor();
    expect(await findings(page)).toEqual([]);
    const isFocused = () => field.evaluate((element) => element === document.activeElement);

    await ripen(page);
    await press(dialog.getByRole('button', { name: 'Allow until Trestle stops' }));
    await dialog.getByText('Type the administrator passphrase here to allow it').waitFor();
    expect(await isFocused()).toBe(true);
    await page.keyboard.type('a wrong guess');
    await page.keyboard.press('Enter');
    await dialog.getByText(/passphrase is not right/).waitFor();
    await expect.poll(isFocused).toBe(true);
    expect(await app.ask('approvals.pending')).toHaveLength(1);
    // The wrong passphrase is selected, so typing replaces it.
    await page.keyboard.type(passphrase);
    await press(dialog.getByRole('button', { name: 'Allow until Trestle stops' }));
    expect(textOf(await waiting)).toContain('Emma');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(passphrase);

    // The window counts as the person's now, so the next question needs no passphrase.
    const next = await connectClient(app, { token: 'Other' });
    const again = next.call('browse_table', books);
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Allow once' }).waitFor();
    expect(await field.count()).toBe(0);
    await ripen(page);
    await press(dialog.getByRole('button', { name: 'Refuse' }));
    expect(textOf(await again)).toMatch('denied: ');
  },
  { allow: refusedRequest },
);

journey(
  'in a window from a printed link without a passphrase, a question offers no Allow, and can be put aside and refused',
  async ({ page: own, app, skip }) => {
    if (!hasTerminal) skip('the passphrase is typed at a terminal, and there is none here');
    await addLibrary(app);
    const page = await openPrintedLink(own, app);
    const { call } = await connectClient(app);
    await page.getByRole('button', { name: /^Library/ }).waitFor();
    const waiting = call('browse_table', books);
    const dialog = access(page);
    await dialog.waitFor();
    await dialog.getByText('trestle passphrase set').waitFor();
    expect(await dialog.getByRole('button').allTextContents()).toEqual(['Later', 'Refuse']);
    expect(await findings(page)).toEqual([]);
    await ripen(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await press(page.getByRole('button', { name: 'Show 1 waiting question' }));
    await dialog.waitFor();
    await ripen(page);
    await press(dialog.getByRole('button', { name: 'Refuse' }));
    expect(textOf(await waiting)).toMatch('denied: The user did not approve access');
    await dialog.waitFor({ state: 'detached' });

    // After the passphrase is set at a terminal, the open question asks for it.
    const other = await connectClient(app, { token: 'Other' });
    const allowed = other.call('browse_table', books);
    await dialog.waitFor();
    await setPassphrase(app);
    await tabTo(dialog.getByLabel('Administrator passphrase'));
    await page.keyboard.type(passphrase);
    await ripen(page);
    await page.keyboard.press('Enter');
    expect(textOf(await allowed)).toContain('Emma');
  },
);

sharedJourney('a question that its client withdraws disappears with a notice', async ({ page, app }) => {
  await addLibrary(app);
  const { call } = await connectClient(app);
  await page.getByRole('button', { name: /^Library/ }).waitFor();
  const abort = new AbortController();
  const waiting = call('browse_table', books, abort.signal).catch(() => 'cancelled');
  await access(page).waitFor();
  abort.abort();
  expect(await waiting).toBe('cancelled');
  await access(page).waitFor({ state: 'detached' });
  await page.getByText('“Notebook” no longer asks about “Library”').waitFor();
});

sharedJourney(
  'questions appear one after another, over a form that does not change',
  async ({ page, app }) => {
    await addLibrary(app);
    const first = await connectClient(app);
    const second = await connectClient(app, { name: 'Terminal', token: 'Shell' });
    await page.getByRole('button', { name: /^Library/ }).waitFor();
    await press(page.getByRole('button', { name: 'New connection' }));
    const chooser = page.getByRole('dialog', { name: 'New connection' });
    await press(chooser.getByRole('button', { name: /^SQLite/ }));
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.waitFor();
    await tabTo(name);
    await page.keyboard.type('Half a na');

    const asked = first.call('browse_table', books);
    await access(page).waitFor();
    const askedToo = second.call('browse_table', books);
    await page.getByText('1 more question after this').waitFor();
    await ripen(page);
    await press(access(page).getByRole('button', { name: 'Allow until Trestle stops' }));
    const other = page.getByRole('alertdialog', { name: 'Let “Terminal” use “Library”?' });
    await other.waitFor();
    expect(textOf(await asked)).toContain('Emma');
    await ripen(page);
    await page.keyboard.press('Enter');
    expect(textOf(await askedToo)).toMatch('denied: ');
    await other.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toContain('Half a na');
    await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true);
  },
);

sharedJourney(
  'the dialog shows the loss by a destructive statement, which runs only if the user approves',
  async ({ page, app }) => {
    const file = await addLibrary(app, { aiPolicy: 'alwaysAllow' });
    const count = () => {
      const database = new DatabaseSync(file, { readOnly: true });
      const { n } = database.prepare('SELECT count(*) AS n FROM books').get()!;
      database.close();
      return n;
    };
    const { call } = await connectClient(app, { permission: 'fullAccess' });
    await page.getByRole('button', { name: /^Library/ }).waitFor();
    const run = (query: string) =>
      call('confirm_destructive_operation', { connection_id: 'Library', query, reason: 'A clean start' });

    const refused = run('DELETE FROM books');
    await destroy(page).waitFor();
    const dialog = destroy(page);
    await dialog.getByText('Changed or deleted: 3 rows of books. This cannot be undone.').waitFor();
    await dialog.getByText('DELETE FROM books', { exact: true }).waitFor();
    await dialog.getByText('“A clean start”').waitFor();
    expect(await findings(page)).toEqual([]);
    await ripen(page);
    await page.keyboard.press('Enter');
    expect(textOf(await refused)).toMatch('denied: The user did not approve this statement');
    expect(count()).toBe(3);

    // The refusal applies to the token, also for another destructive statement. Another token may ask.
    expect(textOf(await run('DELETE FROM books -- all of them'))).toMatch('denied');
    const other = await connectClient(app, { token: 'Other', permission: 'fullAccess' });
    const allowed = other.call('confirm_destructive_operation', {
      connection_id: 'Library',
      query: 'DELETE FROM books',
      reason: 'A clean start',
    });
    await destroy(page).waitFor();
    await ripen(page);
    await press(destroy(page).getByRole('button', { name: 'Run it and lose the data' }));
    expect((await allowed).isError).toBeFalsy();
    expect(count()).toBe(0);
  },
);

test('if nobody can be asked, the call is denied, and the answer says what to do', async () => {
  const app = await startApp();
  try {
    // Uses the command line. `app.tell` would first give the app a display, and then the app could open a window
    // to ask in.
    const file = join(app.folder, 'library.json');
    writeFileSync(file, JSON.stringify({ connections: [createLibrary(app)] }));
    await app.json('connections', 'import', file);
    const token = await app.json('tokens', 'create', '--name', 'Laptop', '--permission', 'readOnly');
    const { call } = await connectClient(app, { secret: token.secret });
    const denied = await call('browse_table', books);
    expect(denied.isError).toBe(true);
    expect(textOf(denied)).toMatch(/denied: .*no window to ask in.*Open the app.*Always Allow/s);
  } finally {
    await app.close();
  }
});

/**
 * Stops the page's clock, since the keys may come too slowly on a busy machine. Returns a function that
 * advances the clock.
 */
async function holdTime(page: Page): Promise<(ms: number) => Promise<void>> {
  await page.evaluate(() => {
    const held = performance.now();
    performance.now = () => held;
  });
  return (ms) =>
    page.evaluate((more) => {
      const now = performance.now() + more;
      performance.now = () => now;
    }, ms);
}
