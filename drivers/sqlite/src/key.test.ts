import { cellAt } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { temporaryDatabase } from './testing/temporary-database.ts';

test.each([
  ['continues after a row in the middle', 2, [3, '9223372036854775807']],
  ['is empty after the last row', '9223372036854775807', []],
  ['starts again after a row that is gone', 7, ['-9223372036854775808', 2, 3, '9223372036854775807']],
])('an export %s', async (_, id, rest) => {
  const { session } = await temporaryDatabase(`
    CREATE TABLE things (id INTEGER PRIMARY KEY);
    INSERT INTO things VALUES (-9223372036854775807 - 1), (2), (3), (9223372036854775807);
  `);
  const request = { table: 'things', filters: [], match: 'all' as const, sort: [], after: { id } };
  const call = { signal: new AbortController().signal };
  const ids: unknown[] = [];
  for await (const rows of session.exportRows!(request, call))
    for (let row = 0; row < rows.rowCount; row++) ids.push(cellAt(rows, 0, row));
  expect(ids.map(String)).toEqual(rest.map(String));
});
