import { describe, expect, test } from 'vitest';
import type { Change, ChangeOutcome, Insert } from '../index.ts';
import { call, columnNamed, type Fixture, failure, keyOf, type Row, rowsByOrdinal } from './fixture.ts';
import { needs } from './needs.ts';
import { cancelMidway, save } from './save.ts';

export function describeChanges(fixture: Fixture): void {
  const byOrdinal = (table: string) => rowsByOrdinal(fixture.session, table);

  describe('changes', () => {
    test('an inserted row is stored under the key in its outcome', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const table = await fixture.freshTable();
      const before = await byOrdinal(table);
      const change: Change = { kind: 'insert', id: 'a', values: { ordinal: 1000, title: 'Pluto' } };
      const [outcome] = await save(fixture.session, { table, changes: [change] });
      expect(outcome).toEqual({ id: 'a', status: 'applied', key: expect.any(Object) });
      const after = await byOrdinal(table);
      const added = after.get(1000)!;
      expect(added).toMatchObject({ title: 'Pluto', ...outcome!.key });
      expect(keyOf(fixture.description, added)).toEqual(outcome!.key);
      after.delete(1000);
      expect(after).toEqual(before);
    });

    test('an update changes the named cells of one row', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const table = await fixture.freshTable();
      const before = await byOrdinal(table);
      const key = keyOf(fixture.description, before.get(3)!);
      const change: Change = { kind: 'update', id: 'u', key, values: { title: 'red "planet", it\'s' } };
      expect(await save(fixture.session, { table, changes: [change] })).toEqual([
        { id: 'u', status: 'applied' },
      ]);
      before.set(3, { ...before.get(3)!, title: 'red "planet", it\'s' });
      expect(await byOrdinal(table)).toEqual(before);
    });

    test('the mark of a table stays the same until a row changes', async () => {
      const { session } = fixture;
      needs(session.changeMark, 'the driver has no changeMark');
      needs(session.applyChanges, 'the driver has no applyChanges');
      const table = await fixture.freshTable();
      const key = keyOf(fixture.description, (await byOrdinal(table)).get(3)!);
      const mark = () => session.changeMark!(table, call());
      const marks = new Set<string | null>();
      const changes: Change[] = [
        { kind: 'insert', id: 'a', values: { ordinal: 1000, title: 'Pluto' } },
        { kind: 'update', id: 'u', key, values: { title: 'another' } },
        { kind: 'delete', id: 'd', key },
      ];
      for (const change of changes) {
        const before = await mark();
        needs(before !== null, 'the driver gives no mark for this table');
        await save(session, { table, changes: [change] });
        marks.add(before).add(await mark());
      }
      expect(marks.size).toBeGreaterThanOrEqual(4);
      // A driver may give a new mark each time while the table has just changed.
      const isSteady = async () => {
        const before = await mark();
        return before === (await mark());
      };
      await expect.poll(isSteady, { timeout: 20_000 }).toBe(true);
    });

    test('a delete removes one row of one table', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const [table, other] = [await fixture.freshTable(), await fixture.freshTable()];
      const before = await byOrdinal(table);
      const elsewhere = await byOrdinal(other);
      const key = keyOf(fixture.description, before.get(5)!);
      const change: Change = { kind: 'delete', id: 'd', key };
      expect(await save(fixture.session, { table, changes: [change] })).toEqual([
        { id: 'd', status: 'applied' },
      ]);
      before.delete(5);
      expect(await byOrdinal(table)).toEqual(before);
      expect(await byOrdinal(other)).toEqual(elsewhere);
    });

    test('a delete leaves the row with the same key in another table alone', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      needs(hasTypedKey(), 'the database chooses the key of a new row');
      const [table, other] = [await fixture.freshTable(), await fixture.freshTable()];
      const values = { ordinal: 1000, title: 'Pluto' };
      const insert: Change = { kind: 'insert', id: 'a', values };
      const [first] = await save(fixture.session, { table, changes: [insert] });
      const twin: Change = { kind: 'insert', id: 'b', values: { ...values, ...first!.key } };
      expect(await save(fixture.session, { table: other, changes: [twin] })).toMatchObject([
        { status: 'applied', key: first!.key },
      ]);
      const remove: Change = { kind: 'delete', id: 'c', key: first!.key! };
      expect(await save(fixture.session, { table, changes: [remove] })).toMatchObject([
        { status: 'applied' },
      ]);
      expect((await byOrdinal(table)).has(1000)).toBe(false);
      expect((await byOrdinal(other)).get(1000)).toMatchObject(values);
    });

    test('a failed change does not stop the others, and an update or delete without a key is skipped', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const table = await fixture.freshTable();
      const before = await byOrdinal(table);
      const gone = keyOf(fixture.description, before.get(7)!);
      await save(fixture.session, { table, changes: [{ kind: 'delete', id: 'x', key: gone }] });
      const changes: Change[] = [
        { kind: 'insert', id: '1', values: { ordinal: 1001, title: 'first' } },
        { kind: 'update', id: '2', key: gone, values: { title: 'nobody' } },
        { kind: 'delete', id: '3', key: gone },
        { kind: 'update', id: '4', key: null, values: { title: 'keyless' } },
        { kind: 'delete', id: '5', key: null },
        { kind: 'insert', id: '6', values: { ordinal: 1002, noSuchColumn: 1 } },
        {
          kind: 'update',
          id: '7',
          key: keyOf(fixture.description, before.get(1)!),
          values: { noSuchColumn: 1 },
        },
        { kind: 'insert', id: '8', values: { ordinal: 1003, title: 'last' } },
      ];
      const outcomes = await save(fixture.session, { table, changes });
      expect(outcomes.map(({ id, status }) => `${id} ${status}`)).toEqual([
        '1 applied',
        '2 failed',
        '3 failed',
        '4 skipped',
        '5 skipped',
        '6 failed',
        '7 failed',
        '8 applied',
      ]);
      expect(outcomes[1]!.error?.code).toBe('not_found');
      expect(outcomes[2]!.error?.code).toBe('not_found');
      for (const index of [5, 6]) {
        expect(outcomes[index]!.error).toMatchObject({
          code: 'invalid_argument',
          message: expect.stringContaining('noSuchColumn'),
        });
      }
      const after = await byOrdinal(table);
      expect([...after.keys()].filter((ordinal) => ordinal > 1000)).toEqual([1001, 1003]);
      expect(after.get(1)).toEqual(before.get(1));
      const columns = (await fixture.session.describeTable(table, call())).columns.map(
        (column) => column.name,
      );
      expect(columns).toEqual(fixture.description.columns.map((column) => column.name));
    });

    test('the changes of one row keep their order among changes of other rows', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const table = await fixture.freshTable();
      const before = await byOrdinal(table);
      const rows = [...before.values()].slice(0, 10).map((row) => keyOf(fixture.description, row));
      const changes: Change[] = [1, 2, 3].flatMap((round) =>
        rows.map((key, row) => ({
          kind: 'update' as const,
          id: `${row} ${round}`,
          key,
          values: { title: `round ${round}` },
        })),
      );
      const outcomes = await save(fixture.session, { table, changes });
      expect(outcomes.map(({ status }) => status)).toEqual(changes.map(() => 'applied'));
      const titles = [...(await byOrdinal(table)).values()].slice(0, 10).map((row) => row.title);
      expect(titles).toEqual(rows.map(() => 'round 3'));
    });

    test('a key that a delete frees can be taken again in the same save', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      needs(hasTypedKey(), 'the database chooses the key of a new row');
      const table = await fixture.freshTable();
      const key = keyOf(fixture.description, (await byOrdinal(table)).get(4)!);
      const changes: Change[] = [
        { kind: 'delete', id: 'd', key },
        { kind: 'insert', id: 'i', values: { ordinal: 1004, title: 'again', ...key } },
      ];
      expect(await save(fixture.session, { table, changes })).toEqual([
        { id: 'd', status: 'applied' },
        { id: 'i', status: 'applied', key },
      ]);
      const after = await byOrdinal(table);
      expect([after.has(4), after.get(1004)?.title]).toEqual([false, 'again']);
    });

    test('a cancelled save stops, and has stored exactly the rows that it reports as applied', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const table = await fixture.freshTable();
      const changes: Insert[] = Array.from({ length: 500 }, (_, index) => ({
        kind: 'insert',
        id: `i${index}`,
        values: { ordinal: 2000 + index, title: 'new' },
      }));
      const set = { table, changes, rowTimeoutMs: 30_000 };
      await cancelMidway(fixture.session, table, changes, (signal) =>
        fixture.session.applyChanges!(set, { signal }),
      );
    });

    test('a save that is cancelled before it starts sends nothing', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const table = await fixture.freshTable();
      const changes: Change[] = [{ kind: 'insert', id: 'i', values: { ordinal: 1000, title: 'new' } }];
      const call = { signal: AbortSignal.abort() };
      await failure(save(fixture.session, { table, changes }, call), 'cancelled');
      expect((await byOrdinal(table)).has(1000)).toBe(false);
    });

    test('changes without an answer are settled, and no row is changed', async () => {
      needs(fixture.session.settleChanges, 'the driver has no settleChanges');
      const table = await fixture.freshTable();
      const before = await byOrdinal(table);
      const key = (ordinal: number) => keyOf(fixture.description, before.get(ordinal)!);
      const stored: Change[] = [
        { kind: 'update', id: 'u', key: key(1), values: { title: 'stored' } },
        { kind: 'delete', id: 'd', key: key(2) },
      ];
      const earlier: Change = { kind: 'delete', id: 'earlier', key: key(5) };
      await save(fixture.session, { table, changes: [...stored, earlier] });
      const after = await byOrdinal(table);
      const lost: Change[] = [
        ...stored,
        { kind: 'update', id: 'not u', key: key(3), values: { title: 'not stored' } },
        { kind: 'update', id: 'gone', key: key(5), values: { title: 'not stored' } },
        { kind: 'delete', id: 'not d', key: key(4) },
        { kind: 'insert', id: 'keyless', values: { ordinal: 1000, title: 'new' } },
      ];
      const outcomes = await fixture.session.settleChanges({ table, changes: lost }, call());
      expect(statusById(outcomes)).toEqual({
        u: 'applied',
        d: 'applied',
        'not u': 'failed',
        gone: 'failed',
        'not d': 'failed',
        keyless: 'unknown',
      });
      expect(await byOrdinal(table)).toEqual(after);
    });

    test('an insert with a key and without an answer is settled', async () => {
      needs(fixture.session.settleChanges, 'the driver has no settleChanges');
      needs(hasTypedKey(), 'the database chooses the key of a new row');
      const table = await fixture.freshTable();
      const rows = [...(await byOrdinal(table)).values()].map((row) => keyOf(fixture.description, row));
      // The rows with these keys are deleted. Then a new row gets the key `freed`. No row gets `free`.
      const [freed, free] = [rows[0]!, rows[1]!];
      const gone: Change[] = [freed, free].map((key, at) => ({ kind: 'delete', id: `d${at}`, key }));
      await save(fixture.session, { table, changes: gone });
      const insert = (id: string, key: Row): Change => ({
        kind: 'insert',
        id,
        values: { ordinal: 1000, title: 'new', ...key },
      });
      await save(fixture.session, { table, changes: [insert('i', freed)] });
      const changes = [insert('i', freed), insert('not i', free)];
      const outcomes = await fixture.session.settleChanges({ table, changes }, call());
      expect(statusById(outcomes)).toEqual({ i: 'applied', 'not i': 'failed' });
      expect(outcomes.find(({ id }) => id === 'i')?.key).toEqual(freed);
    });

    test('the preview has one text for each change and changes nothing', async () => {
      needs(fixture.session.previewChanges, 'the driver has no previewChanges');
      const table = await fixture.freshTable();
      const before = await byOrdinal(table);
      const key = keyOf(fixture.description, before.get(2)!);
      const changes: Change[] = [
        { kind: 'insert', id: 'i', values: { ordinal: 1000, title: 'Pluto' } },
        { kind: 'update', id: 'u', key, values: { title: 'Terra' } },
        { kind: 'delete', id: 'd', key },
        { kind: 'delete', id: 'n', key: null },
      ];
      const previews = await fixture.session.previewChanges({ table, changes }, call());
      expect(previews.map((preview) => preview.id)).toEqual(['i', 'u', 'd', 'n']);
      expect(previews[0]!.text).toContain('Pluto');
      expect(previews[1]!.text).toContain('Terra');
      for (const preview of previews) expect(preview.text).not.toBe('');
      expect(await byOrdinal(table)).toEqual(before);
    });

    test('an unknown table accepts no changes', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const changes: Change[] = [{ kind: 'insert', id: 'i', values: { title: 'x' } }];
      await failure(save(fixture.session, { table: 'NoSuchTable', changes }), 'not_found');
      const tables = await fixture.session.listTables(call());
      expect(tables.map((table) => table.name)).not.toContain('NoSuchTable');
    });
  });

  /** Whether the user may choose the key of a new row. */
  function hasTypedKey(): boolean {
    return fixture.description.key.every((name) => {
      const column = columnNamed(fixture.description, name);
      return column.readOnly === undefined || column.insertable;
    });
  }
}

function statusById(outcomes: ChangeOutcome[]): Record<string, string> {
  return Object.fromEntries(outcomes.map(({ id, status }) => [id, status]));
}
