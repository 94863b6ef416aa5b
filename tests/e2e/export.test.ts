import { readFileSync } from 'node:fs';
import { parquetReadObjects } from 'hyparquet';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startHttpProxy } from '../faults/http-proxy.ts';
import { findings } from './axe.ts';
import { choose, press } from './browser.ts';
import { openTable, refusedRequest, sharedJourney } from './journey.ts';
import { openCluster, sharedWeaviateJourney, useWeaviate } from './weaviate-journey.ts';

const weaviate = useWeaviate();
const dialog = (page: Page) => page.getByRole('dialog');
const rowsChoice = (page: Page) => dialog(page).getByRole('combobox', { name: 'Rows' });

async function openMissions(page: Page): Promise<void> {
  await press(page.getByRole('button', { name: /^Sample: Weaviate/ }));
  await page.getByRole('button', { name: 'Collection Mission', exact: true }).waitFor();
  await openTable(page, 'Mission');
}

async function pick(page: Page, field: string, option: string | RegExp): Promise<void> {
  await press(dialog(page).getByRole('combobox', { name: field }));
  await choose(page.getByRole('option', { name: option }));
}

/** Presses Export and returns the file that the browser saved. */
async function save(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    press(dialog(page).getByRole('button', { name: 'Export', exact: true })),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

sharedJourney('the selected rows, the page, rows that match and all rows are exported', async ({ page }) => {
  await openMissions(page);
  const grid = page.getByRole('grid', { name: 'Rows of Mission' });
  await grid.getByRole('row').nth(3).waitFor();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+F10');
  await choose(page.getByRole('menuitem', { name: 'Export 3 rows…' }));
  await expect.poll(() => rowsChoice(page).textContent()).toBe('Selected rows (3)');
  expect(await findings(page)).toEqual([]);
  await pick(page, 'Format', /^JSON Lines/);
  await press(dialog(page).getByRole('checkbox', { name: 'Include vector' }));
  await page.keyboard.press('Space');
  const selection = await save(page);
  expect(selection.name).toBe('Mission.jsonl');
  const lines = selection.bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { uuid: string; vector: number[] });
  expect(lines).toHaveLength(3);
  expect(lines.every(({ vector }) => vector.length > 10)).toBe(true);
  await page.getByText('Exported 3 rows').waitFor();

  await press(page.getByRole('button', { name: 'Export…' }));
  await pick(page, 'Rows', /^This page \(\d+\)/);
  await pick(page, 'Format', /^CSV/);
  const whole = await save(page);
  // The first three of the page, in its order.
  const written = whole.bytes.toString().split('\r\n');
  expect(written.slice(1, 4).map((line) => line.slice(0, 36))).toEqual(lines.map(({ uuid }) => uuid));
  const count = whole.bytes.toString().trimEnd().split('\r\n').length - 1;
  await page.getByText(`Exported ${count} rows`).waitFor();

  await press(page.getByRole('button', { name: 'Export…' }));
  await pick(page, 'Rows', 'All rows');
  await pick(page, 'Format', /^Parquet/);
  const parquet = await save(page);
  expect(parquet.name).toBe('Mission.parquet');
  const { buffer, byteOffset, length } = parquet.bytes;
  const rows = await parquetReadObjects({
    file: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer,
  });
  expect(rows).toHaveLength(count);
  expect(rows.map(({ uuid }) => uuid)).toContain(lines[0]!.uuid);
});

sharedWeaviateJourney(
  'a server that goes away in the middle of an export; Try again gives the whole file',
  async (at) => {
    const { page } = at;
    const total = 3_500;
    const proxy = await startHttpProxy(weaviate.port);
    try {
      await weaviate.rest('POST', '/schema', {
        class: 'Exported',
        vectorIndexType: 'flat',
        vectorizer: 'none',
        properties: [{ name: 'n', dataType: ['int'] }],
      });
      for (let start = 0; start < total; start += 500) {
        const objects = Array.from({ length: 500 }, (_, step) => ({
          class: 'Exported',
          properties: { n: start + step },
        }));
        await weaviate.rest('POST', '/batch/objects', { objects });
      }
      await openCluster(at, proxy.port);
      await openTable(page, 'Exported');
      await page.getByText('1–200 of 3,500').waitFor();
      proxy.decide = ({ path }) => (/after=[0-9a-f]/.test(path) ? 'reset' : 'pass');
      await press(page.getByRole('button', { name: 'Export…' }));
      await press(dialog(page).getByRole('button', { name: 'Export', exact: true }));
      const failure = page.getByRole('alert').filter({ hasText: 'Connection failed' });
      await failure.waitFor();
      proxy.decide = () => 'pass';
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        press(failure.getByRole('button', { name: 'Try again' }), { back: true }),
      ]);
      await page.getByText('Exported 3,500 rows').waitFor();
      const lines = readFileSync(await download.path(), 'utf8')
        .trimEnd()
        .split('\r\n')
        .slice(1);
      expect(new Set(lines.map((line) => line.split(',')[1])).size).toBe(total);
      expect(lines).toHaveLength(total);
    } finally {
      await proxy.close();
    }
  },
  { allow: refusedRequest },
);
