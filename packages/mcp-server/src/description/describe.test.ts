import type { Core, DataAccess } from '@trestle/core';
import type { TableDescription } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { describeLines } from './describe.ts';

async function described(
  table: Partial<TableDescription>,
  tenants: string[] = [],
  language = 'sql',
): Promise<string[]> {
  const plain = {
    ...{ name: 't', kind: 'table', key: [], columns: [], indexes: [], foreignKeys: [], notes: [] },
    ...{ exampleQuery: '', partitioned: false },
  };
  const core = {
    data: {
      describe: async () => ({ ...plain, ...table }),
      partitions: async () => tenants.map((name) => ({ name })),
    },
    drivers: { get: () => ({ editor: { language } }) },
    connections: { get: () => undefined },
  } as unknown as Core;
  return describeLines(core, {} as DataAccess, 't', { detail: false });
}

test('the example keeps the spaces of a quoted name', async () => {
  const exampleQuery = 'SELECT *\nFROM "a  b"\nLIMIT 100;';
  expect(await described({ exampleQuery })).toContain('example: SELECT * FROM "a  b" LIMIT 100;');
});

test('the example names the first tenant, even if its name is `$&`', async () => {
  const lines = await described({ partitioned: true, exampleQuery: '(tenant: "<tenant>")' }, ['$&']);
  expect(lines).toEqual(expect.arrayContaining(['tenants: "$&"', 'example: (tenant: "$&")']));
  expect(await described({ partitioned: true })).toContain('tenants: none available');
});

test('a type with a line break stays in the line of its column', async () => {
  const column = { name: 'a', type: 'text', nativeType: 'x\ny', nullable: true, operators: [] };
  const columns = [column] as unknown as TableDescription['columns'];
  expect(await described({ columns })).toContain('a x y');
});

test('where the language is GraphQL, the tools stand before the query', async () => {
  const lines = await described({ exampleQuery: '{ Get }' }, [], 'graphql');
  expect(lines.slice(-2)).toEqual([
    'browse_table filters and sorts, aggregate_table counts and groups: both without a query',
    'example: { Get }',
  ]);
  expect(await described({ exampleQuery: 'SELECT 1' })).not.toContain(lines.at(-2));
});
