import { expect, test } from 'vitest';
import { gridColumns } from './columns.ts';
import { readCollections } from './schema.ts';
import { whereOf } from './where.ts';

const range =
  'Filter on at: Weaviate compares dates from 1677-09-21T00:12:43.145224192Z to 2262-04-11T23:47:16.854775807Z only';

async function where(value: string) {
  const classes = [{ class: 'Event', properties: [{ name: 'at', dataType: ['date'] }] }];
  const client = { json: async () => ({ classes }) } as unknown as Parameters<typeof readCollections>[0];
  const [collection] = await readCollections(client, new AbortController().signal);
  const context = { collection: collection!, hasNot: true, hasSearchOperator: true };
  const filter = { column: 'at', operator: 'equals' as const, value };
  return whereOf([filter], 'all', gridColumns(collection!), context);
}

test.each([
  '1677-09-21T00:12:43.145224192Z',
  '2262-04-11T23:47:16.854775807Z',
  '2262-04-12T01:47:16.854775807+02:00',
  '2262-01-01T00:00:00Z',
])('a filter by the date %s is accepted', async (value) => {
  expect(await where(value)).toMatchObject({ path: ['at'], value: { type: 'date', value } });
});

test.each([
  '1677-09-21T00:12:43.145224191Z',
  '2262-04-11T23:47:16.854775808Z',
  '2262-04-11T23:47:17-00:00',
  '1677-09-21',
  '2262-04-11',
  '9999-12-31',
])('a filter by the date %s is refused: the server would compare another date', async (value) => {
  await expect(where(value)).rejects.toMatchObject({ code: 'filter_unrunnable', message: range });
});

test('a filter by the last day of 2261 ends at the start of 2262', async () => {
  expect(await where('2261-12-31')).toMatchObject({
    operands: [{ value: { value: '2261-12-31T00:00:00Z' } }, { value: { value: '2262-01-01T00:00:00Z' } }],
  });
});
