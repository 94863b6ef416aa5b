import { expect, test } from 'vitest';
import { gridColumns } from './columns.ts';
import { readCollections } from './schema.ts';
import { whereOf } from './where.ts';

async function pattern(column: string, operator: 'contains' | 'starts_with' | 'ends_with', value: string) {
  const properties = ['word', 'lowercase', 'whitespace', 'field'].map((tokenization) => ({
    name: tokenization,
    dataType: ['text'],
    tokenization,
  }));
  const answer = { classes: [{ class: 'Book', properties }] };
  const client = { json: async () => answer } as unknown as Parameters<typeof readCollections>[0];
  const [collection] = await readCollections(client, new AbortController().signal);
  const context = { collection: collection!, hasNot: true, hasSearchOperator: true };
  return whereOf([{ column, operator, value }], 'all', gridColumns(collection!), context);
}

test.each([
  ['word', 'contains', ' the ', 'the'],
  ['word', 'starts_with', 'The, ', 'The'],
  ['word', 'ends_with', ' ΟΔΟΣ', 'ΟΔΟΣ'],
  ['lowercase', 'contains', ' The End ', 'The End'],
  ['whitespace', 'ends_with', ' the', 'the'],
  ['word', 'contains', 'the end', '*the end*'],
  ['field', 'contains', ' the ', '* the *'],
] as const)(
  'with the tokenization %s, the pattern for %s "%s" has no term that is only `*`',
  async (column, operator, value, sent) => {
    expect(await pattern(column, operator, value)).toMatchObject({ value: { type: 'text', value: sent } });
  },
);
