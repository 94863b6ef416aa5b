import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished, test } from 'vitest';
import type { Rows, SharedColumn, SharedTable } from './shared-table.ts';
import { proveTwoPeople, twoPeopleTimeout } from './two-people.ts';

const plain = (value: unknown) => (value === null ? 'NULL' : `${typeof value} ${value}`);
const wholeNumber = (value: unknown) => (value === null ? 'NULL' : String(value));
const columns: SharedColumn[] = [
  { name: 'note', value: (serial) => `note ${serial}`, textOf: plain },
  { name: '__proto__', value: (serial) => (serial % 5 === 0 ? null : `proto ${serial}`), textOf: plain },
  { name: 'amount', value: (serial) => 2n ** 60n + BigInt(serial), textOf: wholeNumber },
  { name: 'price', value: (serial) => serial + 0.5, textOf: plain },
  {
    name: 'data',
    value: (serial) => Uint8Array.of(serial >> 16, serial >> 8, serial),
    textOf: (value) => (value === null ? 'NULL' : Buffer.from(value as Uint8Array).toString('hex')),
  },
];

test(
  'two people change one table of a SQLite file: every change is stored or a conflict',
  twoPeopleTimeout,
  () => proveTwoPeople(sharedFile(), { isAtomic: true }),
);

function sharedFile(): SharedTable {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-shared-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'shared.db');
  const db = new DatabaseSync(file, { timeout: 10_000 });
  onTestFinished(() => db.close());
  db.exec(
    'CREATE TABLE shared (id INTEGER PRIMARY KEY, note TEXT, "__proto__" TEXT, amount INTEGER, price REAL, data BLOB)',
  );
  return {
    table: 'shared',
    keyColumn: 'id',
    columns,
    connection: { driver: 'sqlite', fields: { file } },
    newKey: (serial) => serial,
    async readRaw(): Promise<Rows> {
      const names = columns.map(({ name }) => `"${name}"`).join(', ');
      const statement = db.prepare(`SELECT id, ${names} FROM shared`);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      const rows = statement.all() as unknown as unknown[][];
      return new Map(
        rows.map(([id, ...cells]) => [
          String(id),
          Object.fromEntries(columns.map(({ name, textOf }, at) => [name, textOf(cells[at])])),
        ]),
      );
    },
  };
}
