import { expect } from 'vitest';
import { press, tabTo } from './browser.ts';
import { journey, refusedRequest } from './journey.ts';
import { openSettings } from './settings.ts';

const installed = async (app: { json(...args: string[]): Promise<unknown> }) =>
  ((await app.json('plugins', 'list')) as { id: string }[]).map(({ id }) => id);

journey('a new connection offers the download of its driver before the form opens', async ({ page, app }) => {
  await press(page.getByRole('button', { name: 'New connection' }), { back: true });
  const dialog = page.getByRole('dialog', { name: 'New connection' });
  // Weaviate is first in the list.
  await expect
    .poll(() => dialog.getByRole('listitem').first().textContent())
    .toMatch(/^Weaviate.*Download \d+ kB$/);
  await press(dialog.getByRole('button', { name: /^Weaviate/ }));
  await dialog.getByText('is not part of Trestle').waitFor();
  expect(await installed(app)).toEqual(['sqlite']);
  await press(dialog.getByRole('button', { name: 'Back' }), { back: true });
  await press(dialog.getByRole('button', { name: /^Weaviate/ }));
  await press(dialog.getByRole('button', { name: 'Download' }));
  await dialog.getByRole('textbox', { name: 'Host' }).waitFor();
  expect(await installed(app)).toEqual(['sqlite', 'weaviate']);
});

journey('a driver is installed and removed in Settings', async ({ page, app }) => {
  const settings = await openSettings(page, 'Plugins');
  const weaviate = settings.getByRole('listitem').filter({ hasText: 'Weaviate' });
  await press(weaviate.getByRole('button', { name: 'Install' }));
  await weaviate.getByRole('button', { name: 'Remove…' }).waitFor();
  await settings.getByText('Every driver of the registry is installed').waitFor();
  expect(await installed(app)).toEqual(['sqlite', 'weaviate']);
  await press(weaviate.getByRole('button', { name: 'Remove…' }));
  const question = page.getByRole('alertdialog', { name: 'Remove the driver Weaviate?' });
  await press(question.getByRole('button', { name: 'Remove driver' }));
  await weaviate.getByRole('button', { name: 'Install' }).waitFor();
  expect(await installed(app)).toEqual(['sqlite']);
});

journey(
  'an invalid registry address is reported while the current registry cannot be read',
  async ({ page }) => {
    const settings = await openSettings(page, 'Plugins');
    const address = settings.getByRole('textbox', { name: 'Another registry' });
    const use = async (text: string) => {
      await tabTo(address);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await use('http://127.0.0.1:9/');
    await settings.getByRole('alert').filter({ hasText: 'cannot be read' }).waitFor();
    await expect.poll(() => address.inputValue()).toBe('');
    await use('nowhere');
    await settings.getByRole('alert').filter({ hasText: '"nowhere" is not an address' }).waitFor();
    expect(await address.inputValue()).toBe('nowhere');
  },
  { allow: refusedRequest },
);
