import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { postModern } from '../../packages/mcp-server/src/testing/post.ts';
import { startApp, type TestApp } from './app.ts';
import { launchBrowser, openPage } from './browser.ts';
import { openIntegrations } from './settings.ts';

/**
 * Takes the screenshots of the README and the docs:
 * `node tests/e2e/screenshots.ts [folder [picture …]]`.
 */
const wanted = process.argv.slice(3);
const folder = process.argv[2] ?? join(import.meta.dirname, '..', '..', 'docs', 'images');

const statement = `SELECT planets.name AS planet, count(*) AS moons, round(max(moons.radius_km)) AS largest
FROM moons
  JOIN planets ON planets.id = moons.planet_id
GROUP BY planets.id
ORDER BY moons DESC;
`;

const pictures: Record<string, { theme: 'light' | 'dark'; draw(page: Page, app: TestApp): Promise<void> }> = {
  connections: { theme: 'light', draw: drawConnections },
  search: { theme: 'light', draw: drawSearch },
  map: { theme: 'light', draw: drawMap },
  compare: { theme: 'light', draw: drawCompare },
  neighbours: { theme: 'dark', draw: drawNeighbours },
  structure: { theme: 'light', draw: drawStructure },
  'table-light': { theme: 'light', draw: drawTable },
  'table-dark': { theme: 'dark', draw: drawTable },
  'connect-client': {
    theme: 'light',
    async draw(page) {
      await openIntegrations(page, 'Connect a Client');
      await page.getByText('mcpServers').waitFor();
      await page.getByText('Creates the file:').waitFor();
    },
  },
  approval: { theme: 'light', draw: drawApproval },
  'editor-dark': {
    theme: 'dark',
    async draw(page) {
      await openSample(page);
      await page.keyboard.press('Alt+n');
      await page.getByRole('textbox', { name: 'Query 1' }).waitFor();
      await page.keyboard.insertText(statement);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ControlOrMeta+Enter');
      await page.getByRole('grid', { name: 'Result' }).waitFor();
      await page.getByRole('button', { name: 'History' }).press('Enter');
      await page.getByRole('complementary', { name: 'History' }).getByRole('listitem').first().waitFor();
    },
  },
};

async function drawConnections(page: Page, app: TestApp): Promise<void> {
  const connection = (name: string, color: string) => ({
    name,
    driver: 'sqlite',
    fields: { file: `/data/${name.toLowerCase()}.db` },
    color,
  });
  const connections = [connection('Library', 'green'), connection('Catalogue', 'blue')];
  const file = join(app.folder, 'import.json');
  writeFileSync(file, JSON.stringify({ connections }));
  await app.json('connections', 'import', file);
  await page.getByRole('button', { name: /^Catalogue/ }).waitFor();
}

/** A search by meaning, which also finds missions without the word. */
async function drawSearch(page: Page): Promise<void> {
  await openCollection(page, 'Mission');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('spacecraft');
  await page.keyboard.press('Enter');
  await page.getByText('Search results for “spacecraft”').waitFor();
}

async function drawMap(page: Page): Promise<void> {
  await openCollection(page, 'Species');
  await page.getByRole('button', { name: 'Map', exact: true }).press('Enter');
  await page.getByText('149 points').waitFor();
  await page.getByRole('combobox', { name: 'Colour by' }).press('Enter');
  await page.getByRole('option', { name: 'Colour: group' }).press('Enter');
  await page.getByRole('textbox', { name: 'Search by meaning' }).fill('hunting in packs');
  await page.getByRole('textbox', { name: 'Search by meaning' }).press('Enter');
  await page.getByText('your query').waitFor();
}

async function drawCompare(page: Page): Promise<void> {
  await openCollection(page, 'Species');
  await page.getByRole('button', { name: 'Compare', exact: true }).press('Enter');
  await page.getByRole('textbox', { name: 'Query to compare' }).fill('birds that cannot fly');
  const hybrid = page.getByRole('list', { name: 'Results of Hybrid 0.75' });
  await page.getByLabel('Metrics of Near text at 8').waitFor();
  await hybrid.locator('li[data-key] > button').nth(1).press('Enter');
  await page.getByRole('region', { name: /^Why / }).waitFor();
}

