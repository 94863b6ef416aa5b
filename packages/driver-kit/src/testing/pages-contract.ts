import { describe, expect, test } from 'vitest';
import type { Sort } from '../index.ts';
import type { Cell } from '../values.ts';
import {
  ascending,
  browseAll,
  call,
  columnNamed,
  type Fixture,
  failure,
  ordinals,
  type Row,
  readRows,
} from './fixture.ts';
import { needs } from './needs.ts';
import { compareCells } from './oracle.ts';

export function describePages(fixture: Fixture): void {
  const all = () => fixture.spec.rows.map((row) => Number(row.ordinal));

  describe('pages', () => {
    test('a page holds the columns that are not deferred', async () => {
      const page = await fixture.session.browse(browseAll(fixture.table), call());
      const wanted = fixture.description.columns.filter((column) => !column.deferred);
      expect(page.rows.columns.map((column) => column.name).sort()).toEqual(
        wanted.map((column) => column.name).sort(),
      );
    });

    test('named columns come with the key and nothing else', async () => {
      const page = await fixture.session.browse(browseAll(fixture.table, { columns: ['title'] }), call());
      const names = new Set(['title', ...fixture.description.key]);
      expect(page.rows.columns.map((column) => column.name).sort()).toEqual([...names].sort());
    });

    test('pages have no gaps and no repeats', async () => {
      expect(ascending(ordinals(await inPages([])))).toEqual(all());
    });

    test('a page past the end is empty and has its columns', async () => {
      const page = await fixture.session.browse(browseAll(fixture.table, { offset: 500 }), call());
      expect(page.rows.rowCount).toBe(0);
      expect(page.rows.columns.length).toBeGreaterThan(0);
    });

    test('the count equals the number of rows', async () => {
      expect(await fixture.session.count({ table: fixture.table, filters: [], match: 'all' }, call())).toBe(
        all().length,
      );
    });

    test('each column that is not deferred sorts both ways, or is refused as declared', async () => {
      for (const column of fixture.description.columns.filter((candidate) => !candidate.deferred)) {
        for (const order of ['asc', 'desc'] as const) {
          const sort: Sort[] = [{ column: column.name, order }];
          if (column.unsortable !== undefined) {
            const refused = fixture.session.browse(browseAll(fixture.table, { sort }), call());
            await failure(refused, 'unsupported', 'invalid_argument');
            continue;
          }
          const rows = await readRows(fixture.session, browseAll(fixture.table, { sort }));
          expect(ascending(ordinals(rows)), column.name).toEqual(all());
          expectSorted(
            rows.map((row) => row[column.name] ?? null),
            order,
          );
        }
      }
    });

    test('ties keep their order from page to page', async () => {
      const sort: Sort[] = [{ column: 'title', order: 'desc' }];
      needs(
        columnNamed(fixture.description, 'title').unsortable === undefined,
        'the database does not sort by this column',
      );
      const whole = await readRows(fixture.session, browseAll(fixture.table, { sort }));
      expect(ordinals(await inPages(sort))).toEqual(ordinals(whole));
    });

    test('unknown tables and columns are errors', async () => {
      const { session, table } = fixture;
      await failure(session.browse(browseAll('NoSuchTable'), call()), 'not_found');
      await failure(session.count({ table: 'NoSuchTable', filters: [], match: 'all' }, call()), 'not_found');
      await failure(session.browse(browseAll(table, { columns: ['nope'] }), call()), 'invalid_argument');
      const sort: Sort[] = [{ column: 'nope', order: 'asc' }];
      await failure(session.browse(browseAll(table, { sort }), call()), 'invalid_argument');
      const filters = [{ column: 'nope', operator: 'is_null' as const }];
      await failure(
        session.browse(browseAll(table, { filters }), call()),
        'invalid_argument',
        'filter_unrunnable',
      );
      await failure(
        session.count({ table, filters, match: 'all' }, call()),
        'invalid_argument',
        'filter_unrunnable',
      );
    });

    test('readCells returns the requested columns of the requested rows', async () => {
      needs(fixture.session.readCells, 'the driver has no readCells');
      const rows = (await readRows(fixture.session, browseAll(fixture.table))).slice(2, 5);
      const keys = rows.map((row) =>
        Object.fromEntries(fixture.description.key.map((name) => [name, row[name]!])),
      );
      const cells = await fixture.session.readCells(
        { table: fixture.table, keys, columns: ['ordinal'] },
        call(),
      );
      const at = cells.columns.findIndex((column) => column.name === 'ordinal');
      expect(cells.values[at]).toEqual({ kind: 'cells', cells: ordinals(rows) });
    });
  });

  async function inPages(sort: Sort[]): Promise<Row[]> {
    const rows: Row[] = [];
    for (let offset = 0; ; offset += 4) {
      const page = await readRows(fixture.session, browseAll(fixture.table, { sort, limit: 4, offset }));
      rows.push(...page);
      expect(page.length).toBeLessThanOrEqual(4);
      if (page.length < 4) return rows;
    }
  }

  /** No NULL is between two values. The values are in order, wherever two neighbours can be compared. */
  function expectSorted(cells: Cell[], order: 'asc' | 'desc'): void {
    const present = cells.filter((cell) => cell !== null);
    const from = cells.findIndex((cell) => cell !== null);
    expect(cells.slice(Math.max(from, 0), Math.max(from, 0) + present.length)).toEqual(present);
    for (let index = 1; index < present.length; index++) {
      const difference = compare(present[index - 1]!, present[index]!);
      if (difference === undefined) continue;
      expect(
        order === 'asc' ? difference : -difference,
        `${present[index - 1]} then ${present[index]}`,
      ).toBeLessThanOrEqual(0);
    }
  }

  function compare(a: Cell, b: Cell): number | undefined {
    if (typeof a === 'string' && typeof b === 'string' && fixture.target.compareTexts)
      return fixture.target.compareTexts(a, b);
    return compareCells(a, b);
  }
}
