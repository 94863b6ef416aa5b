import { expect, test } from 'vitest';
import { call, openFixed } from './testing/fixed-server.ts';

test('GraphQL errors are reported with their path, beside the data', async () => {
  const answer = {
    data: { Get: { A: [{ title: 'here' }], B: null } },
    errors: [{ message: 'vector search failed', path: ['Get', 'B'] }],
  };
  const { session } = await openFixed(
    () => ({ classes: [] }),
    () => answer,
  );
  const request = { text: '{ Get { A { title } B { title } } }', ceiling: 'read' as const, limit: 10 };
  const { results, messages } = await session.run(request, call);
  expect(messages).toEqual([{ level: 'error', text: 'vector search failed', path: ['Get', 'B'] }]);
  expect(results).toMatchObject([{ kind: 'rows', title: 'A', rows: { rowCount: 1 } }]);
});
