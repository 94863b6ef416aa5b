import {
  type Cell,
  type ColumnType,
  type Filter,
  type FilterOperator,
  filterOperators,
  operatorArity,
} from '@trestle/driver-kit';
import { compareCodePoints, matches } from '@trestle/driver-kit/testing';
import { type RandomSource, randomSource } from '@trestle/driver-kit/testing/random';
import { expect, test } from 'vitest';
import { literal } from './sql.ts';
import { call, temporaryDatabase } from './testing/temporary-database.ts';
import { toStored } from './values.ts';

const texts = [
  '',
  'a',
  'A',
  'ab',
  'aB%',
  '_b',
  '%',
  '\\',
  "'",
  "it's",
  '"',
  '5',
  '-7',
  '2.5',
  '1e3',
  'é',
  'É',
  '🪐',
  'a\0b',
  '\0',
  'a,b',
  ' x ',
];
const numbers = [0, 1, 5, -7, 2.5, 1000, 9007199254740991];
const columns: { name: string; declared: string; type: ColumnType; cells: Cell[] }[] = [
  { name: 't', declared: 'TEXT', type: 'text', cells: [null, ...texts] },
  { name: 'i', declared: 'INTEGER', type: 'int', cells: [null, 0, 1, 5, -7, 1000, 9007199254740993n] },
  { name: 'r', declared: 'REAL', type: 'number', cells: [null, ...numbers] },
  { name: 'x', declared: '', type: 'any', cells: [null, ...texts, ...numbers, new Uint8Array([97])] },
  { name: 'order "by"', declared: 'TEXT', type: 'text', cells: [null, ...texts] },
];

test('random filters find the rows that a simple implementation finds', async () => {
  const random = randomSource(7);
  const rows = Array.from({ length: 60 }, () => columns.map((column) => random.pick(column.cells)));
  const declared = columns.map((column) => `"${column.name.replaceAll('"', '""')}" ${column.declared}`);
  const values = rows.map((row) => `(${row.map((cell) => literal(toStored(cell))).join(', ')})`);
  const { session } = await temporaryDatabase(
    `CREATE TABLE t (${declared.join(', ')}); INSERT INTO t VALUES ${values.join(', ')};`,
  );
  let ran = 0;
  for (let round = 0; round < 3000; round++) {
    const chosen = Array.from({ length: 1 + random.below(3) }, () => random.pick(columns));
    const filters = chosen.map((column) => randomFilter(random, column.name, column.type));
    const match = random.pick(['all', 'any'] as const);
    const request = { table: 't', filters, match, sort: [], limit: 100, offset: 0, columns: [] };
    const page = await session.browse(request, call);
    const found = page.rows.values[0]!.kind === 'cells' ? page.rows.values[0]!.cells : [];
    const expected = rows.flatMap((row, index) => {
      const passes = filters.map((filter, at) =>
        matches(filter, row[columns.indexOf(chosen[at]!)]!, chosen[at]!.type),
      );
      return (match === 'all' ? passes.every(Boolean) : passes.some(Boolean)) ? [index + 1] : [];
    });
    expect({ filters, match, found }).toEqual({ filters, match, found: expected });
    ran += expected.length;
  }
  expect(ran).toBeGreaterThan(1000);
});

test('text is sorted by code point, and the pages together equal the whole result', async () => {
  const { session } = await temporaryDatabase(
    `CREATE TABLE t (x TEXT); INSERT INTO t VALUES ${[...texts, ...texts].map(literal).join('), (').replace(/^/, '(')});`,
  );
  const sort = [{ column: 'x', order: 'desc' as const }];
  const request = { table: 't', filters: [], match: 'all' as const, sort, columns: ['x'] };
  const whole = await session.browse({ ...request, limit: 100, offset: 0 }, call);
  const cells = whole.rows.values.map((column) => (column.kind === 'cells' ? column.cells : []));
  const sorted = [...(cells[0] as string[])].sort((a, b) => compareCodePoints(b, a));
  expect(cells[0]).toEqual(sorted);
  const paged: Cell[] = [];
  for (let offset = 0; offset < texts.length * 2; offset += 3) {
    const page = await session.browse({ ...request, limit: 3, offset }, call);
    if (page.rows.values[1]?.kind === 'cells') paged.push(...page.rows.values[1].cells);
  }
  expect(paged).toEqual(cells[1]);
});

