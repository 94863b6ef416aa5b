import { describe, expect, test } from 'vitest';
import { type ColumnType, type Filter, type FilterOperator, operatorArity } from '../index.ts';
import {
  ascending,
  browseAll,
  call,
  columnNamed,
  type Fixture,
  failure,
  ordinals,
  readRows,
  takes,
} from './fixture.ts';
import { needs } from './needs.ts';
import { matches } from './oracle.ts';
import { columnOf } from './sample.ts';
import type { ContractTarget } from './target.ts';

export function describeFilters(fixture: Fixture, target: ContractTarget): void {
  describe('filters', () => {
    describe.each(target.types)('on a column of type %s', (type) => {
      test.each(target.manifest.operators)(
        '%s finds the right rows or is refused as declared',
        async (operator) => {
          for (const filter of filtersFor(type, operator)) await check(type, filter);
        },
      );
    });

    test('rows must match all filters, or any of them, as requested', async () => {
      const { description } = fixture;
      needs(takes(description, 'title', 'equals'), 'the filter equals does not run on title');
      needs(takes(description, 'ordinal', 'less_than'), 'the filter less_than does not run on ordinal');
      const filters: Filter[] = [
        { column: 'title', operator: 'equals', value: 'Mars' },
        { column: 'ordinal', operator: 'less_than', value: 6 },
      ];
      for (const match of ['all', 'any'] as const) {
        const expected = fixture.spec.rows.filter((row) => {
          const passes = filters.map((filter) =>
            passesFilter(filter, row, filter.column === 'title' ? 'text' : 'int'),
          );
          return match === 'all' ? passes.every(Boolean) : passes.some(Boolean);
        });
        const rows = await readRows(fixture.session, browseAll(fixture.table, { filters, match }));
        expect(ascending(ordinals(rows))).toEqual(ordinals(expected));
        expect(await fixture.session.count({ table: fixture.table, filters, match }, call())).toBe(
          expected.length,
        );
      }
    });

    test('filtered rows can be sorted and paged', async () => {
      needs(
        takes(fixture.description, 'ordinal', 'greater_or_equal'),
        'the filter greater_or_equal does not run on ordinal',
      );
      const filters: Filter[] = [{ column: 'ordinal', operator: 'greater_or_equal', value: 3 }];
      const sort = [{ column: 'ordinal', order: 'desc' as const }];
      const request = browseAll(fixture.table, { filters, sort, limit: 3, offset: 2 });
      const last = fixture.spec.rows.length - 1;
      expect(ordinals(await readRows(fixture.session, request))).toEqual([last - 2, last - 3, last - 4]);
    });

    test.each([
      ['a value that does not fit the column', { column: 'ordinal', operator: 'equals', value: 'abc' }],
      ['a missing value', { column: 'title', operator: 'equals' }],
      ['a range with one bound', { column: 'ordinal', operator: 'between', value: [1] }],
      ['a bound that does not fit the column', { column: 'ordinal', operator: 'between', value: [1, 'x'] }],
      ['an empty list', { column: 'ordinal', operator: 'in_list', value: [] }],
      ['a list with an open quote', { column: 'title', operator: 'in_list', value: 'a, "b' }],
      [
        'a list value that does not fit the column',
        { column: 'ordinal', operator: 'in_list', value: '1, x' },
      ],
      ['an invalid regular expression', { column: 'title', operator: 'regex', value: '(' }],
    ] satisfies [string, Filter][])(
      '%s makes browse and count fail with filter_unrunnable',
      async (_name, filter) => {
        await expectUnrunnable(filter);
      },
    );
  });

  async function check(type: ColumnType, filter: Filter): Promise<void> {
    const column = columnNamed(fixture.description, filter.column);
    const support = column.operators.find((entry) => entry.operator === filter.operator);
    if (!support || support.refusal !== undefined) return expectUnrunnable(filter);
    const expected = ordinals(fixture.spec.rows.filter((row) => passesFilter(filter, row, type)));
    const request = browseAll(fixture.table, { filters: [filter] });
    const note = JSON.stringify(filter);
    expect(ascending(ordinals(await readRows(fixture.session, request))), note).toEqual(expected);
    expect(await fixture.session.count(request, call()), note).toBe(expected.length);
  }

  async function expectUnrunnable(filter: Filter): Promise<void> {
    const request = browseAll(fixture.table, { filters: [filter] });
    await failure(fixture.session.browse(request, call()), 'filter_unrunnable');
    await failure(fixture.session.count(request, call()), 'filter_unrunnable');
    // The driver must also refuse this filter next to one that runs.
    const beside: Filter = { column: 'ordinal', operator: 'equals', value: 1 };
    const either = browseAll(fixture.table, { filters: [beside, filter], match: 'any' });
    await failure(fixture.session.browse(either, call()), 'filter_unrunnable');
  }

  function passesFilter(filter: Filter, row: Record<string, unknown>, type: ColumnType): boolean {
    const cell = (row[filter.column] ?? null) as Parameters<typeof matches>[1];
    return target.matches?.(filter, cell, type) ?? matches(filter, cell, type);
  }
}

/** Filters with this operator on the sample's column of this type. */
function filtersFor(type: ColumnType, operator: FilterOperator): Filter[] {
  const column = columnOf[type];
  const values = operator === 'regex' ? patterns : isTextual(operator) ? needles : scalars[type];
  switch (operatorArity(operator)) {
    case 'none':
      return [{ column, operator }];
    case 'one':
      return values.map((value) => ({ column, operator, value }));
    case 'two':
      return [{ column, operator, value: [values[0]!, values[1]!] }];
    case 'list':
      return [
        { column, operator, value: values },
        { column, operator, value: values.map(quoted).join(', ') },
      ];
  }
}

function quoted(value: string | number | boolean): string {
  return `"${String(value).replaceAll('"', '""')}"`;
}

function isTextual(operator: FilterOperator): boolean {
  return ['contains', 'not_contains', 'starts_with', 'ends_with'].includes(operator);
}

/** `5` is for columns of type `any`: there it occurs in numbers and in texts. */
const needles = ['ar', '%', '_', "O'N", '🪐', '\\', 'zzz', '5'];
const patterns = ['^M.*s$', '5$'];

const scalars: Record<ColumnType, (string | number | boolean)[]> = {
  text: ['Earth', 'Mars', `O'Neil "the" `, 'absent'],
  int: [0, 42, '3', 2147483648, 77],
  number: [0.1, 42, '-2.5', 77.5],
  boolean: [false, true],
  date: ['1999-12-31T23:59:59Z', '2026-07-28T09:30:00Z', '2001-01-01T00:00:00Z'],
  uuid: ['00000000-0000-4000-8000-000000000001', '6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10'],
  bytes: ['AAH/', 'aGk='],
  json: ['{}', '[]'],
  vector: ['[0.1,-2,3]', '[1,0,0]'],
  any: [-7, '5', 'five', '2024-05-01', 5],
};
