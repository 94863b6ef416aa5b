import type { Page } from 'playwright-core';
import { Agent, request } from 'undici';
import { leaveTableOpen, withBrowser } from './chromium.ts';
import { goals } from './goals.ts';
import { type Benchmark, inTurns, timed } from './measure.ts';
import { startApp, weaviateConnection, withApp, withHome } from './trestle.ts';
import { dimensions, withVectors, withWeaviate } from './weaviate-server.ts';

const { name: table, count } = withVectors;

/** A sorted page of 1,000 rows with vectors in the window, compared with one request for the same data. */
export const paintedPage: Benchmark = {
  name: 'painted-page',
  run: () =>
    withWeaviate((server) =>
      withBrowser((browser) =>
        withHome(async (home) => {
          const id = await weaviateConnection(home, server.port);
          await withApp(home, ({ link }) => leaveTableOpen(link, id, { table, view: { pageSize: count } }));
          const app = await startApp(home);
          const agent = new Agent();
          const page = await browser.newPage({ viewport: { width: 1800, height: 900 } });
          try {
            await page.goto(app.link);
            await page.getByRole('columnheader', { name: /^price(,|$)/ }).waitFor();
            const taken = await inTurns(
              { rounds: 10, warmUp: 2 },
              {
                painted: () => timeToSort(page),
                raw: () => timed(() => askForAll(agent, server.url)),
              },
            );
            return [
              {
                name: 'sorted 1,000-row page painted, vectors shown',
                unit: 'ms',
                subject: taken.painted,
                baseline: taken.raw,
                against: 'raw GraphQL request',
                goal: goals.paintedPage,
              },
            ];
          } finally {
            await page.close();
            await agent.close();
            await app.stop();
          }
        }),
      ),
    ),
};

/** Times an ascending sort. Then clicks the header until the original order is back. */
async function timeToSort(page: Page): Promise<number> {
  const header = page.getByRole('columnheader', { name: /^price(,|$)/ });
  const taken = await timed(async () => {
    await header.click();
    await painted(page, 'Title 0');
  });
  await header.click();
  await painted(page, `Title ${count - 1}`);
  await header.click();
  await page.waitForFunction(
    () =>
      !document.querySelector(
        '[role=columnheader][aria-sort=ascending], [role=columnheader][aria-sort=descending]',
      ),
  );
  return taken;
}

/**
 * Waits until the first row shows the title and numbers of its vector. Then waits for two frames, because the second
 * frame starts after the first was drawn.
 */
async function painted(page: Page, title: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      // A row is drawn in two parts, pinned and scrolling. Both parts have the row's number in `data-line`.
      const first = [...document.querySelectorAll('[data-line="0"] [role=gridcell]')];
      const vector = document.querySelector('[role=columnheader][aria-label^="vector"]');
      const numbers = first.find((cell) => vector && cell.ariaColIndex === vector.ariaColIndex);
      return (
        first.some(({ textContent }) => textContent === wanted) && /\d\.\d/.test(numbers?.textContent ?? '')
      );
    },
    title,
    { polling: 'raf' },
  );
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

async function askForAll(agent: Agent, url: string): Promise<void> {
  const fields = 'title note pages price _additional { id vector }';
  const query = `{ Get { ${table}(limit: ${count}, sort: [{ path: ["price"], order: asc }]) { ${fields} } } }`;
  const answer = await request(`${url}/v1/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    dispatcher: agent,
  });
  const { data } = JSON.parse(await answer.body.text()) as GraphqlAnswer;
  const rows = data.Get[table] ?? [];
  if (rows.length !== count || rows.at(-1)?._additional.vector.length !== dimensions)
    throw new Error('The raw request did not return all rows with vectors');
}

interface GraphqlAnswer {
  data: { Get: Record<string, { _additional: { vector: number[] } }[]> };
}
