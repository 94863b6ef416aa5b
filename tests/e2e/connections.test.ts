import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { importConnections } from './app.ts';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { openTable, refusedRequest, sharedJourney } from './journey.ts';

sharedJourney('makes a connection, tests it, opens it, edits it and deletes it', async ({ page, app }) => {
  const good = join(app.folder, 'good.db');
  const bad = join(app.folder, 'bad.db');
  const database = new DatabaseSync(good);
  database.exec(
    "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO notes VALUES (1, 'here')",
  );
  database.close();
  writeFileSync(bad, 'This is no database, whatever its name says.'.repeat(50));

  await press(page.getByRole('button', { name: 'New connection' }), { back: true });
  const dialog = page.getByRole('dialog', { name: 'New connection' });
  await press(dialog.getByRole('button', { name: /^SQLite/ }));
  const file = dialog.getByRole('textbox', { name: 'Database file' });
  const outcome = dialog.getByRole('alert').or(dialog.getByRole('status')).last();
  const replace = async (text: string) => {
    await tabTo(file);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
    await press(dialog.getByRole('button', { name: 'Test connection' }));
  };

  await press(dialog.getByRole('button', { name: 'Save & open' }));
  await expect.poll(() => file.getAttribute('aria-invalid')).toBe('true');
  await tabTo(dialog.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Notes');
  await replace(join(app.folder, 'nowhere.db'));
  await expect
    .poll(() => outcome.textContent())
    .toMatch(/^Connection failed: .*A database that does not exist is not created/);
  await replace(bad);
  await expect.poll(() => outcome.textContent()).toMatch(/not a (SQLite )?database/i);
  await replace(good);
  await expect.poll(() => outcome.textContent()).toMatch(/^Connected to SQLite 3\./);

  await press(dialog.getByRole('button', { name: 'Save & open' }));
  await dialog.waitFor({ state: 'detached' });
  await openTable(page, 'notes');
  await expect.poll(() => gridOf(page, 'Rows of notes').texts('text')).toEqual(['here']);

  await press(page.getByRole('button', { name: 'Menu of Notes' }), { back: true });
  await choose(page.getByRole('menuitem', { name: 'Edit connection…' }));
  const edit = page.getByRole('dialog', { name: 'Edit connection' });
  await tabTo(edit.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.press('End');
  await page.keyboard.type(' of mine');
  const advanced = edit.getByRole('button', { name: /^Advanced/ });
  await press(advanced);
  const limit = edit.getByRole('textbox', { name: 'Reach Limit' });
  await tabTo(limit);
  await page.keyboard.type('x');
  await press(advanced, { back: true });
  await limit.waitFor({ state: 'detached' });
  // A problem in the closed section opens the section, and the field with the problem gets the focus.
  await press(edit.getByRole('button', { name: 'Save', exact: true }));
  await expect.poll(() => limit.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await expect.poll(() => limit.getAttribute('aria-invalid')).not.toBe('true');
  expect(await limit.evaluate((field) => field === document.activeElement)).toBe(true);
  await press(edit.getByRole('button', { name: 'Save', exact: true }));
  await page.getByRole('heading', { name: 'Notes of mine' }).waitFor();

  await press(page.getByRole('button', { name: 'Connections' }), { back: true });
  await press(page.getByRole('button', { name: 'More for Notes of mine' }));
  await choose(page.getByRole('menuitem', { name: 'Delete…' }));
  const question = page.getByRole('alertdialog', { name: 'Delete the connection “Notes of mine”?' });
  await press(question.getByRole('button', { name: 'Delete connection' }));
  await question.waitFor({ state: 'detached' });
  const names = ((await app.ask('connections.list')) as { name: string }[]).map(({ name }) => name);
  expect(names).not.toContain('Notes of mine');
  await expect.poll(app.hosts).toEqual([]);
});

sharedJourney('Escape does not discard the text of the form without a question', async ({ page }) => {
  await press(page.getByRole('button', { name: 'New connection' }), { back: true });
  const dialog = page.getByRole('dialog', { name: 'New connection' });
  await press(dialog.getByRole('button', { name: /^SQLite/ }));
  await tabTo(dialog.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.type('Half');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog');
  const keep = question.getByRole('button', { name: 'Keep editing' });
  await expect.poll(() => keep.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toMatch(/Half$/);
  await page.keyboard.press('Escape');
  await press(question.getByRole('button', { name: 'Discard changes' }));
  await dialog.waitFor({ state: 'detached' });
  const opener = page.getByRole('button', { name: 'New connection' });
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
});

sharedJourney(
  'a missing database is reported in the sidebar, and “Try again” opens it later',
  async ({ page, app }) => {
    const file = join(app.folder, 'soon.db');
    await importConnections(app, [{ name: 'Soon', driver: 'sqlite', fields: { file } }]);
    await press(page.getByRole('button', { name: /^Soon/ }));
    await page
      .getByRole('complementary')
      .getByText(/^Connection failed/)
      .first()
      .waitFor();
    await page.getByText('No connection', { exact: true }).waitFor();
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE late (id INTEGER PRIMARY KEY)');
    database.close();
    await press(page.getByRole('complementary').getByRole('button', { name: 'Try again' }).first());
    await page.getByRole('button', { name: 'Table late' }).waitFor();
    // “Try again” is gone. The focus must stay in the sidebar.
    const isBeside = () => document.activeElement?.closest('aside') !== null;
    await expect.poll(() => page.evaluate(isBeside)).toBe(true);
  },
  { allow: refusedRequest },
);
