import type { Locator, Page } from 'playwright-core';
import { tabTo, until } from './browser.ts';

/** Goes from the welcome screen to a page of Settings → Integrations. Leaves the focus on its tab. */
export async function openIntegrations(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  await page.keyboard.press('ControlOrMeta+Comma');
  await tabTo(page.getByRole('tab', { name: 'General' }));
  await page.keyboard.press('ArrowDown');
  await tabTo(page.getByRole('tab', { name: 'Server' }));
  await moveToTab(page, name);
}

/** Goes from the welcome screen to a page of Settings. Returns that page. */
export async function openSettings(page: Page, name: string): Promise<Locator> {
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  await page.keyboard.press('ControlOrMeta+Comma');
  await tabTo(page.getByRole('tab', { name: 'General' }));
  const wanted = page.getByRole('tab', { name, exact: true, selected: true });
  const tabs = page.getByRole('tablist').first();
  const selected = tabs.getByRole('tab', { selected: true });
  for (let presses = 0; presses < 8 && !(await wanted.isVisible()); presses++) {
    const before = await selected.textContent();
    await page.keyboard.press('ArrowDown');
    await until(tabs, 'another tab is selected', async () => (await selected.textContent()) !== before);
  }
  return page.getByRole('region', { name });
}

/** Selects a tab of Integrations with the right arrow key. The focus must be on a tab of Integrations. */
export async function moveToTab(page: Page, name: string): Promise<void> {
  const tabs = page.getByRole('tablist').filter({ has: page.getByRole('tab', { name: 'Server' }) });
  const wanted = tabs.getByRole('tab', { name, exact: true, selected: true });
  const selected = tabs.getByRole('tab', { selected: true });
  for (let presses = 0; presses < 5 && !(await wanted.isVisible()); presses++) {
    const before = await selected.textContent();
    await page.keyboard.press('ArrowRight');
    await until(tabs, 'another tab is selected', async () => (await selected.textContent()) !== before);
  }
  await wanted.waitFor();
}
