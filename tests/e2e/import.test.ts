import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startHttpProxy } from '../faults/http-proxy.ts';
import type { TestApp } from './app.ts';
import { choose, press } from './browser.ts';
import { journey, openTable, refusedRequest } from './journey.ts';
import { openCluster, useWeaviate, weaviateJourney } from './weaviate-journey.ts';

const weaviate = useWeaviate();
const rows = 10_000;

function write(app: TestApp, name: string, lines: string[]): string {
  const path = join(app.folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

async function openMissions(page: Page): Promise<void> {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
  await openTable(page, 'Mission');
}

async function chooseFile(page: Page, path: string): Promise<void> {
  await press(page.getByRole('button', { name: 'Import…' }));
  await page.getByRole('button', { name: 'Choose file…' }).waitFor();
  await page.getByLabel('File to import').setInputFiles(path);
}

const dialog = (page: Page) => page.getByRole('dialog');
const importButton = (page: Page) => dialog(page).getByRole('button', { name: /^Import \d/ });

journey(
  'an import of 10,000 CSV rows maps columns, reports a failed row, and can try that row again',
  async ({ app, page }) => {
    await openMissions(page);
    const lines = Array.from(
      { length: rows },
      (_, row) => `Test ${row},${row % 9},${row === 6 ? 'soon' : row},x`,
    );
    await chooseFile(page, write(app, 'missions.csv', ['Name,crew,year,more', ...lines]));

    await dialog(page).getByText('10,000 rows, CSV').waitFor();
    const target = (column: string) => page.getByRole('combobox', { name: `Column for ${column}` });
    await expect.poll(() => target('Name').textContent()).toBe('name');
    await expect.poll(() => target('more').textContent()).toBe('Leave out');
    await expect.poll(() => target('year').textContent()).toBe('Leave out');
    await press(target('year'));
    await choose(page.getByRole('option', { name: /^crewSize/ }));
    await dialog(page).getByText('1 of 10,000').waitFor();
    await dialog(page).getByText('9,999 fit').waitFor();

    await press(importButton(page));
    await dialog(page).getByText('9,999 stored, 1 failed of 10,000 rows').waitFor();
    await dialog(page).getByText('Line 8').waitFor();

    const download = page.waitForEvent('download');
    await press(page.getByRole('button', { name: 'Save failed rows…' }));
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('missions-failed.csv');
    expect(readFileSync(await saved.path(), 'utf8')).toContain('Test 6,6,soon,x');

    await press(page.getByRole('button', { name: 'Try these again' }));
    await dialog(page).getByText('1 row, CSV').waitFor();
    await press(target('year'), { back: true });
    await page.keyboard.press('Home');
    await choose(page.getByRole('option', { name: 'Leave out' }));
    await press(importButton(page));
    await dialog(page).getByText('1 stored of 1 row in').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
  },
  { timeoutMs: 480_000 },
);

journey(
  'an import that is cancelled and run again duplicates nothing',
  async ({ app, page }) => {
    await openMissions(page);
    const lines = Array.from({ length: rows }, (_, row) => JSON.stringify({ name: `Test ${row}` }));
    const file = write(app, 'missions.jsonl', lines);
    await chooseFile(page, file);
    await press(importButton(page));
    await dialog(page)
      .getByText(/^[1-9][\d,]* of 10,000 rows/)
      .waitFor();
    await press(page.getByRole('button', { name: 'Cancel import' }));
    await dialog(page).getByText('The import was cancelled.').waitFor();
    const told = await dialog(page)
      .getByText(/stored.*of 10,000 rows in/)
      .textContent();
    const stored = Number(/([\d,]+) stored/.exec(told!)![1]!.replaceAll(',', ''));
    expect(stored).toBeGreaterThan(0);

    await press(page.getByRole('button', { name: 'Another file…' }));
    await page.getByLabel('File to import').setInputFiles(file);
    await press(importButton(page));
    const missing = (rows - stored).toLocaleString('en');
    const existing = stored.toLocaleString('en');
    await dialog(page).getByText(`${missing} stored, ${existing} exist already of 10,000 rows`).waitFor();
  },
  { timeoutMs: 480_000 },
);

weaviateJourney(
  'a real server goes away during an import; importing the same file again stores the remaining rows',
  async (at) => {
    const { app, page } = at;
    const proxy = await startHttpProxy(weaviate.port);
    try {
      await weaviate.rest('POST', '/schema', {
        class: 'Imported',
        vectorizer: 'none',
        properties: [{ name: 'title', dataType: ['text'] }],
      });
      await openCluster(at, proxy.port);
      await openTable(page, 'Imported');
      let batches = 0;
      proxy.decide = ({ method, path }) => {
        if (method === 'POST' && path === '/v1/batch/objects') batches++;
        return batches > 3 ? 'reset' : 'pass';
      };
      const lines = Array.from({ length: rows }, (_, row) => JSON.stringify({ title: `Test ${row}` }));
      const file = write(app, 'rows.jsonl', lines);
      await chooseFile(page, file);
      await press(importButton(page));
      await dialog(page).getByText('The import stopped.').waitFor();
      proxy.decide = () => 'pass';
      await press(page.getByRole('button', { name: 'Another file…' }));
      await page.getByLabel('File to import').setInputFiles(file);
      await press(importButton(page));
      await dialog(page).getByText('The import is done.').waitFor();
      const { objects } = await weaviate.rest('GET', '/objects?class=Imported&limit=10000');
      expect(new Set(objects.map(({ properties }) => properties.title)).size).toBe(rows);
      expect(objects).toHaveLength(rows);
    } finally {
      await proxy.close();
    }
  },
  { allow: refusedRequest },
);
