import { readFileSync } from 'node:fs';
import { parquetReadObjects } from 'hyparquet';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startHttpProxy } from '../faults/http-proxy.ts';
import { findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { holdRequests } from './held-requests.ts';
import { openTable, refusedRequest, sharedJourney } from './journey.ts';
import { openOwnTable } from './own-table.ts';
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

sharedJourney('the selected rows, the page and all rows are exported', async ({ page }) => {
  await openMissions(page);
  const grid = page.getByRole('grid', { name: 'Rows of Mission' });
  await grid.getByRole('row').nth(3).waitFor();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+F10');
  await choose(page.getByRole('menuitem', { name: 'Export 3 rows…' }));
  await expect.poll(() => rowsChoice(page).textContent()).toBe('Selected rows (3)');
  expect(await findings(page)).toEqual([]);
  await pick(page, 'Format', /^JSON lines/);
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
  // The first three rows in the file are those that were selected before, in the order of the page.
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

sharedJourney(
  'a second export cannot start until the first ends, and the map also shows the progress of the first',
  async ({ page }) => {
    await openMissions(page);
    const progress = await holdRequests(page, '**/api/jobs.get*');
    try {
      progress.hold();
      await press(page.getByRole('button', { name: 'Export…' }));
      await save(page);
      await expect.poll(() => progress.held).toBeGreaterThan(0);
      await page.getByText(/^Exporting/).waitFor();

      await press(page.getByRole('button', { name: 'Export…' }));
      const again = dialog(page).getByRole('button', { name: 'Export', exact: true });
      await dialog(page).getByText('Another export of this tab is running.').waitFor();
      await expect.poll(() => again.getAttribute('aria-disabled')).toBe('true');
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });

      await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
      await page.getByText('170 points').waitFor();
      await page.getByText(/^Exporting/).waitFor();
      progress.release();
      await page.getByText('Exported 170 rows').waitFor();
      await press(page.getByRole('button', { name: 'Rows', exact: true }), { back: true });
      await press(page.getByRole('button', { name: 'Export…' }));
      await save(page);
      await page.getByText('Exported 170 rows').waitFor();
    } finally {
      await progress.end();
    }
  },
);

sharedJourney(
  'a typed date filters the rows; the matching rows are exported, also after a reload that keeps the filter',
  async (at) => {
    const { page } = at;
    const { grid } = await openOwnTable(at, 'visits', (db) => {
      db.exec(`CREATE TABLE visits (id INTEGER PRIMARY KEY, day DATE);
        INSERT INTO visits (day) VALUES ('2024-02-28'), ('2024-02-29'), (NULL), ('2024-03-01'), ('2025-03-01')`);
    });
    await page.keyboard.press('ControlOrMeta+Shift+f');
    await tabTo(page.getByLabel('Column of filter 1'), { back: true });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('day');
    await choose(page.getByRole('option', { name: /^day/ }));
    await tabTo(page.getByLabel('Operator of filter 1'));
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'greater or equal', exact: true }).waitFor();
    await page.keyboard.press('Home');
    await choose(page.getByRole('option', { name: 'greater or equal', exact: true }));
    await tabTo(page.getByLabel('Value of filter 1'));
    await page.keyboard.type('2024-02-29');
    await page.keyboard.press('Enter');
    await page.getByText('1–3 of 3').waitFor();
    expect(await grid.texts('id')).toEqual(['2', '4', '5']);

    const matching = 'id,day\r\n2,2024-02-29\r\n4,2024-03-01\r\n5,2025-03-01\r\n';
    const exported = async () => {
      await press(page.getByRole('button', { name: 'Export…' }));
      await expect.poll(() => rowsChoice(page).textContent()).toBe('Rows that match the filter');
      const { bytes } = await save(page);
      await page.getByText('Exported 3 rows').waitFor();
      return bytes.toString();
    };
    expect(await exported()).toBe(matching);
    await page.reload();
    await page.getByRole('button', { name: 'Edit filter 1: day ≥ 2024-02-29' }).waitFor();
    await page.getByText('1–3 of 3').waitFor();
    await grid.focus();
    expect(await exported()).toBe(matching);
  },
);

sharedWeaviateJourney(
  'if the server goes away during an export, Try again exports all rows',
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
      await failure.getByText(/^The export failed/).waitFor();
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

sharedJourney(
  'values that a format cannot carry are named with column and count, and nothing is written before the user agrees',
  async (given) => {
    const { page } = given;
    await openOwnTable(given, 'readings', (db) =>
      db.exec(`CREATE TABLE readings (id INTEGER PRIMARY KEY, value, note TEXT);
        INSERT INTO readings VALUES (1, 5, 'a'), (2, '5', 'b'), (3, 5.0, x'00ff'), (4, 'warm', 'd');`),
    );
    let downloads = 0;
    const count = () => downloads++;
    page.on('download', count);
    const anyway = page.getByRole('button', { name: 'Export anyway' });
    const ask = async () => {
      await press(page.getByRole('button', { name: 'Export…' }));
      await pick(page, 'Format', /^CSV/);
      await press(dialog(page).getByRole('button', { name: 'Export', exact: true }));
      await anyway.waitFor();
    };
    await ask();
    await page.getByText('2 values of the column value exactly (1 text, 1 floating-point number).').waitFor();
    await page.getByText('1 value of the column note exactly (1 binary value).').waitFor();
    // The button in the toolbar shows its tooltip while it has the focus.
    await anyway.focus();
    await page.getByText('Export…', { exact: true }).waitFor({ state: 'detached' });
    expect(await findings(page)).toEqual([]);
    await press(page.getByRole('button', { name: 'Cancel', exact: true }));
    await anyway.waitFor({ state: 'detached' });
    await ask();
    expect(downloads).toBe(0);
    const [download] = await Promise.all([page.waitForEvent('download'), press(anyway)]);
    expect(readFileSync(await download.path(), 'utf8')).toContain('3,5,AP8=\r\n');
    await page.getByText('Exported 4 rows').waitFor();
    page.off('download', count);

    await press(page.getByRole('button', { name: 'Export…' }));
    await pick(page, 'Format', /^JSON lines/);
    const lines = (await save(page)).bytes.toString().split('\n');
    expect(lines[2]).toBe('{"id":3,"value":5.0,"note":{"$bytes":"AP8="}}');
  },
);
