import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { postModern } from '../../packages/mcp-server/src/testing/post.ts';
import { press, tabTo } from './browser.ts';
import { journey, openTable, refusedRequest, sharedJourney } from './journey.ts';

/** How often rows were read for a map, and how often the page asked for a stored map. */
function countRequests(page: Page) {
  const counts = { rows: 0, kept: 0 };
  page.on('request', (request) => {
    if (request.url().endsWith('/data/rows')) counts.rows++;
    if (request.url().endsWith('/data/keptMap')) counts.kept++;
  });
  return counts;
}

journey(
  'after a restart a map is shown without reading rows, says that rows may have changed, and can be drawn again',
  async ({ page, app }) => {
    const counts = countRequests(page);
    const kept = page.waitForResponse(/\/data\/keepMap$/);
    await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
    await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
    await openTable(page, 'Mission');
    await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
    await page.getByText('170 points').waitFor();
    await kept;
    expect(counts.rows).toBe(1);

    await app.stop();
    await app.start();
    await page.goto(await app.createLink());
    await page.getByText('170 points').waitFor();
    await page.getByRole('application', { name: /^Map of 170 rows of Mission/ }).waitFor();
    expect(counts).toEqual({ rows: 1, kept: 2 });

    // A client adds a row through the app. The map stays, and a message says that rows may have changed.
    const { secret } = await app.createToken('Laptop', 'readWrite');
    const { mcpPort } = await app.status();
    const connections = (await app.ask('connections.list')) as { id: string; driver: string }[];
    const sample = connections.find(({ driver }) => driver === 'weaviate')!;
    const call = async (name: string, args: Record<string, unknown>) => {
      const answer = await postModern(
        mcpPort!,
        'tools/call',
        { name, arguments: { connection_id: sample.id, table: 'Mission', ...args } },
        { Authorization: `Bearer ${secret}` },
      );
      return JSON.stringify(answer);
    };
    expect(
      await call('insert_rows', { rows: [{ name: 'Trestle 1', description: 'A table in orbit.' }] }),
    ).not.toContain('isError":true');
    await page.getByText('Rows may have changed since the map was drawn.').waitFor();
    expect(counts.rows).toBe(1);
    const keptAgain = page.waitForResponse(/\/data\/keepMap$/);
    await press(page.getByRole('button', { name: 'Read again' }), { back: true });
    await page.getByText('171 points').waitFor();
    await page.getByText('Rows may have changed since the map was drawn.').waitFor({ state: 'detached' });
    expect(counts.rows).toBe(2);
    await keptAgain;

    // Settings show the space of stored maps and can free it.
    await page.keyboard.press('ControlOrMeta+Comma');
    const storage = page.getByRole('tab', { name: 'Storage' });
    await tabTo(page.getByRole('tab', { name: 'General' }));
    for (
      let presses = 0;
      presses < 8 && (await storage.getAttribute('aria-selected')) !== 'true';
      presses++
    ) {
      await page.keyboard.press('ArrowDown');
    }
    await page.getByText(/^1 map, less than 0.1 MB of 200 MB$/).waitFor();
    await press(page.getByRole('button', { name: 'Remove the vector maps' }));
    await page.getByText(/^0 maps, nothing of 200 MB$/).waitFor();
  },
  // The app stops while the page is connected to it.
  { allow: /ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_|ERR_EMPTY_RESPONSE/ },
);

sharedJourney(
  'by keyboard, the user goes from point to point on the map and opens the row of a point',
  async ({ page }) => {
    await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
    await page.getByRole('button', { name: 'Collection Species', exact: true }).waitFor();
    await openTable(page, 'Species');
    await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
    const map = page.getByRole('application', { name: /^Map of 149 rows of Species/ });
    await map.waitFor();
    await page.getByText('149 points').waitFor();
    await tabTo(map);
    const name = page.getByRole('status');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(() => name.textContent()).toMatch(/\w/);
    const first = await name.textContent();
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(() => name.textContent()).not.toBe(first);
    const second = (await name.textContent()) ?? '';
    const message = 'The server is gone';
    await page.route('**/data/readCells', (route) =>
      route.fulfill({ status: 422, json: { error: { code: 'query_failed', message } } }),
    );
    await page.keyboard.press('Enter');
    const failure = page.getByRole('alert').filter({ hasText: message });
    await failure.getByRole('button', { name: 'Close' }).waitFor();
    await page.unroute('**/data/readCells');
    await press(failure.getByRole('button', { name: 'Retry' }));
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    await inspector.getByRole('heading', { name: second, level: 2 }).waitFor();
    await page.getByRole('region', { name: `Row ${second}` }).waitFor();
    await inspector.getByRole('region', { name: 'Similar rows' }).getByRole('listitem').nth(7).waitFor();
    await page.keyboard.press('Escape');
    await inspector.waitFor({ state: 'detached' });

    // Choosing a group in the list changes the view of the map.
    await press(page.getByRole('button', { name: 'Groups as a list' }));
    const groups = page.getByRole('region', { name: 'Groups of the map' });
    const drawn = () => map.locator('canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
    const whole = await drawn();
    await press(groups.getByRole('button').first());
    await expect.poll(drawn).not.toBe(whole);
  },
  { allow: refusedRequest },
);
