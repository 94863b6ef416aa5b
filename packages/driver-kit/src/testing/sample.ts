import type { Cell, ColumnType } from '../values.ts';
import type { ContractTarget, TableSpec } from './target.ts';

/** The name of the sample's column of the given type. */
export const columnOf: Record<ColumnType, string> = {
  text: 'title',
  int: 'amount',
  number: 'ratio',
  boolean: 'flag',
  date: 'moment',
  uuid: 'reference',
  bytes: 'payload',
  json: 'details',
  vector: 'embedding',
  any: 'loose',
};

/** A table with a column for each type of the target. `ordinal` identifies the rows, whatever key the database uses. */
export function sampleTable(target: ContractTarget, name: string): TableSpec {
  const columns = [
    { name: 'ordinal', type: 'int' as const },
    ...target.types.map((type) => ({ name: columnOf[type], type })),
  ];
  const rows = titles.map((title, ordinal) => {
    const row: Record<string, Cell> = { ordinal };
    for (const type of target.types) {
      const values: Cell[] = type === 'text' ? titles : valuesOf(target, type);
      row[columnOf[type]] = type === 'text' ? title : values[ordinal % values.length]!;
    }
    return row;
  });
  return { name, columns, rows };
}

export function plainTable(name: string, count: number): TableSpec {
  return {
    name,
    columns: [
      { name: 'ordinal', type: 'int' },
      { name: 'title', type: 'text' },
    ],
    rows: Array.from({ length: count }, (_, ordinal) => ({ ordinal, title: `row ${ordinal}` })),
  };
}

/** Values that survive a round trip. The lists have various lengths, so that rows combine different values. */
export function valuesOf(target: ContractTarget, type: ColumnType): Cell[] {
  if (type === 'int' && target.bigIntegers) return [...values.int, 9007199254740993n, -9223372036854775808n];
  return type === 'text' ? titles : values[type];
}

const titles: (string | null)[] = [
  'Mercury',
  'Venus',
  'Earth',
  'Mars',
  'Jupiter',
  'Saturn',
  'Uranus',
  'Neptune',
  null,
  '',
  'earth',
  'Mars',
  '100%_sure',
  '%',
  'a_b',
  `O'Neil "the" `,
  'one, two',
  'Žluťoučký 🪐',
  'back\\slash',
  'Mars',
  'line\nbreak',
  '*?[x]',
  null,
];

const values: Record<Exclude<ColumnType, 'text'>, Cell[]> = {
  int: [3, -1, 0, null, 42, 3, 2147483648],
  number: [0.1, -2.5, null, 0, 1e300, 42, 0.1, 3.25],
  boolean: [true, false, null, true, false],
  date: ['2026-07-28T09:30:00Z', '1999-12-31T23:59:59Z', null, '2026-07-28T09:30:01Z'],
  uuid: ['6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10', '00000000-0000-4000-8000-000000000001', null],
  bytes: [new Uint8Array([0, 1, 255]), null, new Uint8Array([104, 105])],
  json: [{ a: [1, { b: 'x' }], c: true }, null, { a: [], c: false }],
  vector: [
    [0.1, -2, 3],
    [1, 0, 0],
    [0, 0.5, -0.25],
  ],
  any: [5, '5', 'five', null, 2.5, '2024-05-01', -7, new Uint8Array([1]), ''],
};
