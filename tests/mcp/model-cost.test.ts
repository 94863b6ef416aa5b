import { expect, test } from 'vitest';
import { trestleHalves } from '../../bench/model-cost/model-cost.ts';
import { totalOf } from '../../bench/model-cost/task.ts';

/**
 * The tokens that DBHub 1.4.0 needs for the SQLite half without the export. DBHub writes no files: it shows every row
 * instead, for 9,137 tokens.
 */
const dbhubTokens = 7_300;

/** The short form of `npm run bench -- --only model-cost`, which also runs DBHub. */
test('the 24 tasks of the model-cost benchmark end with their facts or refusals, and the SQLite half costs less than with DBHub', async () => {
  const { sqlite, weaviate } = await trestleHalves();
  expect([sqlite.tasks.length, weaviate.tasks.length]).toEqual([12, 12]);
  const withoutExport = sqlite.tasks.filter(({ question }) => !question.includes('CSV'));
  expect(withoutExport).toHaveLength(11);
  expect(totalOf({ ...sqlite, tasks: withoutExport })).toBeLessThan(dbhubTokens);
});
