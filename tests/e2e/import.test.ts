import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type ProxiedRequest, startHttpProxy } from '../faults/http-proxy.ts';
import type { TestApp } from './app.ts';
import { choose, press } from './browser.ts';
import { journey, openTable, refusedRequest } from './journey.ts';
import { openCluster, useWeaviate, weaviateJourney } from './weaviate-journey.ts';

const weaviate = useWeaviate();

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
  'an import of CSV maps columns, reports a failed row, and can try that row again',
  async ({ app, page }) => {
    await openMissions(page);
    const lines = Array.from(
      { length: 500 },
      (_, row) => `Test ${row},${row % 9},${row === 6 ? 'soon' : row},x`,
    );
    await chooseFile(page, write(app, 'missions.csv', ['Name,crew,year,more', ...lines]));

    await dialog(page).getByText('500 rows, CSV').waitFor();
    const target = (column: string) => page.getByRole('combobox', { name: `Column for ${column}` });
    await expect.poll(() => target('Name').textContent()).toBe('name');
    await expect.poll(() => target('more').textContent()).toBe('Leave out');
    await expect.poll(() => target('year').textContent()).toBe('Leave out');
    await press(target('year'));
    await choose(page.getByRole('option', { name: /^crewSize/ }));
    await dialog(page).getByText('1 of 500').waitFor();
    await dialog(page).getByText('499 fit').waitFor();

    await press(importButton(page));
    await dialog(page).getByText('499 stored, 1 failed of 500 rows').waitFor();
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

    // The failed rows of the first import are still there, until its job is dismissed.
    await press(page.getByRole('button', { name: 'Jobs, 1 not done' }));
    const jobs = page.getByRole('list', { name: 'Jobs' });
    const again = page.waitForEvent('download');
    await press(jobs.getByRole('button', { name: 'Save failed rows…' }));
    expect(readFileSync(await (await again).path(), 'utf8')).toContain('Test 6,6,soon,x');
    await page.keyboard.press('Escape');
  },
);

weaviateJourney(
  'an import that stops with the server or is cancelled can be run again, and duplicates nothing',
  async (at) => {
    const { app, page } = at;
    // While three batches are stored, many rows are not sent yet.
    const rows = 2000;
    const proxy = await startHttpProxy(weaviate.port);
    const isWrite = ({ method, path }: ProxiedRequest) => method === 'POST' && path === '/v1/batch/objects';
    const stored = async () => {
      const { objects } = await weaviate.rest('GET', '/objects?class=Imported&limit=10000');
      return objects.map(({ properties }) => properties.title);
    };
    try {
      await weaviate.rest('POST', '/schema', {
        class: 'Imported',
        vectorizer: 'none',
        properties: [{ name: 'title', dataType: ['text'] }],
      });
      await openCluster(at, proxy.port);
      await openTable(page, 'Imported');
      const lines = Array.from({ length: rows }, (_, row) => JSON.stringify({ title: `Test ${row}` }));
      const file = write(app, 'rows.jsonl', lines);
      let batches = 0;
      proxy.decide = (request) => (isWrite(request) && ++batches > 1 ? 'reset' : 'pass');
      await chooseFile(page, file);
      await press(importButton(page));
      await dialog(page).getByText('The import stopped.').waitFor();

      const before = (await stored()).length;
      expect(before).toBeGreaterThan(0);
      const { promise: cancelled, resolve: release } = Promise.withResolvers<void>();
      batches = 0;
      proxy.decide = async (request) => {
        // The first batch of the import may need two requests, and counts when both have been answered.
        if (isWrite(request) && ++batches > 2) await cancelled;
        return 'pass' as const;
      };
      await importAgain(page, file);
      await dialog(page)
        .getByText(/^[1-9][\d,]* of 2,000 rows/)
        .waitFor();
      // The dialog leads to the list of jobs, and the list leads back.
      await press(page.getByRole('button', { name: 'Jobs', exact: true }));
      await press(page.getByRole('list', { name: 'Jobs' }).getByRole('button', { name: 'Show' }).first());
      // Without this, the rows may be stored before the app learns of the cancel.
      const heard = page.waitForResponse(/jobs\.cancel/);
      await press(page.getByRole('button', { name: 'Cancel import' }));
      await heard;
      release();
      await dialog(page).getByText('The import was cancelled.').waitFor();

      const existing = (await stored()).length;
      expect(existing).toBeGreaterThan(before);
      expect(existing).toBeLessThan(rows);
      proxy.decide = () => 'pass';
      await importAgain(page, file);
      await dialog(page)
        .getByText(`${inWords(rows - existing)} stored, ${inWords(existing)} exist already of 2,000 rows`)
        .waitFor();
      expect((await stored()).sort()).toEqual(lines.map((line) => JSON.parse(line).title).sort());
    } finally {
      await proxy.close();
    }
  },
  { allow: refusedRequest },
);

const inWords = (count: number) => count.toLocaleString('en');

async function importAgain(page: Page, file: string): Promise<void> {
  await press(page.getByRole('button', { name: 'Another file…' }));
  await page.getByLabel('File to import').setInputFiles(file);
  await press(importButton(page));
}
