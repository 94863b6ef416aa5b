import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { press } from './browser.ts';
import { type Journey, sharedJourney } from './journey.ts';
import { openOwnTable } from './own-table.ts';

async function openPeople(given: Journey) {
  const own = await openOwnTable(given, 'people', (db) =>
    db.exec(`CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
      INSERT INTO people VALUES (1, 'Ada', 'London'), (2, 'Grace', 'New York'), (3, 'Alan', 'Wilmslow');`),
  );
  const { page, app } = given;
  const theirs = (sql: string) => {
    const db = new DatabaseSync(join(app.folder, 'own.db'), { timeout: 5_000 });
    db.exec(sql);
    db.close();
  };
  /** Types into the column `name` of a line. */
  const type = async (line: number, text: string) => {
    await own.grid.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    for (let step = 0; step < line; step++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  return { ...own, theirs, type };
}

/** The buttons do nothing until the save has ended. */
async function settle(button: Locator): Promise<void> {
  await expect.poll(() => button.isEnabled()).toBe(true);
  await press(button);
}

const save = (page: Page) => page.keyboard.press('ControlOrMeta+s');
const conflictsIn = (page: Page) => page.getByRole('region', { name: 'Conflicts' });
const unsaved = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });

sharedJourney(
  'a cell that somebody else changed is not overwritten: the user keeps an edit, or takes theirs',
  async (given) => {
    const { page } = given;
    const { rows, theirs, type } = await openPeople(given);
    await type(0, 'mine 1');
    await type(1, 'mine 2');
    await type(2, 'mine 3');
    await page.getByText('3 edited').waitFor();
    theirs("UPDATE people SET name = 'theirs ' || id WHERE id < 3");
    await save(page);
    const conflicts = conflictsIn(page);
    await conflicts.getByText('2 rows changed in the database since you read them').waitFor();
    expect(rows().map(({ name }) => name)).toEqual(['theirs 1', 'theirs 2', 'mine 3']);
    const cells = await conflicts
      .getByRole('listitem', { name: 'Conflict in 1' })
      .getByRole('cell')
      .allTextContents();
    expect(cells.map((text) => text.trim())).toEqual(['Ada', 'theirs 1', 'mine 1']);
    // A third change is a conflict again.
    theirs("UPDATE people SET name = 'third' WHERE id = 1");
    await settle(conflicts.getByRole('button', { name: 'Keep mine in 1', exact: true }));
    await conflicts.getByRole('cell', { name: 'third' }).waitFor();
    expect(rows()[0]).toMatchObject({ name: 'third' });
    await settle(conflicts.getByRole('button', { name: 'Keep mine in 1', exact: true }));
    await conflicts.getByText('1 row changed').waitFor();
    await settle(conflicts.getByRole('button', { name: 'Take theirs in 2', exact: true }));
    await unsaved(page).waitFor({ state: 'detached' });
    expect(rows().map(({ name }) => name)).toEqual(['mine 1', 'theirs 2', 'mine 3']);
  },
);

sharedJourney('all conflicts are settled at once, with undo, and survive a reload', async (given) => {
  const { page } = given;
  const { rows, theirs, type, grid } = await openPeople(given);
  await type(0, 'mine 1');
  await type(1, 'mine 2');
  theirs("UPDATE people SET name = 'theirs ' || id");
  await save(page);
  const conflicts = conflictsIn(page);
  await conflicts.waitFor();
  await page.reload();
  await conflicts.getByText('2 rows changed').waitFor();
  await settle(conflicts.getByRole('button', { name: 'Take theirs in 2 rows' }));
  await conflicts.waitFor({ state: 'detached' });
  await grid.focus();
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByText('2 edited').waitFor();
  await save(page);
  await settle(conflicts.getByRole('button', { name: 'Keep mine in 2 rows' }));
  await unsaved(page).waitFor({ state: 'detached' });
  expect(rows().map(({ name }) => name)).toEqual(['mine 1', 'mine 2', 'theirs 3']);
});

