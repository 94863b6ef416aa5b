import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findingsInBothThemes as findings } from './axe.ts';
import { choose, press, tabTo, until } from './browser.ts';
import { addFilter } from './filter.ts';
import { gridOf } from './grid.ts';
import { refusedRequest, sharedJourney } from './journey.ts';
import { openMissions } from './missions.ts';

async function openMissionMap(page: Page): Promise<void> {
  await openMissions(page);
  await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
  await page.getByText('170 points').waitFor();
}

sharedJourney(
  'the map shows all rows, marks the results of a search, and opens a row with its neighbours',
  async ({ page }) => {
    await openMissionMap(page);
    const map = page.getByRole('application', { name: /^Map of 170 rows of Mission/ });
    await map.waitFor();
    expect(await findings(page)).toEqual([]);

    // Choosing a property gives the points more colours.
    const colours = () =>
      map.locator('canvas').evaluate((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement;
        const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
        return new Set(new Uint32Array(data.buffer)).size;
      });
    await expect.poll(colours).toBeGreaterThan(3);
    const before = await colours();
    await press(page.getByRole('combobox', { name: 'Colour by' }), { back: true });
    await choose(page.getByRole('option', { name: 'Colour: crewed' }));
    const crewed = page.getByRole('button', { name: /^true/ });
    await crewed.waitFor();
    await expect.poll(colours).toBeGreaterThan(before);
    await press(crewed);
    expect(await crewed.getAttribute('aria-pressed')).toBe('false');

    await tabTo(page.getByRole('textbox', { name: 'Search by meaning' }), { back: true });
    await page.keyboard.type('looking for planets around other stars');
    await page.keyboard.press('Enter');
    await map.getByText('your query').waitFor();
    expect(await map.locator('circle').count()).toBe(12);
    const disc = (await map.locator('circle').first().boundingBox())!;
    await page.mouse.click(disc.x + disc.width / 2, disc.y + disc.height / 2);
    const card = page.getByRole('region', { name: /^Row (?!as JSON)/ });
    // The inspector next to the map shows the row and its neighbours.
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    const nearest = inspector.getByRole('list', { name: 'Nearest rows' }).getByRole('button');
    await nearest.nth(7).waitFor();
    expect(await page.getByRole('list', { name: 'Nearest rows' }).count()).toBe(1);
    await expect.poll(() => map.locator('line').count()).toBeGreaterThan(6);
    await inspector.getByText(/\d+ dimensions/).waitFor();

    // The card fits into the margin of 48 px around the points.
    const [stage, line] = [(await map.boundingBox())!, (await card.boundingBox())!];
    expect(line.y + line.height - stage.y).toBeLessThan(48);

    const saved = page.waitForEvent('download');
    await press(page.getByRole('button', { name: 'Save the picture' }), { back: true });
    const picture = readFileSync(await (await saved).path()).toString('base64');
    const compared = await map.evaluate(comparePicture, picture);
    expect(compared.lines).toBeGreaterThan(6);
    expect(compared.drawnLines).toBe(compared.lines);
    expect(compared.query).toEqual(compared.fill);
    expect(compared.dot).toEqual(compared.dotColour);

    const first = await card.getByRole('heading').textContent();
    await press(nearest.first());
    await expect.poll(() => card.getByRole('heading').textContent()).not.toBe(first);
    await press(card.getByRole('button', { name: 'Close' }), { back: true });
    await inspector.waitFor({ state: 'detached' });
    const search = page.getByRole('textbox', { name: 'Search by meaning' });
    await page.keyboard.press('ControlOrMeta+k');
    await until(search, 'it has the focus', () => search.evaluate((box) => box === document.activeElement));
    await page.keyboard.press('Escape');
    await map.getByText('your query').waitFor({ state: 'detached' });

    // A key zooms the map.
    await tabTo(map);
    const drawn = () => map.locator('canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
    const still = await drawn();
    await page.keyboard.press('+');
    await expect.poll(drawn).not.toBe(still);
    await page.keyboard.press('0');

    await press(page.getByRole('button', { name: 'Select a rectangle' }));
    const box = (await map.boundingBox())!;
    await page.mouse.move(box.x + 2, box.y + 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + box.height - 2, { steps: 4 });
    await page.mouse.up();
    const selected = page.getByRole('toolbar', { name: 'Selected rows' });
    await selected.getByText(/^\d+ rows$/).waitFor();
    const count = Number.parseInt((await selected.getByText(/^\d+ rows$/).textContent()) ?? '', 10);
    expect(count).toBeGreaterThan(20);
    await press(selected.getByRole('button', { name: 'Export…' }));
    const file = page.waitForEvent('download');
    await press(page.getByRole('dialog', { name: 'Export Mission' }).getByRole('button', { name: 'Export' }));
    const lines = readFileSync(await (await file).path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(count + 1);
    await press(selected.getByRole('button', { name: 'Open as grid' }));
    const grid = gridOf(page, 'Rows of Mission');
    await expect.poll(async () => (await grid.texts('name')).length).toBeGreaterThan(10);
    await page.getByText(`of ${count}`).waitFor();
    await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
    await page.getByRole('combobox', { name: 'Colour by' }).getByText('Colour: crewed').waitFor();
  },
  // The browser logs the second message because this test reads pixels of the canvas.
  { allow: /The mouse was used|Multiple readback operations/ },
);

sharedJourney(
  'a map that failed has no tools, search or colours, and Try again brings them',
  async ({ page }) => {
    await openMissions(page);
    const message = 'The server is gone';
    await page.route('**/data/rows', (route) =>
      route.fulfill({ status: 422, json: { error: { code: 'query_failed', message } } }),
    );
    await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
    const failure = page.getByRole('alert').filter({ hasText: message });
    await failure.waitFor();
    const tools = page.getByRole('toolbar', { name: 'Map' });
    const search = page.getByRole('textbox', { name: 'Search by meaning' });
    const colours = page.getByRole('combobox', { name: 'Colour by' });
    for (const part of [tools, search, colours]) expect(await part.count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await page.unroute('**/data/rows');
    await press(failure.getByRole('button', { name: 'Try again' }));
    await page.getByText('170 points').waitFor();
    for (const part of [tools, search, colours]) await part.waitFor();
  },
  { allow: refusedRequest },
);

sharedJourney(
  'if the rows of a new filter cannot be counted, the earlier map does not stay',
  async ({ page }) => {
    await openMissionMap(page);
    await page.route('**/tables.count*', (route) => route.fulfill({ status: 422, json: {} }));
    await addFilter(page, 'name', 'Apollo', 1);
    await page.getByRole('alert').waitFor();
    await page.getByText('170 points').waitFor({ state: 'detached' });
    await page.unroute('**/tables.count*');
  },
  { allow: refusedRequest },
);

/**
 * Looks in a saved PNG for the map's lines, the query's diamond and a dot of the legend. The canvas has no lines, so a
 * line is in the PNG if the PNG and the canvas differ at the middle of the line.
 */
async function comparePicture(map: Element, png: string) {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const points = map.querySelector('canvas')!;
  const picture = document.createElement('canvas');
  picture.width = points.width;
  picture.height = points.height;
  picture.getContext('2d')!.drawImage(image, 0, 0);
  const frame = points.getBoundingClientRect();
  const pixel = (canvas: HTMLCanvasElement, part: Element) => {
    const box = part.getBoundingClientRect();
    const x = ((box.x + box.width / 2 - frame.x) * points.width) / frame.width;
    const y = ((box.y + box.height / 2 - frame.y) * points.height) / frame.height;
    return [...canvas.getContext('2d')!.getImageData(Math.floor(x), Math.floor(y), 1, 1).data].slice(0, 3);
  };
  const lines = [...map.querySelectorAll('line')];
  const diamond = map.querySelector('rect')!;
  const dot = document.querySelector('[data-legend] button[aria-pressed=true] > span')!;
  return {
    lines: lines.length,
    drawnLines: lines.filter((line) => `${pixel(picture, line)}` !== `${pixel(points, line)}`).length,
    query: pixel(picture, diamond),
    fill: getComputedStyle(diamond).fill.match(/\d+/g)!.map(Number),
    dot: pixel(picture, dot),
    dotColour: getComputedStyle(dot).backgroundColor.match(/\d+/g)!.map(Number),
  };
}