test.each([
  [{ column: 'i', operator: 'equals', value: 'abc' }, 'Expected a whole number such as 42'],
  [{ column: 'i', operator: 'equals', value: 1.5 }, 'Expected a whole number such as 42'],
  [
    { column: 'i', operator: 'equals', value: '9223372036854775809' },
    'outside the range of a 64-bit integer',
  ],
  [{ column: 'r', operator: 'between', value: ['1', 'x'] }, 'Expected a number such as 3.14'],
  [{ column: 't', operator: 'contains', value: '' }, 'there is no text to look for'],
  [{ column: 't', operator: 'regex', value: '(' }, 'Invalid regular expression'],
  [{ column: 'b', operator: 'contains', value: 'x' }, 'Binary data'],
  [{ column: 'b', operator: 'equals', value: '???' }, 'Expected base64'],
  [{ column: 't', operator: 'in_list', value: '' }, 'the list is empty'],
  [{ column: 't', operator: 'LIKE' as FilterOperator, value: 'x' }, 'there is no such operator'],
  [{ column: 't', operator: 'equals', value: null as unknown as string }, 'it takes one value'],
] satisfies [Filter, string][])('the filter %j is refused with the reason "%s"', async (filter, reason) => {
  const { session } = await temporaryDatabase(
    'CREATE TABLE t (i INTEGER, r REAL, t TEXT, b BLOB); INSERT INTO t VALUES (1, 1, 1, 1);',
  );
  const request = { table: 't', filters: [filter], match: 'all' as const, sort: [], limit: 10, offset: 0 };
  await expect(session.browse(request, call)).rejects.toMatchObject({
    code: 'filter_unrunnable',
    message: expect.stringContaining(reason),
  });
});

test('a boolean column accepts true and false, and a number comparison matches no text', async () => {
  const { session } = await temporaryDatabase(
    "CREATE TABLE t (flag BOOLEAN, n INTEGER); INSERT INTO t VALUES (1, 5), (0, 'many'), (NULL, 7);",
  );
  const found = async (filter: Filter) =>
    session.count({ table: 't', filters: [filter], match: 'all' }, call);
  expect(await found({ column: 'flag', operator: 'equals', value: true })).toBe(1);
  expect(await found({ column: 'flag', operator: 'equals', value: 'false' })).toBe(1);
  expect(await found({ column: 'n', operator: 'greater_than', value: 5 })).toBe(1);
});

function randomFilter(random: RandomSource, column: string, type: ColumnType): Filter {
  const operator = random.pick(filterOperators);
  const textual = ['contains', 'not_contains', 'starts_with', 'ends_with'].includes(operator);
  const value = () => {
    if (operator === 'regex') return random.pick(['^a', 'b$', '^.$', '\\d', "'"]);
    if (textual) return random.pick(texts.filter((text) => text !== ''));
    if (type === 'text') return random.pick(texts);
    if (type === 'any') return random.pick([...texts, ...numbers]);
    return random.pick(type === 'int' ? ['0', 5, '-7', '9007199254740993', 1000] : [0, '2.5', 1000, -7.0]);
  };
  switch (operatorArity(operator)) {
    case 'none':
      return { column, operator };
    case 'one':
      return { column, operator, value: value() };
    case 'two':
      return { column, operator, value: [value(), value()] };
    case 'list':
      return { column, operator, value: Array.from({ length: 1 + random.below(3) }, value) };
  }
}
