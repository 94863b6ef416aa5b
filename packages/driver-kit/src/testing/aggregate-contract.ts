import { describe, expect, test } from 'vitest';
import type { AggregateRequest, Filter, Measure } from '../index.ts';
import type { ColumnType } from '../values.ts';
import { call, type Fixture, failure, rowsOf, takes } from './fixture.ts';
import { needs } from './needs.ts';
import { columnOf } from './sample.ts';
import type { ContractTarget } from './target.ts';

/** Each number is the right one, or the driver refuses it by name. */
export function describeAggregates(fixture: Fixture, target: ContractTarget): void {
  describe('aggregates', () => {
    const assertOffered = () => needs(fixture.session.aggregate, 'the driver has no aggregate');
    const ask = (more: Partial<AggregateRequest> = {}) =>
      fixture.session.aggregate!(
        { table: fixture.table, filters: [], match: 'all', by: [], measured: [], groups: 100, ...more },
        call(),
      );
    const valuesOf = (type: ColumnType, rows = fixture.spec.rows) =>
      rows.map((row) => row[columnOf[type]] ?? null).filter((value) => value !== null);

    test('without groups, one row counts all rows', async () => {
      assertOffered();
      const { rows, hasMore } = await ask();
      expect([rowsOf(rows), hasMore]).toEqual([[{ rows: fixture.spec.rows.length }], false]);
    });

    test('filters choose the rows that are counted', async () => {
      assertOffered();
      needs(
        takes(fixture.description, 'ordinal', 'less_than'),
        'the filter less_than does not run on ordinal',
      );
      const filters: Filter[] = [{ column: 'ordinal', operator: 'less_than', value: 3 }];
      expect(rowsOf((await ask({ filters })).rows)).toEqual([{ rows: 3 }]);
      const none: Filter[] = [{ column: 'ordinal', operator: 'less_than', value: -1 }];
      expect(rowsOf((await ask({ filters: none })).rows)).toEqual([{ rows: 0 }]);
      expect(rowsOf((await ask({ filters: none, by: ['title'] })).rows)).toEqual([]);
    });

    test.each(target.types)(
      'groups by a column of type %s count each value, or are refused',
      async (type) => {
        assertOffered();
        const column = columnOf[type];
        const counts = new Map<unknown, number>();
        for (const value of valuesOf(type)) counts.set(plain(value), (counts.get(plain(value)) ?? 0) + 1);
        const found = await ask({ by: [column] }).catch((error) => error);
        if (found instanceof Error) {
          await failure(Promise.reject(found), 'unsupported');
          expect(found.message).toContain(column);
          return;
        }
        const groups = rowsOf(found.rows).filter((row) => row[column] !== null);
        const sizes = groups.map(({ rows }) => Number(rows));
        expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
        expect(new Map(groups.map((row) => [plain(row[column]), Number(row.rows)]))).toEqual(counts);
      },
    );

    test('a limit on groups keeps the largest, and says that there are more', async () => {
      assertOffered();
      const all = rowsOf((await ask({ by: ['ordinal'] })).rows);
      const { rows, hasMore } = await ask({ by: ['ordinal'], groups: 2 });
      expect([rows.rowCount, hasMore, all.length > 2]).toEqual([2, true, true]);
    });

    const measures: Measure[] = ['count', 'sum', 'mean', 'min', 'max', 'top_values'];
    test.each(target.types.flatMap((type) => measures.map((measure) => [measure, type] as const)))(
      '%s of a column of type %s is right, or refused by name',
      async (measure, type) => {
        assertOffered();
        const column = columnOf[type];
        const found = await ask({ measured: [{ column, measure }] }).catch((error) => error);
        if (found instanceof Error) {
          expect((await failure(Promise.reject(found), 'unsupported', 'query_failed')).message).not.toBe('');
          return;
        }
        const [row] = rowsOf(found.rows);
        const values = valuesOf(type);
        const value = row?.[`${measure}(${column})`];
        if (measure === 'count') expect(Number(value)).toBe(values.length);
        if (measure === 'top_values') expect((value as unknown[]).length).toBeGreaterThan(0);
        if (type !== 'int' && type !== 'number') return;
        const numbers = values.map(Number);
        if (measure === 'min') expect(Number(value)).toBe(Math.min(...numbers));
        if (measure === 'max') expect(Number(value)).toBe(Math.max(...numbers));
        const sum = numbers.reduce((total, one) => total + one, 0);
        if (measure === 'sum') expect(Number(value)).toBeCloseTo(sum, 3);
        if (measure === 'mean') expect(Number(value) / (sum / numbers.length)).toBeCloseTo(1, 3);
      },
    );

    test('measures stand in each group', async () => {
      assertOffered();
      const measured = [{ column: 'ordinal', measure: 'max' as const }];
      const { rows } = await ask({ by: ['title'], measured });
      const last = new Map<unknown, number>();
      for (const row of fixture.spec.rows) if (row.title !== null) last.set(row.title, Number(row.ordinal));
      const found = rowsOf(rows).filter(({ title }) => title !== null);
      expect(new Map(found.map((row) => [row.title, Number(row['max(ordinal)'])]))).toEqual(last);
    });

    test('an unknown column is refused before anything is counted', async () => {
      assertOffered();
      await failure(ask({ by: ['nowhere'] }), 'invalid_argument', 'not_found');
      await failure(
        ask({ measured: [{ column: 'nowhere', measure: 'count' }] }),
        'invalid_argument',
        'not_found',
      );
    });

    test('a guarded column cannot be grouped by, measured or filtered by', async () => {
      assertOffered();
      const guarded = [{ table: '*', column: 'title' }];
      await failure(ask({ guarded, by: ['title'] }), 'refused');
      for (const measure of measures)
        await failure(ask({ guarded, measured: [{ column: 'title', measure }] }), 'refused');
      const filters: Filter[] = [{ column: 'title', operator: 'equals', value: 'Mars' }];
      await failure(ask({ guarded, filters }), 'refused');
      expect(rowsOf((await ask({ guarded })).rows)).toEqual([{ rows: fixture.spec.rows.length }]);
    });
  });
}

function plain(value: unknown): string {
  if (value instanceof Uint8Array) return `bytes ${value.toBase64()}`;
  return `${typeof value === 'bigint' ? 'number' : typeof value} ${value}`;
}
