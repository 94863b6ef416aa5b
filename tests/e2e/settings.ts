import type { Page } from 'playwright-core';
import { tabTo } from './browser.ts';

/** From anywhere to a page of Settings → Integrations; leaves the focus on its tab. */
export async function openIntegrations(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name: 'Connections' }).waitFor();
  await page.keyboard.press('ControlOrMeta+Comma');
  await tabTo(page.getByRole('tab', { name: 'General' }));
  await page.keyboard.press('ArrowDown');
  await tabTo(page.getByRole('tab', { name: 'Server' }));
  const wanted = page.getByRole('tab', { name, exact: true, selected: true });
  for (let presses = 0; presses < 5 && !(await wanted.isVisible()); presses++) {
    await page.keyboard.press('ArrowRight');
  }
  await wanted.waitFor();
}
