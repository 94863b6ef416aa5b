import { expect } from 'vitest';
import { gridOf } from './grid.ts';
import { journey, openSample, openTable } from './journey.ts';

journey(
  'says that the app has stopped, and goes on by itself once it is back',
  async ({ page, app, skip }) => {
    await openSample(page);
    await openTable(page, 'planets');
    const before = (await app.json('status')).uiAddress;
    await app.stop();
    const banner = page.getByRole('alert').filter({ hasText: 'Trestle is not answering' });
    await banner.waitFor();
    const grid = gridOf(page, 'Rows of planets');
    await expect.poll(() => grid.texts('name')).toContain('Mars');

    await app.start();
    // The port is a preference: where another program holds it, each start gets a new one.
    if ((await app.json('status')).uiAddress !== before) skip('port 23507 is taken by another program');
    await banner.waitFor({ state: 'detached' });
    await grid.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('Hermes');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('1 edited').waitFor({ state: 'detached' });
    await page.reload();
    await grid.locator.waitFor();
    await expect.poll(() => grid.texts('name')).toContain('Hermes');
  },
  { allow: /net::ERR|Failed to fetch|NetworkError/ },
);
