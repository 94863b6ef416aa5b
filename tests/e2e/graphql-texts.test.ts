import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { press } from './browser.ts';
import { gridOf } from './grid.ts';
import { refusedRequest } from './journey.ts';
import { openCluster, sharedWeaviateJourney, useWeaviate } from './weaviate-journey.ts';

const weaviate = useWeaviate();

const query = `{
  Get {
    Missions(limit: 2, where: {path: ["year"], operator: GreaterThan, valueInt: 1900}, sort: {path: ["year"], order: asc}) {
      title
      year
      _additional { id }
    }
  }
}`;

async function write(page: Page, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Query 1', exact: true });
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

async function convert(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Query 1', exact: true }).focus();
  // The first Escape may only close the completion list.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await press(page.getByRole('button', { name: 'Convert' }), { back: true });
}

sharedWeaviateJourney(
  'without GraphQL, a GraphQL text runs, shows its request, and is converted to code',
  async (journey) => {
    const { page } = journey;
    await openCluster(journey, weaviate.port);
    await page.keyboard.press('Alt+n');
    await write(page, query);
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(() => gridOf(page, 'Missions').texts('title')).toEqual(['Apollo 11', 'Voyager 1']);
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByText('Translated, and sent over Connect').waitFor();

    // In the editor, Tab indents. After Escape, it moves the focus.
    await page.keyboard.press('Escape');
    await press(results.getByRole('button', { name: 'Show request' }));
    const request = page.getByRole('dialog', { name: 'The request' });
    const sent = await request.getByRole('region', { name: 'Connect' }).innerText();
    expect(sent).toMatch(/^POST \/grpc-web\/weaviate\.v1\.Weaviate\/Search\n\{\n/);
    expect(sent).toContain('"valueInt": "1900"');
    await page.keyboard.press('Escape');
    await request.waitFor({ state: 'detached' });

    await convert(page);
    const dialog = page.getByRole('dialog', { name: 'The query, converted' });
    const shown: Record<string, string> = {};
    for (const language of ['Connect', 'Python', 'TypeScript']) {
      await press(dialog.getByRole('button', { name: language, exact: true }));
      shown[language] = await dialog.getByRole('region', { name: language }).innerText();
    }
    expect(shown.Connect).toBe(sent);
    expect(shown.Python).toContain('Filter.by_property("year").greater_than(1900)');
    expect(shown.TypeScript).toContain('collection.filter.byProperty("year").greaterThan(1900)');
    await press(dialog.getByRole('button', { name: /^Copy/ }));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("from 'weaviate-client'");
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // The editor runs the lines that Convert shows.
    await write(page, sent);
    await page.keyboard.press('ControlOrMeta+Enter');
    await results.getByText('Apollo 11').first().waitFor();

    await write(page, query.replace('limit: 2', 'limit: 2, nearText: {concepts: ["moon"]}'));
    await convert(page);
    await dialog.getByText('sort together with a search has no counterpart in Connect').waitFor();
  },
  { permissions: ['clipboard-read', 'clipboard-write'], allow: refusedRequest },
);
