import { describe, expect, test } from 'vitest';
import { type Change, type ColumnType, rowAt } from '../index.ts';
import type { Cell } from '../values.ts';
import { browseAll, call, columnNamed, type Fixture, keyOf, readRows } from './fixture.ts';
import { needs } from './needs.ts';
import { columnOf, valuesOf } from './sample.ts';
import { save } from './save.ts';
import type { ContractTarget } from './target.ts';

export function describeValues(fixture: Fixture, target: ContractTarget): void {
  describe('values', () => {
    test.each(target.types)('%s reads back as it was seeded', async (type) => {
      const column = columnOf[type];
      const expected = fixture.spec.rows.map((row) => row[column] ?? null);
      expect(await readColumn(fixture.table, column)).toEqual(expected);
    });

    test.each(target.types)('%s reads back as it was saved', async (type) => {
      const column = columnOf[type];
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      needs(columnNamed(fixture.description, column).readOnly === undefined, 'the column cannot be written');
      const table = await fixture.freshTable();
      const values = [...valuesOf(target, type), ...(extraValues[type] ?? [])];
      const changes: Change[] = values.map((value, index) => ({
        kind: 'insert',
        id: String(index),
        values: { ordinal: 1000 + index, [column]: value },
      }));
      const outcomes = await save(fixture.session, { table, changes });
      expect(outcomes.filter((outcome) => outcome.status !== 'applied')).toEqual([]);
      expect((await readColumn(table, column)).slice(fixture.spec.rows.length)).toEqual(values);
    });

    test('an update can set a cell to NULL and to the empty text', async () => {
      needs(fixture.session.applyChanges, 'the driver has no applyChanges');
      const table = await fixture.freshTable();
      const rows = await readRows(
        fixture.session,
        browseAll(table, { sort: [{ column: 'ordinal', order: 'asc' }] }),
      );
      const changes: Change[] = [
        { kind: 'update', id: '0', key: keyOf(fixture.description, rows[0]!), values: { title: null } },
        { kind: 'update', id: '1', key: keyOf(fixture.description, rows[1]!), values: { title: '' } },
      ];
      await save(fixture.session, { table, changes });
      expect((await readColumn(table, 'title')).slice(0, 3)).toEqual([null, '', 'Earth']);
    });
  });

  /** The cells of the column, in the order of `ordinal`. A page lacks deferred columns, so `readCells` reads them. */
  async function readColumn(table: string, column: string): Promise<Cell[]> {
    const request = browseAll(table, { sort: [{ column: 'ordinal', order: 'asc' }] });
    const rows = await readRows(fixture.session, request);
    if (!columnNamed(fixture.description, column).deferred) return rows.map((row) => row[column] ?? null);
    const keys = rows.map((row) => keyOf(fixture.description, row));
    const cells = await fixture.session.readCells!({ table, keys, columns: [column] }, call());
    return keys.map((_, index) => rowAt(cells, index)[column] ?? null);
  }
}

const extraValues: Partial<Record<ColumnType, Cell[]>> = {
  text: ['\u00e9 \u0065\u0301', 'tab\tand \r\n', '-- ; DROP TABLE x', '{"not":"parsed"}', ' padded ', '0123'],
  int: [Number.MAX_SAFE_INTEGER, -2147483649],
  number: [0.30000000000000004, -1e-300, 123456789.123],
};
