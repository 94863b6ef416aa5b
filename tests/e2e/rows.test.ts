import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose, press, tabTo } from './browser.ts';
import { gridOf } from './grid.ts';
import { openSample, openTable, sharedJourney } from './journey.ts';
import { openCluster, sharedWeaviateJourney, useWeaviate } from './weaviate-journey.ts';

const weaviate = useWeaviate();

async function openMissions(page: Page) {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
  await openTable(page, 'Mission');
  return gridOf(page, 'Rows of Mission');
}

async function chooseKind(page: Page, kind: string): Promise<void> {
  await tabTo(page.getByRole('combobox', { name: 'Kind of search' }), { back: true });
  await page.keyboard.press('Enter');
  const option = page.getByRole('option', { name: kind, exact: true });
  await option.waitFor();
  await page.keyboard.press('Home');
  await choose(option);
  await page.keyboard.press('ControlOrMeta+k');
}

sharedJourney(
  'a new row says that it gets a new uuid, and a date without a time becomes midnight UTC',
  async ({ page }) => {
    const grid = await openMissions(page);
    await grid.focus();
    await page.keyboard.press('ControlOrMeta+i');
    await expect.poll(grid.rowHeaders).toContain('New row');
    await expect.poll(async () => (await grid.texts('uuid'))[0]).toBe('a new uuid');
    await expect.poll(async () => (await grid.texts('name'))[0]).toBe('NULL');
    expect(await page.getByText('DEFAULT').count()).toBe(0);

    // In a new row, the cursor starts at the name. The launch date is three cells to the right.
    for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
    await page.keyboard.type('1969-07-16');
    await page.getByText('1969-07-16T00:00:00Z, midnight UTC').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await grid.texts('launched'))[0]).toBe('1969-07-16T00:00:00Z');
  },
);

sharedJourney('the pinned key column takes no more than a third of the grid’s width', async ({ page }) => {
  const grid = await openMissions(page);
  const share = () =>
    grid.header('uuid').evaluate((header) => {
      const frame = header.closest('[data-grid-frame]')!;
      return header.getBoundingClientRect().width / frame.getBoundingClientRect().width;
    });
  for (const width of [1280, 1024, 860]) {
    await page.setViewportSize({ width, height: 640 });
    await expect.poll(share).toBeLessThanOrEqual(1 / 3);
  }
});

sharedJourney('right-to-left text that does not fit ends with “…”', async ({ page }) => {
  await openSample(page);
  await openTable(page, 'planets');
  const grid = gridOf(page, 'Rows of planets');
  await grid.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText('כוכב לכת שמימי גדול מאוד ורחוק מאוד מן השמש');
  await page.keyboard.press('Enter');
  await page.getByText('1 edited').waitFor();
  const cell = page.locator('[role=gridcell]').filter({ hasText: 'כוכב' });
  await expect.poll(() => cell.getAttribute('dir')).toBe('rtl');
  await expect.poll(() => cell.textContent()).toMatch(/…$/);
});

sharedJourney(
  'a double click on the edge of a column makes the column wide enough for its values',
  async ({ page }) => {
    await openSample(page);
    await openTable(page, 'space_missions');
    const grid = gridOf(page, 'Rows of space_missions');
    await expect.poll(async () => (await grid.texts('name')).length).toBeGreaterThan(0);
    const header = grid.header('destination');
    const width = () => header.evaluate((element) => element.getBoundingClientRect().width);
    const box = (await header.boundingBox())!;
    const edge = box.x + box.width;
    await page.mouse.move(edge, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(edge - 60, box.y + 10);
    await page.mouse.up();
    await expect.poll(width).toBeLessThan(box.width);
    const narrow = await width();
    await page.mouse.dblclick(edge - 60, box.y + 10);
    await expect.poll(width).toBeGreaterThan(narrow);
    expect((await grid.texts('destination')).filter((text) => text.endsWith('…'))).toEqual([]);
  },
  { allow: /The mouse was used/ },
);

sharedJourney('the search uses the alpha that the slider shows', async ({ page }) => {
  await openMissions(page);
  await chooseKind(page, 'Hybrid');
  await page.keyboard.type('moon rocket');
  await page.keyboard.press('Enter');
  const note = page.getByRole('status').filter({ hasText: /^Search results/ });
  await note.filter({ hasText: 'alpha 0.75' }).waitFor();
  await tabTo(page.getByRole('slider', { name: 'Weight of the vector' }));
  await page.keyboard.press('ArrowLeft');
  await note.filter({ hasText: 'alpha 0.70' }).waitFor();
  await page.getByRole('search').getByText('α 0.70').waitFor();
});

sharedWeaviateJourney('a hybrid search asks for a vector if no module makes it from the text', async (at) => {
  const { page } = at;
  const text = { name: 'title', dataType: ['text'] };
  await weaviate.rest('POST', '/schema', { class: 'Brought', vectorizer: 'none', properties: [text] });
  for (const [index, title] of ['red apple', 'green pear'].entries()) {
    await weaviate.rest('POST', '/objects', {
      class: 'Brought',
      properties: { title },
      vector: index === 0 ? [1, 0] : [0, 1],
    });
  }
  await openCluster(at, weaviate.port);
  await openTable(page, 'Brought');
  const grid = gridOf(page, 'Rows of Brought');
  await chooseKind(page, 'Hybrid');
  await page.keyboard.type('apple');
  await page.keyboard.press('Enter');
  await page.getByText('Expected a JSON array of numbers').waitFor();
  await tabTo(page.getByRole('textbox', { name: 'Vector of the search' }));
  await page.keyboard.type('[0, 1]');
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Search results for “apple”' }).waitFor();
  // The vector has a weight of three quarters, the words one quarter.
  await expect.poll(() => grid.texts('title')).toEqual(['green pear', 'red apple']);
});
