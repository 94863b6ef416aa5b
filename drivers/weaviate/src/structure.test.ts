import { expect, test } from 'vitest';
import { readCollections } from './schema.ts';
import { structureOf } from './structure.ts';

test.each([
  [{ k1: 1.2, b: 0.75 }, 'BM25, k1 1.2, b 0.75'],
  [{ k1: 1.2 }, 'BM25, k1 1.2, b 0'],
  [{ b: 0.75 }, 'BM25, k1 0, b 0.75'],
])('the keyword ranking %o is shown, with 0 for a number that the server leaves out', async (bm25, shown) => {
  const answer = { classes: [{ class: 'Book', invertedIndexConfig: { bm25 } }] };
  const client = { json: async () => answer } as unknown as Parameters<typeof readCollections>[0];
  const [collection] = await readCollections(client, new AbortController().signal);
  const facts = structureOf(collection!, []).sections.flatMap((one) =>
    one.kind === 'facts' ? one.facts : [],
  );
  expect(facts).toContainEqual({ name: 'Keyword ranking', value: shown });
});
