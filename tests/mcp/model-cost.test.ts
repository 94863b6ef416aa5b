import { expect, test } from 'vitest';
import { trestleHalves } from '../../bench/model-cost/model-cost.ts';

/** `npm run bench -- --only model-cost` counts tokens and sets DBHub beside it. */
test('the 24 tasks of the model-cost bench end with their facts, and with the right refusals', async () => {
  const { sqlite, weaviate } = await trestleHalves();
  expect(sqlite.tasks).toHaveLength(12);
  expect(weaviate.tasks).toHaveLength(12);
});
