import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { press } from './browser.ts';
import { journey } from './journey.ts';
import { openSettings } from './settings.ts';

const root = join(import.meta.dirname, '..', '..');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Copies this build as the edition for phones and tablets. Returns the path of its launcher. */
function mobileBuild(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-mobile-'));
  folders.push(folder);
  mkdirSync(join(folder, 'bin'));
  cpSync(join(root, 'bin', 'trestle'), join(folder, 'bin', 'trestle'));
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const edition = join(folder, 'dist', 'edition.json');
  const content = JSON.parse(readFileSync(edition, 'utf8'));
  writeFileSync(edition, JSON.stringify({ ...content, platform: 'mobile' }));
  return join(folder, 'bin', 'trestle');
}

journey(
  'the edition for phones and tablets lists Weaviate as unavailable, with the reason',
  async ({ page, app }) => {
    const reason = 'Weaviate is made for desktop, not for mobile';
    await press(page.getByRole('button', { name: 'New connection' }), { back: true });
    const dialog = page.getByRole('dialog', { name: 'New connection' });
    const weaviate = dialog.getByRole('button', { name: /^Weaviate/ });
    await expect.poll(() => weaviate.textContent()).toMatch(`Weaviate${reason}`);
    expect(await weaviate.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const settings = await openSettings(page, 'Plugins');
    const row = settings.getByRole('listitem').filter({ hasText: 'Weaviate' });
    await row.getByText(reason).waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    const { code, stderr } = await app.run('plugins', 'install', 'weaviate');
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
  },
  { launcher: mobileBuild },
);
