import { expect } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { press } from './browser.ts';
import { gridOf } from './grid.ts';
import { openSample, openTable, sharedJourney } from './journey.ts';
import { openMissions } from './missions.ts';

sharedJourney(
  'a listed change shows the old and the new value, links to its row, and can be reverted',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'planets');
    const grid = gridOf(page, 'Rows of planets');
    await grid.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Hermes');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Aphrodite');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await page.keyboard.press('ControlOrMeta+i');
    await expect.poll(grid.rowHeaders).toContain('New row');
    await page.getByText('2 edited, 1 new, 1 deleted').waitFor();

    const list = page.getByRole('dialog', { name: 'Staged changes' });
    const review = () => press(page.getByRole('button', { name: 'Review changes' }));
    await review();
    await list.getByText('Mercury').waitFor();
    const changes = list.getByRole('list', { name: 'Changes of 1', exact: true });
    await expect.poll(() => changes.textContent()).toBe('nameMercuryHermes');
    expect(await findings(page)).toEqual([]);

    await press(list.getByRole('button', { name: 'Undo name of 1', exact: true }));
    await page.getByText('1 edited, 1 new, 1 deleted').waitFor();
    await press(list.getByRole('button', { name: 'Keep 4' }));
    await page.getByText('1 edited, 1 new', { exact: true }).waitFor();
    await press(list.getByRole('button', { name: 'Remove new row' }));
    await expect.poll(grid.rowHeaders).not.toContain('New row');
    await expect.poll(() => grid.texts('name')).toContain('Mercury');

    await press(list.getByRole('button', { name: 'name', exact: true }));
    await list.waitFor({ state: 'detached' });
    await grid.focused();
    await expect.poll(() => grid.active()).toBe('Aphrodite');
    // Each revert is a separate step that Undo takes back.
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(grid.rowHeaders).toContain('New row');
  },
);

sharedJourney(
  'by mouse, on the Weaviate sample: a boolean is listed with its old and its new value',
  async ({ page }) => {
    const grid = await openMissions(page);
    const [uuid] = await grid.texts('uuid');
    for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.getByText('1 edited').waitFor();
    await page.getByRole('button', { name: 'Review changes' }).click();
    const list = page.getByRole('dialog', { name: 'Staged changes' });
    const changes = list.getByRole('list', { name: `Changes of ${uuid}` });
    await changes.getByRole('button', { name: 'crewed', exact: true }).waitFor();
    expect(await changes.getByRole('img').count()).toBe(3);
    expect(await findings(page)).toEqual([]);
    await changes.getByRole('button', { name: `Undo crewed of ${uuid}` }).click();
    await page.getByText('1 edited').waitFor({ state: 'detached' });
  },
  { allow: /The mouse was used/ },
);
