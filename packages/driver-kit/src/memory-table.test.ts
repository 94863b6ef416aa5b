import { expect, test } from 'vitest';
import type { Filter } from './filter.ts';
import { compareCodePoints, memoryFilter, memoryOperators } from './memory-filter.ts';
import { browseMemory, countMemory, type MemoryTable } from './memory-table.ts';
import { withoutEditor } from './no-editor.ts';
import { matches } from './testing/oracle.ts';
import { type Cell, rowAt } from './values.ts';

const planets: MemoryTable = {
  columns: [
    { name: 'id', type: 'int', nativeType: 'int' },
    { name: 'name', type: 'text', nativeType: 'text' },
    { name: 'moons', type: 'int', nativeType: 'int' },
  ],
  key: ['id'],
  rows: [
    [1, 'Mars', 2],
    [2, 'earth', 1],
    [3, 'Venus', null],
    [4, 'Ｖ', 0],
    [5, '🪐', 146],
  ],
};

function browse(request: Partial<Parameters<typeof browseMemory>[1]> = {}) {
  const { rows } = browseMemory(planets, {
    table: 'planets',
    filters: [],
    match: 'all',
    sort: [],
    limit: 100,
    offset: 0,
    ...request,
  });
  return Array.from({ length: rows.rowCount }, (_, index) => rowAt(rows, index));
}

const ids = (...filters: Filter[]) => browse({ filters }).map((row) => row.id);

test.each<[Filter, number[]]>([
  [{ column: 'name', operator: 'contains', value: 'EA' }, [2]],
  [{ column: 'name', operator: 'equals', value: 'Earth' }, []],
  [{ column: 'moons', operator: 'between', value: [1, 2] }, [1, 2]],
  [{ column: 'moons', operator: 'in_list', value: '2, 146' }, [1, 5]],
  [{ column: 'moons', operator: 'not_equals', value: 2 }, [2, 4, 5]],
  [{ column: 'moons', operator: 'is_null' }, [3]],
])('%o matches the right rows, and NULL matches only is_null', (filter, expected) => {
  expect(ids(filter)).toEqual(expected);
});

test('NaN does not equal a number', () => {
  const equals = memoryFilter({ column: 'moons', operator: 'equals', value: 2 }, planets.columns[2]!);
  expect([Number.NaN, 2, 2n].map((cell) => equals(cell))).toEqual([false, true, true]);
});

test.each<Omit<Filter, 'column'>>([
  { operator: 'contains', value: '5' },
  { operator: 'not_contains', value: '5' },
  { operator: 'starts_with', value: '5' },
  { operator: 'ends_with', value: '5' },
  { operator: 'regex', value: '5$' },
  { operator: 'regex', value: '^$' },
  { operator: 'is_empty' },
  { operator: 'is_not_empty' },
])('%o on a column of type any matches the cells that the driver contract expects', (condition) => {
  const filter = { column: 'loose', ...condition };
  const cells: Cell[] = [
    5,
    2.5,
    55n,
    -7,
    '5',
    'five',
    '',
    true,
    null,
    new Uint8Array([53]),
    new Uint8Array(),
  ];
  const passes = memoryFilter(filter, { name: 'loose', type: 'any', nativeType: '' });
  expect(cells.filter(passes)).toEqual(cells.filter((cell) => matches(filter, cell, 'any')));
});

test.each<[Omit<Filter, 'column'>, Cell[]]>([
  [{ operator: 'equals', value: 'true' }, [true, 'true']],
  [{ operator: 'equals', value: true }, [true, 'true']],
  [{ operator: 'not_equals', value: 'true' }, [false, 1]],
])('%o on a column of type any compares with the boolean and with the text', (condition, expected) => {
  const passes = memoryFilter(
    { column: 'loose', ...condition },
    { name: 'loose', type: 'any', nativeType: '' },
  );
  expect(([true, 'true', false, 1] as Cell[]).filter(passes)).toEqual(expected);
});

