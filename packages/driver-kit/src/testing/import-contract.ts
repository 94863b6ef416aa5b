import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Cell, ChangeOutcome, Insert, RowKey } from '../index.ts';
import { columnNamed, type Fixture, failure, rowsByOrdinal } from './fixture.ts';
import { needs } from './needs.ts';
import { cancelMidway, follow } from './save.ts';

export function describeImport(fixture: Fixture): void {
  const byOrdinal = (table: string) => rowsByOrdinal(fixture.session, table);

  describe('import', () => {
    test('many new rows are stored, with the keys in their outcomes', async () => {
      needs(fixture.session.importRows, 'the driver has no importRows');
      const table = await fixture.freshTable();
      const before = await byOrdinal(table);
      const changes = inserts(1200, { from: 1000 });
      const outcomes = await bring(table, changes);
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['applied']));
      const after = await byOrdinal(table);
      expect(after.size).toBe(before.size + 1200);
      for (const index of [0, 599, 1199]) {
        expect(after.get(1000 + index)).toMatchObject({
          title: `row ${1000 + index}`,
          ...outcomes[index]!.key,
        });
      }
      for (const [ordinal, row] of before) expect(after.get(ordinal)).toEqual(row);
    });

    test('a row whose key exists in the table or earlier in the import is skipped and reported as existing', async () => {
      needs(fixture.session.importRows, 'the driver has no importRows');
      needs(hasTypedKey(), 'the database chooses the key of a new row');
      const table = await fixture.freshTable();
      const keys = await freeKeys(table, 3);
      const rows = keys.map((key, at) =>
        insert(`first ${at}`, { ordinal: 1000 + at, title: 'first', ...key }),
      );
      expect((await bring(table, rows)).map(({ status }) => status)).toEqual([
        'applied',
        'applied',
        'applied',
      ]);
      const [fresh] = await freeKeys(table, 1);
      const again = [
        insert('old', { ordinal: 2000, title: 'second', ...keys[1] }),
        insert('new', { ordinal: 2001, title: 'second', ...fresh }),
        insert('twice', { ordinal: 2002, title: 'third', ...fresh }),
      ];
      expect(await bring(table, again)).toEqual([
        { id: 'old', status: 'skipped', existing: true },
        { id: 'new', status: 'applied', key: fresh },
        { id: 'twice', status: 'skipped', existing: true },
      ]);
      const after = await byOrdinal(table);
      expect(after.get(1001)).toMatchObject({ title: 'first', ...keys[1] });
      expect(after.get(2001)).toMatchObject({ title: 'second', ...fresh });
      expect([after.has(2000), after.has(2002)]).toEqual([false, false]);
    });

    test('a row with an unknown column fails alone, and its error names the column', async () => {
      needs(fixture.session.importRows, 'the driver has no importRows');
      const table = await fixture.freshTable();
      const changes = [
        insert('1', { ordinal: 1000, title: 'first' }),
        insert('2', { ordinal: 1001, noSuchColumn: 1 }),
        insert('3', { ordinal: 1002, title: 'last' }),
      ];
      const outcomes = await bring(table, changes);
      expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'failed', 'applied']);
      expect(outcomes[1]!.error).toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining('noSuchColumn'),
      });
      const after = await byOrdinal(table);
      expect([...after.keys()].filter((ordinal) => ordinal >= 1000)).toEqual([1000, 1002]);
    });

    test('if every row has an unknown column, each row fails with an error', async () => {
      needs(fixture.session.importRows, 'the driver has no importRows');
      const table = await fixture.freshTable();
      const changes = ['1', '2'].map((id) => insert(id, { ordinal: 1000, noSuchColumn: 1 }));
      const outcomes = await bring(table, changes);
      expect(outcomes).toMatchObject(['1', '2'].map((id) => ({ id, status: 'failed', error: {} })));
    });

    test('a cancelled import stops, and has stored exactly the rows that it reports as applied', async () => {
      needs(fixture.session.importRows, 'the driver has no importRows');
      const table = await fixture.freshTable();
      const changes = inserts(6000, { from: 2000 });
      const set = { table, changes, rowTimeoutMs: 30_000 };
      await cancelMidway(fixture.session, table, changes, (signal) =>
        fixture.session.importRows!(set, { signal }),
      );
    });

    test('an import that is cancelled before it starts sends nothing', async () => {
      needs(fixture.session.importRows, 'the driver has no importRows');
      const table = await fixture.freshTable();
      await failure(bring(table, inserts(1, { from: 1000 }), AbortSignal.abort()), 'cancelled');
      expect((await byOrdinal(table)).has(1000)).toBe(false);
    });

    test('an unknown table accepts no rows', async () => {
      needs(fixture.session.importRows, 'the driver has no importRows');
      await failure(bring('NoSuchTable', inserts(1, { from: 0 })), 'not_found');
    });
  });

  async function bring(
    table: string,
    changes: Insert[],
    signal: AbortSignal = new AbortController().signal,
  ): Promise<ChangeOutcome[]> {
    const reports = fixture.session.importRows!({ table, changes, rowTimeoutMs: 30_000 }, { signal });
    const { outcomes, error } = await follow(reports);
    if (error) throw error;
    return changes.map(({ id }) => outcomes.get(id)!);
  }

  /** Whether the user may choose the key of a new row. */
  function hasTypedKey(): boolean {
    return fixture.description.key.every((name) => {
      const column = columnNamed(fixture.description, name);
      return column.readOnly === undefined || column.insertable;
    });
  }

  /** Keys that no row of the table has. */
  async function freeKeys(table: string, count: number): Promise<RowKey[]> {
    const { key } = fixture.description;
    const types = key.map((name) => columnNamed(fixture.description, name).type);
    const taken = (await byOrdinal(table)).size;
    return Array.from({ length: count }, (_, at) =>
      Object.fromEntries(
        key.map((name, index) => [
          name,
          types[index] === 'uuid' || types[index] === 'text' ? randomUUID() : 50_000 + taken * 10 + at,
        ]),
      ),
    );
  }
}

function insert(id: string, values: Record<string, Cell>): Insert {
  return { kind: 'insert', id, values };
}

function inserts(count: number, { from }: { from: number }): Insert[] {
  return Array.from({ length: count }, (_, index) =>
    insert(`i${index}`, { ordinal: from + index, title: `row ${from + index}` }),
  );
}
