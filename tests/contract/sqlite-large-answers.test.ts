import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDriverLink } from '@trestle/driver-host';
import type { Manifest } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../drivers/sqlite/manifest.json' with { type: 'json' };

const dist = join(import.meta.dirname, '../../dist');
const call = { signal: new AbortController().signal, timeoutMs: 60_000 };

/** A table of twelve rows of 7 MB each. Nine rows fit into an answer, whose limit is 64 MB. */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-large-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'rows.db');
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  database.exec(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, a TEXT);
    WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 12)
      INSERT INTO t SELECT i, 0, hex(zeroblob(3500000)) FROM r;
  `);
  const link = await openDriverLink(
    {
      hostEntry: join(dist, 'driver-host.js'),
      driverDirectory: join(dist, 'drivers/sqlite'),
      manifest: manifest as Manifest,
      bundled: true,
      fields: { file },
      log: () => {},
    },
    { signal: call.signal, timeoutMs: 20_000 },
  );
  onTestFinished(() => link.close());
  const sum = () => Number(database.prepare('SELECT sum(n) AS n FROM t').get()!.n);
  return { session: link.session, sum };
}

const firstNine = [{ kind: 'rows', truncated: true, rows: { rowCount: 9 } }];

test('a write that returns more rows than fit into an answer succeeds, and the answer is truncated', async () => {
  const { session, sum } = await open();
  const text = 'UPDATE t SET n = n + 1 WHERE id < 20 RETURNING *';
  const plain = await session.run({ text, ceiling: 'write', limit: 1000 }, call);
  expect(plain).toMatchObject({ effect: 'write', results: firstNine, messages: [] });
  expect(sum()).toBe(12);
  const counted = await session.run({ text, ceiling: 'write', limit: 1000, reach: 100 }, call);
  expect(counted).toMatchObject({ effect: 'write', results: firstNine, messages: [] });
  expect(sum()).toBe(24);
});

test('the answer to a read that finds more rows than fit is truncated', async () => {
  const { session } = await open();
  const read = await session.run({ text: 'SELECT * FROM t', ceiling: 'read', limit: 1000 }, call);
  expect(read).toMatchObject({ effect: 'read', results: firstNine, messages: [] });
});

test('if even the first row is too large, a read fails and a write says that it was carried out', async () => {
  const { session, sum } = await open();
  const wide = Array.from({ length: 10 }, () => 'a').join(', ');
  await expect(
    session.run({ text: `SELECT ${wide} FROM t`, ceiling: 'read', limit: 1000 }, call),
  ).rejects.toMatchObject({ code: 'query_failed', message: 'The answer is larger than 64 MB' });
  const text = `UPDATE t SET n = n + 1 WHERE id < 20 RETURNING ${wide}`;
  expect(await session.run({ text, ceiling: 'write', limit: 1000 }, call)).toEqual({
    effect: 'write',
    results: [],
    messages: [
      {
        level: 'warning',
        text: 'The statement was carried out. Its answer is larger than 64 MB and is not shown. Do not run it again.',
      },
    ],
  });
  expect(sum()).toBe(12);
});
