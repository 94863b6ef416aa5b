import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawClient } from './raw-client.ts';
import { type RunningServer, runServer } from './running-server.ts';

/** A huge result must not stop the app: the client gets a short answer, and its next call works. */
let running: RunningServer;
beforeAll(async () => {
  running = await runServer();
});
afterAll(() => running.close());

test.each([
  ['SELECT hex(zeroblob(250000000))', /^query_failed: .*128 MB/s],
  ["SELECT printf('%.*c', 1000000000, 'x')", /^query_failed: /],
  ['SELECT hex(zeroblob(50000000)) AS a', /./],
  [
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT hex(zeroblob(3000000)) FROM n',
    /./,
  ],
  [
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT json_group_array(hex(zeroblob(1000000))) FROM n',
    /./,
  ],
])('the app still works after %s', async (query, text) => {
  const reader = rawClient(running, running.createToken({ permission: 'readOnly' }).secret);
  const answer = await reader.call('execute_query', { connection_id: 'Open', query });
  expect(answer.text).toMatch(text);
  expect(answer.text.length).toBeLessThan(2_000_000);
  expect((await reader.call('list_tables', { connection_id: 'Open' })).text).toContain('planets');
});
