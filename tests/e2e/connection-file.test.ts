import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { importConnections, type TestApp } from './app.ts';
import { findingsInBothThemes as findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { sharedJourney } from './journey.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Import connections' });

async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+p');
  await page.getByPlaceholder('Table, connection or command').fill(name);
  await choose(page.getByRole('option', { name: new RegExp(`^${name}`) }));
}

async function exported(page: Page): Promise<{ connections: Saved[] }> {
  const [download] = await Promise.all([page.waitForEvent('download'), command(page, 'Export connections')]);
  return JSON.parse(readFileSync(await download.path(), 'utf8'));
}

async function chooseFile(app: TestApp, page: Page, connections: Saved[]): Promise<void> {
  const path = join(app.folder, 'connections.json');
  writeFileSync(path, JSON.stringify({ connections }));
  await dialog(page).getByLabel('File with connections').setInputFiles(path);
}

interface Saved {
  name: string;
  externalClients: string;
  fields: Record<string, unknown>;
}

sharedJourney(
  'connections are exported and imported, and a higher level of External Clients needs a confirmation',
  async ({ app, page }) => {
    await page.getByRole('heading', { name: 'Connections' }).waitFor();
    await command(page, 'Export connections');
    await page.getByText('There is nothing to export').waitFor();

    const file = join(app.folder, 'books.db');
    writeFileSync(file, '');
    await importConnections(app, [{ name: 'Books', driver: 'sqlite', fields: { file } }]);
    await page.getByRole('button', { name: /^Books/ }).waitFor();
    const { connections } = await exported(page);
    expect(connections.map(({ name, fields }) => [name, fields])).toEqual([['Books', { file }]]);

    await command(page, 'Import connections');
    await dialog(page).getByRole('button', { name: 'Choose a file' }).waitFor();
    await chooseFile(app, page, connections);
    const changes = dialog(page).getByRole('list', { name: 'What changes' });
    await changes.getByText('Unchanged').waitFor();
    expect(await findings(page)).toEqual([]);
    const import1 = dialog(page).getByRole('button', { name: /^Import/ });
    expect(await import1.getAttribute('aria-disabled')).toBe('true');

    const [books] = connections;
    await chooseFile(app, page, [
      { ...books!, externalClients: 'readWrite' },
      { ...books!, name: 'More books' },
    ]);
    await changes.getByText('New', { exact: true }).waitFor();
    await changes.getByText('External Clients: readOnly', { exact: true }).waitFor();
    await changes.getByText('Replaces the one that is there').waitFor();
    expect(await import1.getAttribute('aria-disabled')).toBe('true');
    await tabTo(dialog(page).getByRole('checkbox', { name: /^Let AI clients do more/ }));
    await page.keyboard.press('Space');
    await press(dialog(page).getByRole('button', { name: 'Import 2 connections' }));
    await page.getByText('Imported 2 connections').waitFor();
    await page.getByRole('button', { name: /^More books/ }).waitFor();
    const after = await exported(page);
    expect(after.connections.map(({ name, externalClients }) => [name, externalClients])).toEqual([
      ['Books', 'readWrite'],
      ['More books', 'readOnly'],
    ]);
  },
);
