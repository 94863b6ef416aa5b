import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startApp } from './app.ts';
import { browserPath, launchBrowser, needsBrowser, openPage, press } from './browser.ts';

test.skipIf(!browserPath)(
  `a damaged trestle.db is reported in the window until the user dismisses the message${needsBrowser}`,
  async () => {
    const app = await startApp();
    onTestFinished(() => app.close());
    await app.stop();
    writeFileSync(join(app.folder, 'trestle.db'), 'no database '.repeat(1000));
    await app.start();
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const { page, problems } = await openPage(browser, app, { allow: /net::ERR_FAILED/ });
    page.setDefaultTimeout(45_000);
    const banner = page.getByRole('alert').filter({ hasText: 'trestle.db was damaged' });
    await banner.waitFor();
    expect(await banner.innerText()).toMatch(
      /set aside as trestle\.db\.damaged-\w+ in .*stop Trestle and replace trestle\.db with a backup/,
    );
    await page.route('**/app.dismissDamage*', (route) => route.abort(), { times: 1 });
    await press(banner.getByRole('button', { name: 'Dismiss' }));
    await page.getByText('The message was not dismissed').first().waitFor();
    await page.keyboard.press('Enter');
    await banner.waitFor({ state: 'detached' });
    await page.reload();
    await page
      .getByRole('button', { name: /Sample: SQLite/ })
      .first()
      .waitFor();
    expect(await banner.count()).toBe(0);
    expect(problems).toEqual([]);
  },
);
