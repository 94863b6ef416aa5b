import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { rowAt } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import { newConnectionDraft } from '../index.ts';
import { accessTo, client, root, temporaryFolder, testCore } from '../testing/test-core.ts';
import type { Core, DataAccess } from '../types.ts';

const mail = 'ada@lovelace.example';
const all = { filters: [], match: 'all' as const, sort: [] };
const byNote = [{ column: 'note', operator: 'starts_with' as const, value: 'a' }];

/** Tables t0, t1, … with a column `note` that holds no personal value yet. `write` is another program's connection. */
async function openTables(count: number) {
  const { core } = await testCore({ bundledDrivers: [join(root, 'dist', 'drivers', 'sqlite')] });
  const file = join(temporaryFolder(), 'notes.db');
  const program = new DatabaseSync(file);
  onTestFinished(() => program.close());
  program.exec('PRAGMA journal_mode = WAL');
  for (let index = 0; index < count; index++)
    program.exec(`CREATE TABLE t${index} (id INTEGER PRIMARY KEY, note TEXT);
      INSERT INTO t${index} VALUES (1, 'plain'), (2, 'also plain')`);
  const { id } = await core.connections.create({
    ...newConnectionDraft(core.drivers.get('sqlite')!),
    name: 'Notes',
    fields: { file },
    aiPolicy: 'alwaysAllow',
    externalClients: 'readWrite',
    masking: { columns: [], patterns: ['email'] },
  });
  const write = (table: string) => program.exec(`UPDATE ${table} SET note = '${mail}' WHERE id = 1`);
  return { core, at: accessTo(id, client({ permission: 'fullAccess' })), write };
}

const query = (core: Core, at: DataAccess, text: string) => core.data.runQuery(at, { text, limit: 9 });

/** Each call is allowed until the first email address is in the column. */
const calls: [string, (core: Core, at: DataAccess) => Promise<unknown>][] = [
  ['an expression', (core, at) => query(core, at, 'SELECT hex(note) FROM t0')],
  ['an aggregate', (core, at) => query(core, at, 'SELECT hex(min(note)), count(DISTINCT note) FROM t0')],
  ['a filter of a statement', (core, at) => query(core, at, "SELECT id FROM t0 WHERE note LIKE 'a%'")],
  ['a sort of a statement', (core, at) => query(core, at, 'SELECT id FROM t0 ORDER BY note')],
  [
    'an error',
    (core, at) => query(core, at, "SELECT iif(note LIKE 'z%', abs(-9223372036854775808), 1) FROM t0"),
  ],
  ['a copy', (core, at) => query(core, at, 'INSERT INTO t1 (note) SELECT hex(note) FROM t0')],
  ['RETURNING', (core, at) => query(core, at, 'UPDATE t0 SET id = id WHERE id = 1 RETURNING hex(note)')],
  [
    'a filter of a page',
    (core, at) => core.data.browse(at, { ...all, table: 't0', filters: byNote, limit: 9, offset: 0 }),
  ],
  ['a filter of a count', (core, at) => core.data.count(at, { ...all, table: 't0', filters: byNote })],
  [
    'a filter of an export',
    (core, at) => Array.fromAsync(core.data.exportRows(at, { ...all, table: 't0', filters: byNote })),
  ],
  [
    'a filter of a sample',
    (core, at) =>
      Array.fromAsync(core.data.sampleRows(at, { table: 't0', filters: byNote, match: 'all', rows: 2 })),
  ],
];

test.each(calls)(
  'right after another program wrote the first email address into a column, %s of it is refused',
  async (_, attempt) => {
    const { core, at, write } = await openTables(2);
    await attempt(core, at);
    write('t0');
    await expect(attempt(core, at)).rejects.toMatchObject({ code: 'refused' });
    const { rows } = await core.data.browse(at, { ...all, table: 't0', limit: 9, offset: 0 });
    expect(rowAt(rows, 0)).toEqual({ id: 1, note: '•••' });
  },
);

test('a statement that runs while another program writes the first email address shows no part of it', async () => {
  const rounds = 25;
  const { core, at, write } = await openTables(rounds);
  const seen: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const text = `SELECT hex(note) FROM t${round}`;
    await query(core, at, text);
    const asking = (async () => {
      for (;;) seen.push(JSON.stringify(await query(core, at, text)));
    })().catch((error) => error);
    await delay(round);
    write(`t${round}`);
    expect(await asking).toMatchObject({ code: 'refused' });
  }
  expect(seen.filter((one) => one.includes(Buffer.from(mail).toString('hex').toUpperCase()))).toEqual([]);
});
