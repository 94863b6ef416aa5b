import { expect } from 'vitest';
import { choose, press, tabTo } from './browser.ts';
import { focusFirstCollection, openCluster, sharedWeaviateJourney, useWeaviate } from './weaviate-journey.ts';

const weaviate = useWeaviate();
const rows = 150;
const topics = ['river', 'engine', 'violin'];

function vectorOf(index: number, shift: number): number[] {
  return Array.from({ length: 16 }, (_, at) =>
    at === (index + shift) % topics.length ? 1 : 0.15 * Math.sin(index * 1.7 + at * 2.3),
  );
}

async function seedSpread(): Promise<void> {
  const none = { vectorizer: { none: {} }, vectorIndexType: 'hnsw' };
  await weaviate.rest('POST', '/schema', {
    class: 'Spread',
    multiTenancyConfig: { enabled: true },
    vectorConfig: {
      meaning: none,
      sound: { ...none, vectorIndexConfig: { distance: 'l2-squared' } },
    },
    properties: [
      { name: 'title', dataType: ['text'] },
      { name: 'topic', dataType: ['text'] },
    ],
  });
  await weaviate.rest('POST', '/schema/Spread/tenants', [{ name: 'north' }, { name: 'south' }]);
  for (const [tenant, count] of [
    ['north', rows],
    ['south', 30],
  ] as const) {
    const objects = Array.from({ length: count }, (_, index) => ({
      class: 'Spread',
      tenant,
      properties: { title: `About ${topics[index % 3]} ${index}`, topic: topics[index % 3] },
      // Every tenth row lacks the vector `sound`.
      vectors: {
        meaning: vectorOf(index, 0),
        ...(index % 10 !== 0 && { sound: vectorOf(index, 1) }),
      },
    }));
    await weaviate.rest('POST', '/batch/objects', { objects });
  }
}

sharedWeaviateJourney(
  'each named vector and each tenant has its own map, and a point shows its nearest rows',
  async (at) => {
    const { page } = at;
    await seedSpread();
    await openCluster(at, weaviate.port);
    await focusFirstCollection(page);
    await page.keyboard.type('Spread');
    await page.keyboard.press('Enter');
    await press(page.getByRole('button', { name: /^north/ }));
    await page.getByRole('grid', { name: 'Rows of Spread' }).waitFor();
    await press(page.getByRole('button', { name: 'Map', exact: true }), { back: true });
    await page.getByText(`${rows} points`).waitFor();

    const map = page.getByRole('application', { name: /^Map of \d+ rows of Spread by vector: meaning/ });
    await map.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: /^Row About/ });
    const inspector = page.getByRole('complementary', { name: 'Row inspector' });
    const titles = inspector.getByRole('list', { name: 'Nearest rows' }).getByRole('button');
    await titles.nth(7).waitFor();
    const topic = /About (\w+)/.exec((await card.getByRole('heading').textContent()) ?? '')?.[1];
    for (const title of await titles.allTextContents()) expect(title).toContain(`About ${topic}`);
    await expect.poll(() => map.locator('line').count()).toBe(8);
    await press(card.getByRole('button', { name: 'Close' }), { back: true });

    await press(page.getByRole('combobox', { name: 'Vector' }), { back: true });
    await choose(page.getByRole('option', { name: 'vector: sound' }));
    await page.getByText(`${rows - rows / 10} points`).waitFor();
    await page.getByText(`${rows / 10} rows have no vector`).waitFor();

    await tabTo(page.getByRole('combobox', { name: 'Tenant' }), { back: true });
    await page.keyboard.type('south');
    await choose(page.getByRole('option', { name: /^south/ }));
    await page.getByText('27 points').waitFor();
  },
);