test('dates are compared and sorted as moments, and uuids without their case', () => {
  const dates = [
    '2026-07-28T00:00:00.000Z',
    '2026-07-28',
    '2026-07-28T01:00:00+02:00',
    '2026-07-28T00:00:00.000001Z',
  ];
  const column = { name: 'at', type: 'date' as const, nativeType: '' };
  const at = (operator: Filter['operator']) =>
    dates.filter(memoryFilter({ column: 'at', operator, value: '2026-07-28' }, column));
  expect(at('equals')).toEqual([dates[0], dates[1]]);
  expect([at('less_than'), at('greater_than')]).toEqual([[dates[2]], [dates[3]]]);

  const table: MemoryTable = { columns: [column], key: [], rows: ['soon', ...dates].map((date) => [date]) };
  const sort = [{ column: 'at', order: 'asc' as const }];
  const page = { table: 't', filters: [], match: 'all' as const, sort, limit: 9, offset: 0 };
  expect(browseMemory(table, page).rows.values).toEqual([
    { kind: 'cells', cells: [dates[2], dates[0], dates[1], dates[3], 'soon'] },
  ]);

  const uuid = '6F1C2B0E-8D4A-4C53-9D0F-2F7A2F1F9A10';
  const filter: Filter = { column: 'id', operator: 'equals', value: uuid };
  expect(memoryFilter(filter, { name: 'id', type: 'uuid', nativeType: '' })(uuid)).toBe(true);
});

test('texts compare by code point, and long texts compare quickly if they differ early', () => {
  const texts = ['', 'a', 'ab', 'b', '\ud83d', '\ud83da', '\ue000', '！', '🐀', '🐀a', '🪐', '🪐b'];
  const shuffled = texts.toSorted((a, b) => b.length - a.length || (a < b ? 1 : -1));
  expect(shuffled.sort(compareCodePoints)).toEqual(texts);
  const long = 'a'.repeat(1_000_000);
  for (let turn = 0; turn < 200; turn++) compareCodePoints(long, 'b');
});

test('the hint of an unknown column names the nearest one', () => {
  expect(() => ids({ column: 'moon', operator: 'is_null' })).toThrow(
    expect.objectContaining({ hint: 'Did you mean "moons"?' }),
  );
});

test('rows that match any filter, or all filters, are counted', () => {
  const filters: Filter[] = [
    { column: 'name', operator: 'starts_with', value: 'm' },
    { column: 'moons', operator: 'is_null' },
  ];
  expect(countMemory(planets, { table: 'planets', filters, match: 'any' })).toBe(2);
  expect(countMemory(planets, { table: 'planets', filters, match: 'all' })).toBe(0);
});

test('rows sort by code point, NULL first, and a page includes the key columns', () => {
  const byName = browse({ sort: [{ column: 'name', order: 'asc' }], columns: ['name'], offset: 2, limit: 3 });
  expect(byName).toEqual([
    { id: 2, name: 'earth' },
    { id: 4, name: 'Ｖ' },
    { id: 5, name: '🪐' },
  ]);
  expect(browse({ sort: [{ column: 'moons', order: 'asc' }] }).map((row) => row.id)).toEqual([3, 4, 2, 1, 5]);
});

test('NaN sorts as the largest number, and does not disturb the order of the other numbers', () => {
  const rows = [3, Number.NaN, 1n, null, Number.NaN, 2].map((cell, id) => [id, cell]);
  const table: MemoryTable = {
    columns: [planets.columns[0]!, { name: 'mass', type: 'number', nativeType: 'number' }],
    key: ['id'],
    rows,
  };
  const byMass = (order: 'asc' | 'desc') => {
    const sort = [{ column: 'mass', order }];
    const page = { table: 't', filters: [], match: 'all' as const, sort, limit: 9, offset: 0 };
    const sorted = browseMemory(table, page).rows;
    return rows.map((_, index) => rowAt(sorted, index).id);
  };
  expect([byMass('asc'), byMass('desc')]).toEqual([
    [3, 2, 5, 0, 1, 4],
    [1, 4, 0, 5, 2, 3],
  ]);
});

test.each<[Filter, string, string]>([
  [{ column: 'moons', operator: 'contains', value: '1' }, 'filter_unrunnable', 'Only text has this operator'],
  [{ column: 'moons', operator: 'equals', value: 'many' }, 'filter_unrunnable', 'moons equals'],
  [{ column: 'rings', operator: 'is_null' }, 'invalid_argument', 'There is no column "rings"'],
])('%o is refused', (filter, code, message) => {
  expect(() => ids(filter)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});

test('an operator that a type does not support has a refusal', () => {
  expect(memoryOperators('boolean', ['equals', 'less_than'])).toEqual([
    { operator: 'equals' },
    { operator: 'less_than', refusal: 'Values of type boolean have no order' },
  ]);
});

test('a driver without a query language refuses every statement', async () => {
  const call = { signal: new AbortController().signal };
  await expect(withoutEditor.classify('x', call)).rejects.toMatchObject({ code: 'unsupported' });
  await expect(withoutEditor.measure({ text: 'x' }, call)).rejects.toMatchObject({ code: 'unsupported' });
  await expect(withoutEditor.run({ text: 'x', ceiling: 'read', limit: 1 }, call)).rejects.toMatchObject({
    code: 'unsupported',
  });
});
