import { describe, expect, test } from 'vitest';
import {
  briefCell,
  type Cell,
  type Change,
  type ChangeOutcome,
  rowAt,
  type Session,
  sameCell,
} from '../index.ts';
import { call, type Fixture, keyOf, type Row, rowsByOrdinal } from './fixture.ts';
import { needs } from './needs.ts';
import { columnOf, valuesOf } from './sample.ts';
import { follow, save } from './save.ts';
import type { ContractTarget } from './target.ts';

/** A change is compared with what its caller saw, and never overwrites what somebody else wrote meanwhile. */
export function describeConflicts(fixture: Fixture, target: ContractTarget): void {
  describe('conflicts', () => {
    test('a row that is as expected is changed and deleted', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const { table, key, rows } = await openTable();
      const changes: Change[] = [
        { kind: 'update', id: 'u', key: key(1), values: { title: 'mine' }, expected: { title: 'Venus' } },
        { kind: 'update', id: 'n', key: key(8), values: { title: 'mine' }, expected: { title: null } },
        { kind: 'update', id: 'e', key: key(9), values: { title: 'mine' }, expected: { title: '' } },
        { kind: 'update', id: 'x', key: key(2), values: { title: 'mine' }, expected: {} },
        { kind: 'delete', id: 'd', key: key(3), expected: await seen(table, key(3)) },
      ];
      expect(await save(fixture.session, { table, changes })).toEqual(
        changes.map(({ id }) => ({ id, status: 'applied' })),
      );
      for (const ordinal of [1, 2, 8, 9]) rows.set(ordinal, { ...rows.get(ordinal)!, title: 'mine' });
      rows.delete(3);
      expect(await rowsByOrdinal(fixture.session, table)).toEqual(rows);
    });

    test('a row that changed meanwhile is a conflict that shows the present cells, and nothing is overwritten', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const { table, key } = await openTable();
      await withOther((other) =>
        save(other, {
          table,
          changes: [0, 1, 2, 4].map((at) => ({
            kind: 'update',
            id: String(at),
            key: key(at),
            values: { title: 'theirs' },
          })),
        }),
      );
      const before = await rowsByOrdinal(fixture.session, table);
      const changes: Change[] = [
        { kind: 'update', id: 'u', key: key(0), values: { title: 'mine' }, expected: { title: 'Mercury' } },
        {
          kind: 'update',
          id: 'two',
          key: key(1),
          values: { title: 'mine', ordinal: 1001 },
          expected: { title: 'Venus', ordinal: 1 },
        },
        { kind: 'delete', id: 'd', key: key(2), expected: { title: 'Earth' } },
        {
          kind: 'update',
          id: 'other cell',
          key: key(5),
          values: { title: 'mine' },
          expected: { title: 'Saturn' },
        },
        { kind: 'update', id: 'unseen', key: key(4), values: { title: 'mine' } },
      ];
      expect(await save(fixture.session, { table, changes })).toEqual([
        { id: 'u', status: 'conflict', theirs: { title: 'theirs' } },
        { id: 'two', status: 'conflict', theirs: { title: 'theirs', ordinal: 1 } },
        { id: 'd', status: 'conflict', theirs: { title: 'theirs' } },
        { id: 'other cell', status: 'applied' },
        { id: 'unseen', status: 'applied' },
      ]);
      for (const ordinal of [4, 5]) before.set(ordinal, { ...before.get(ordinal)!, title: 'mine' });
      expect(await rowsByOrdinal(fixture.session, table)).toEqual(before);
    });

    test('a change that expects what another one has just stored is made, and a third change is a conflict again', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const { table, key } = await openTable();
      const set = (id: string, title: string, expected: Record<string, Cell>): Change => ({
        kind: 'update',
        id,
        key: key(0),
        values: { title },
        expected,
      });
      const statuses = async (...changes: Change[]) =>
        (await save(fixture.session, { table, changes })).map(({ status, theirs }) => [status, theirs]);
      expect(
        await statuses(set('1', 'a', { title: 'Mercury' }), set('2', 'b', { title: 'Mercury' })),
      ).toEqual([
        ['applied', undefined],
        ['conflict', { title: 'a' }],
      ]);
      expect(await statuses(set('3', 'b', { title: 'a' }), set('4', 'c', { title: 'b' }))).toEqual([
        ['applied', undefined],
        ['applied', undefined],
      ]);
      expect(await statuses(set('5', 'd', { title: 'a' }))).toEqual([['conflict', { title: 'c' }]]);
    });

    test('a cell that already has the new value is no conflict', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const { table, key } = await openTable();
      const change: Change = {
        kind: 'update',
        id: 'u',
        key: key(0),
        values: { title: 'Venus' },
        expected: { title: 'Mercury' },
      };
      for (let time = 0; time < 2; time++)
        expect(await save(fixture.session, { table, changes: [change] })).toEqual([
          { id: 'u', status: 'applied' },
        ]);
    });

    test('a row that was deleted meanwhile is a conflict without a row', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const { table, key } = await openTable();
      const gone: Change[] = [0, 1, 2].map((at) => ({ kind: 'delete', id: String(at), key: key(at) }));
      await withOther((other) => save(other, { table, changes: gone }));
      const changes: Change[] = [
        { kind: 'update', id: 'u', key: key(0), values: { title: 'mine' }, expected: { title: 'Mercury' } },
        { kind: 'update', id: 'x', key: key(1), values: { title: 'mine' }, expected: {} },
        { kind: 'delete', id: 'd', key: key(2), expected: { title: 'Earth' } },
      ];
      expect(await save(fixture.session, { table, changes })).toEqual(
        changes.map(({ id }) => ({ id, status: 'conflict', theirs: null })),
      );
      const after = await rowsByOrdinal(fixture.session, table);
      expect([0, 1, 2].filter((ordinal) => after.has(ordinal))).toEqual([]);
    });

    test.each(target.types)('%s: each value is compared exactly with what a page showed', async (type) => {
      const column = columnOf[type];
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      needs(column !== 'title', 'the test sets the title');
      const { table, key, rows } = await openTable();
      const shown = new Map(
        await Promise.all(
          [...rows.keys()].map(async (at) => [at, (await seen(table, key(at)))[column]!] as const),
        ),
      );
      const expecting = (expected: (at: number) => Cell): Change[] =>
        [...rows.keys()].map((at) => ({
          kind: 'update',
          id: String(at),
          key: key(at),
          values: { title: `mine ${at}` },
          expected: { [column]: expected(at) },
        }));
      const kept = await save(fixture.session, { table, changes: expecting((at) => shown.get(at)!) });
      expect(kept.filter(({ status }) => status !== 'applied')).toEqual([]);
      const cells = valuesOf(target, type);
      const other = (at: number) => cells.find((cell) => !sameCell(cell, shown.get(at)!))!;
      const refused = await save(fixture.session, { table, changes: expecting(other) });
      expect(refused).toEqual(
        refused.map(({ id }) => ({ id, status: 'conflict', theirs: { [column]: shown.get(Number(id)) } })),
      );
    });

    test('a long text is expected in its brief form, and a change at its end is seen', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const { table, key } = await openTable();
      const long = 'x'.repeat(100_000);
      const set = (title: string): Change => ({ kind: 'update', id: 's', key: key(0), values: { title } });
      const change: Change = { ...set('mine'), id: 'u', expected: { title: briefCell(long) } } as Change;
      await save(fixture.session, { table, changes: [set(`${long.slice(1)}y`)] });
      expect(await save(fixture.session, { table, changes: [change] })).toEqual([
        { id: 'u', status: 'conflict', theirs: { title: briefCell(`${long.slice(1)}y`) } },
      ]);
      await save(fixture.session, { table, changes: [set(long)] });
      expect(await save(fixture.session, { table, changes: [change] })).toEqual([
        { id: 'u', status: 'applied' },
      ]);
    });

    test('an expected column that the table lacks fails the row', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const { table, key, rows } = await openTable();
      const expected = { noSuchColumn: 1 };
      const changes: Change[] = [
        { kind: 'update', id: 'u', key: key(0), values: { title: 'mine' }, expected },
        { kind: 'delete', id: 'd', key: key(1), expected },
        { kind: 'update', id: 'ok', key: key(2), values: { title: 'mine' }, expected: { title: 'Earth' } },
      ];
      const outcomes = await save(fixture.session, { table, changes });
      expect(outcomes.map(({ status, error }) => [status, error?.code])).toEqual([
        ['failed', 'invalid_argument'],
        ['failed', 'invalid_argument'],
        ['applied', undefined],
      ]);
      rows.set(2, { ...rows.get(2)!, title: 'mine' });
      expect(await rowsByOrdinal(fixture.session, table)).toEqual(rows);
    });

    test('a save of rows that another save has just changed is a conflict in each row', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const { table, key, rows } = await openTable();
      const changesOf = (who: string): Change[] =>
        [...rows].map(([at, { title }]) => ({
          kind: 'update',
          id: String(at),
          key: key(at),
          values: { title: who },
          expected: { title: title! },
        }));
      await save(fixture.session, { table, changes: changesOf('first') });
      const outcomes = await withOther((other) => save(other, { table, changes: changesOf('second') }));
      expect(outcomes).toEqual(
        outcomes.map(({ id }) => ({ id, status: 'conflict', theirs: { title: 'first' } })),
      );
    });

    test('a conflict was not sent, and a cancel before the save compares nothing', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const { table, key } = await openTable();
      const changes: Change[] = [
        { kind: 'update', id: 'u', key: key(0), values: { title: 'mine' }, expected: { title: 'other' } },
      ];
      const { outcomes, sent } = await follow(
        fixture.session.applyChanges({ table, changes, rowTimeoutMs: 30_000 }, call()),
      );
      expect([[...sent], outcomes.get('u')?.status]).toEqual([[], 'conflict']);
      const request = { table, changes, rowTimeoutMs: 30_000 };
      const cancelled = await follow(fixture.session.applyChanges(request, { signal: AbortSignal.abort() }));
      expect([cancelled.outcomes.size, cancelled.details?.code]).toEqual([0, 'cancelled']);
    });
  });

  async function openTable() {
    const table = await fixture.freshTable();
    const rows = await rowsByOrdinal(fixture.session, table);
    return { table, rows, key: (ordinal: number) => keyOf(fixture.description, rows.get(ordinal)!) };
  }

  /** Another program with its own connection. */
  async function withOther(work: (other: Session) => Promise<ChangeOutcome[]>): Promise<ChangeOutcome[]> {
    const other = await fixture.database.connect();
    try {
      return await work(other);
    } finally {
      await other.close();
    }
  }

  /** All cells of a row, as a page or `readCells` shows them. */
  async function seen(table: string, key: Row): Promise<Row> {
    const rows = await rowsByOrdinal(fixture.session, table);
    const found = [...rows.values()].find((row) =>
      Object.entries(key).every(([name, cell]) => sameCell(row[name]!, cell)),
    )!;
    const deferred = fixture.description.columns.filter((column) => column.deferred);
    if (deferred.length === 0) return found;
    const names = deferred.map(({ name }) => name);
    const cells = await fixture.session.readCells!({ table, keys: [key], columns: names }, call());
    return { ...found, ...rowAt(cells, 0) };
  }
}