/** Two missions whose texts say nearly the same. */
async function drawNeighbours(page: Page): Promise<void> {
  await openCollection(page, 'Mission');
  await page.getByRole('button', { name: 'Neighbours', exact: true }).press('Enter');
  await page.getByText('170 of 170 rows compared.').waitFor();
  await page.getByRole('spinbutton', { name: 'Threshold' }).fill('0.28');
  const pairs = page.getByRole('list', { name: 'Pairs of rows' }).getByRole('button');
  await pairs.nth(1).focus();
  const detail = page.getByRole('region', { name: 'What differs' });
  await detail.getByRole('rowheader', { name: 'description' }).waitFor();
}

async function drawStructure(page: Page): Promise<void> {
  await openCollection(page, 'Mission');
  await page.getByRole('button', { name: 'Structure', exact: true }).press('Enter');
  await page.getByText('Keyword ranking').waitFor();
}

async function openCollection(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Sample: Weaviate/ }).press('Enter');
  await page.getByRole('button', { name: `Collection ${name}`, exact: true }).press('Enter');
  await page.getByRole('grid', { name: `Rows of ${name}` }).waitFor();
}

/** A client asks to drop a table, and waits. */
async function drawApproval(page: Page, app: TestApp): Promise<void> {
  await openSample(page);
  const { secret } = await app.createToken('Laptop', 'fullAccess');
  const { mcpPort } = await app.json('status');
  const asked = {
    connection_id: (await app.sample()).id,
    query: 'DROP TABLE moons',
    reason: 'A newer catalogue replaces it',
  };
  const _meta = { 'io.modelcontextprotocol/clientInfo': { name: 'Notebook', version: '3.1' } };
  const params = { name: 'confirm_destructive_operation', arguments: asked, _meta };
  // Nobody answers the question. The call ends when the app stops.
  postModern(mcpPort, 'tools/call', params, { Authorization: `Bearer ${secret}` }).catch(() => {});
  await page.getByRole('alertdialog').waitFor();
}

async function openSample(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Sample: SQLite/ }).press('Enter');
  await page.getByRole('button', { name: 'Table elements' }).waitFor();
}

/** A table with a filter applied and an edit staged. */
async function drawTable(page: Page): Promise<void> {
  await openSample(page);
  await page.getByRole('button', { name: 'Table space_missions' }).press('Enter');
  const grid = page.getByRole('grid', { name: 'Rows of space_missions' });
  await grid.waitFor();
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await page.getByLabel('Column of filter 1').fill('agency');
  await page.getByRole('option', { name: /^agency/ }).click();
  await page.getByLabel('Value of filter 1').fill('NASA');
  await page.getByLabel('Value of filter 1').press('Enter');
  await page.getByRole('button', { name: 'Edit filter 1: agency' }).waitFor();
  await grid.focus();
  for (let right = 0; right < 4; right++) await page.keyboard.press('ArrowRight');
  for (let down = 0; down < 2; down++) await page.keyboard.press('ArrowDown');
  await page.keyboard.type('Venus, in passing');
  await page.keyboard.press('Enter');
  await page.getByText('1 edited').waitFor();
}

async function draw(browser: Browser, app: TestApp, name: string): Promise<void> {
  const { theme, draw: drawOn } = pictures[name]!;
  const { page } = await openPage(browser, app, { colorScheme: theme });
  await drawOn(page, app);
  await showUsualFolders(page, app.folder);
  // Spinners, fades and carets must not be in a picture.
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  await page.context().close();
}

/** Replaces the folders of this run and machine, which mean nothing to a reader. */
async function showUsualFolders(page: Page, own: string): Promise<void> {
  const usual: [string, string][] = [
    [join(own, '.config'), '~/.config'],
    [own, '~/.local/share/trestle'],
    [join(import.meta.dirname, '..', '..'), '/opt/trestle'],
  ];
  await page.evaluate((folders) => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      for (const [from, to] of folders) node.nodeValue = node.nodeValue?.replaceAll(from, to) ?? '';
    }
  }, usual);
}

mkdirSync(folder, { recursive: true });
const browser = await launchBrowser();
try {
  for (const name of wanted.length > 0 ? wanted : Object.keys(pictures)) {
    const app = await startApp();
    try {
      await draw(browser, app, name);
    } finally {
      await app.close();
    }
  }
} finally {
  await browser.close();
}