sharedJourney('a deletion of a changed row and an edit of a deleted row are conflicts', async (given) => {
  const { page } = given;
  const { rows, theirs, type, grid } = await openPeople(given);
  await type(1, 'mine');
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('Delete');
  await page.getByText('1 edited, 1 deleted').waitFor();
  theirs("UPDATE people SET town = 'Paris' WHERE id = 1; DELETE FROM people WHERE id = 2");
  await save(page);
  const conflicts = conflictsIn(page);
  await conflicts.getByText('deleted by somebody else').waitFor();
  const cells = await conflicts
    .getByRole('listitem', { name: 'Conflict in 1' })
    .getByRole('cell')
    .allTextContents();
  expect(cells.slice(0, 2)).toEqual(['London', 'Paris']);
  expect(rows().map(({ id }) => Number(id))).toEqual([1, 3]);
  await settle(conflicts.getByRole('button', { name: 'Let it go in 2' }));
  await settle(conflicts.getByRole('button', { name: 'Keep mine in 1', exact: true }));
  await unsaved(page).waitFor({ state: 'detached' });
  expect(rows().map(({ id }) => Number(id))).toEqual([3]);
  await grid.focus();
});

sharedJourney(
  'an edit in the row inspector that meets another change is a conflict, and the inspector shows the choice',
  async (given) => {
    const { page } = given;
    const { rows, theirs, grid } = await openPeople(given);
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    const editTown = async (text: string) => {
      await press(inspector.getByRole('button', { name: 'Edit town' }));
      await inspector.getByRole('textbox', { name: 'Value of town' }).waitFor();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
      await page.keyboard.press('ControlOrMeta+Enter');
      await page.getByText('1 edited').waitFor();
    };
    await page.keyboard.press('Alt+i');
    await inspector.getByRole('heading', { name: 'Ada' }).waitFor();
    await editTown('mine');
    theirs("UPDATE people SET town = 'theirs' WHERE id = 1");
    await save(page);
    const conflicts = conflictsIn(page);
    await conflicts.getByText('1 row changed in the database since you read it').waitFor();
    const cells = await conflicts.getByRole('cell').allTextContents();
    expect(cells.map((text) => text.trim())).toEqual(['London', 'theirs', 'mine']);
    expect(rows()[0]).toMatchObject({ town: 'theirs' });
    await settle(conflicts.getByRole('button', { name: 'Take theirs in 1' }));
    await unsaved(page).waitFor({ state: 'detached' });
    await expect.poll(() => grid.texts('town')).toEqual(['theirs', 'New York', 'Wilmslow']);
    await inspector.getByText('theirs').waitFor();

    await editTown('mine again');
    theirs("UPDATE people SET town = 'theirs again' WHERE id = 1");
    await save(page);
    await settle(conflicts.getByRole('button', { name: 'Keep mine in 1' }));
    await unsaved(page).waitFor({ state: 'detached' });
    expect(rows()[0]).toMatchObject({ town: 'mine again' });
    await inspector.getByText('mine again').waitFor();
  },
);

sharedJourney(
  'a deleted row among the conflicts is let go, and the other rows are kept at once',
  async (given) => {
    const { page } = given;
    const { rows, theirs, type } = await openPeople(given);
    await type(0, 'mine 1');
    await type(1, 'mine 2');
    await type(2, 'mine 3');
    theirs("UPDATE people SET name = 'theirs ' || id; DELETE FROM people WHERE id = 2");
    await save(page);
    const conflicts = conflictsIn(page);
    await conflicts.getByText('3 rows changed in the database').waitFor();
    await settle(conflicts.getByRole('button', { name: 'Keep mine in 2 rows' }));
    await conflicts.getByText('1 row changed in the database').waitFor();
    expect(await conflicts.getByRole('button').allTextContents()).toEqual(['Let it go']);
    await settle(conflicts.getByRole('button', { name: 'Let it go in 2' }));
    await unsaved(page).waitFor({ state: 'detached' });
    expect(rows().map(({ id, name }) => `${id} ${name}`)).toEqual(['1 mine 1', '3 mine 3']);
  },
);
