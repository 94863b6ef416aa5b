import { expect, test } from 'vitest';
import { trestleHalves } from '../../bench/model-cost/model-cost.ts';
import { totalOf } from '../../bench/model-cost/task.ts';

/**
 * The tokens that the SQLite tasks cost with DBHub 1.4.0, without the export task. The export task costs 9,137 tokens,
 * because DBHub shows every row instead of writing a file.
 */
const dbhubTokens = 7_300;

/** The short form of `npm run bench -- --only model-cost`, which also runs DBHub. */
test('Trestle passes the 24 tasks of the model-cost benchmark, and without the export its SQLite tasks cost less than with DBHub', async () => {
  const { sqlite, weaviate } = await trestleHalves();
  expect([sqlite.tasks.length, weaviate.tasks.length]).toEqual([12, 12]);
  const withoutExport = sqlite.tasks.filter(({ question }) => !question.includes('CSV'));
  expect(withoutExport).toHaveLength(11);
  expect(totalOf({ ...sqlite, tasks: withoutExport })).toBeLessThan(dbhubTokens);
});
