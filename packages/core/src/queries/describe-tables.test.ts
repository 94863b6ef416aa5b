import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DriverError } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { newConnectionDraft } from '../index.ts';
import { openMask } from '../masking/mask.ts';
import { accessTo, client, root, temporaryFolder, testCore } from '../testing/test-core.ts';
import type { Admitted } from './call-runner.ts';
import { describeAll } from './describe-tables.ts';

/** A database with a sound table, a view of a dropped table, and a view that fails when its first row is read. */
async function openBroken(masked: string[]) {
  const { core } = await testCore({ bundledDrivers: [join(root, 'dist', 'drivers', 'sqlite')] });
  const file = join(temporaryFolder(), 'planets.db');
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT, facts TEXT);
    INSERT INTO planets (name, facts) VALUES ('Venus', 'not JSON');
    CREATE TABLE gone (id INTEGER);
    CREATE VIEW broken AS SELECT * FROM gone;
    CREATE VIEW malformed AS SELECT json(facts) AS facts FROM planets;
    DROP TABLE gone`);
  database.close();
  const { id } = await core.connections.create({
    ...newConnectionDraft(core.drivers.get('sqlite')!),
    name: 'Planets',
    fields: { file },
    aiPolicy: 'alwaysAllow',
    masking: { columns: masked, patterns: [] },
  });
  return { core, at: accessTo(id, client()) };
}

test.each([[[]], [['planets.name']]])(
  'a broken view does not hide the other tables (masked: %j)',
  async (masked) => {
    const { core, at } = await openBroken(masked);
    const { tables, total } = await core.data.describeAll(at, { limit: 10 });
    expect(total).toBe(3);
    expect(tables.map(({ name, comment, columns }) => [name, comment, columns.length])).toEqual([
      ['broken', 'Cannot be described: no such table: main.gone', 0],
      ['malformed', undefined, 1],
      ['planets', undefined, 3],
    ]);
  },
);

test('with masked columns, a view that cannot be read is still described, and a note holds the error', async () => {
  const { core, at } = await openBroken(['planets.name']);
  const { columns, notes } = await core.data.describe(at, 'malformed');
  expect(columns.map(({ name }) => name)).toEqual(['facts']);
  expect(notes).toEqual(['malformed JSON']);
});

test('a table that was dropped after it was listed is not counted', async () => {
  const link = {
    listTables: async () => [{ name: 'gone', kind: 'table' }],
    describeTable: async () => {
      throw new DriverError({ code: 'not_found', message: 'There is no table gone' });
    },
  };
  const session = { use: (_: AbortSignal, call: (opened: object) => unknown) => call({ session: link }) };
  const signal = new AbortController().signal;
  const admitted = { session, call: { signal }, maskOfTable: async () => openMask } as unknown as Admitted;
  expect(await describeAll(admitted, { limit: 10 })).toEqual({ tables: [], total: 0 });
});
