import { rowAt } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { holdsOnly } from './same-values.ts';
import type { Collection, Property } from './schema.ts';
import { call, openFixed } from './testing/fixed-server.ts';

const id = '00000000-0000-4000-8000-000000000001';
const text = (name: string) => ({ name, dataType: ['text'] });
const schema = () => ({
  classes: [
    {
      class: 'Thing',
      vectorConfig: { valueOf: { vectorizer: { none: {} } } },
      properties: [
        text('constructor'),
        { name: 'toString', dataType: ['int'] },
        { name: 'inner', dataType: ['object'], nestedProperties: [text('constructor'), text('name')] },
      ],
    },
  ],
});
const page = { table: 'Thing', filters: [], match: 'all' as const, sort: [], limit: 10, offset: 0 };

test('a property or vector with the name of a member of Object.prototype is NULL if the stored object lacks it', async () => {
  const { session } = await openFixed(schema, () => ({
    objects: [{ id, class: 'Thing', properties: { inner: { name: 'a' } }, vectors: {} }],
  }));
  const columns = ['constructor', 'toString', 'inner', 'vector: valueOf'];
  const { rows } = await session.browse({ ...page, columns }, call);
  expect(Object.values(rowAt(rows, 0))).toEqual([id, null, null, { name: 'a' }, null]);
});

test('an integer too large for GraphQL is read over REST, even if its property is named toString', async () => {
  const { session } = await openFixed(schema, ({ url, body }) => {
    if (url.startsWith('/v1/objects')) return { id, properties: { toString: 5_000_000_000 } };
    const found = { _additional: { id }, ...(!body.includes('GreaterThan') && { constructor: 'a' }) };
    return { data: { Get: { Thing: [found] } } };
  });
  const sort = [{ column: 'constructor', order: 'asc' as const }];
  const { rows } = await session.browse({ ...page, sort, columns: ['toString'] }, call);
  expect(Object.values(rowAt(rows, 0))).toEqual([id, 5_000_000_000]);
});

test('a column named constructor or toString is NULL if the answer to a query lacks it', async () => {
  const { session } = await openFixed(schema, () => ({ data: { Get: { Thing: [{ _additional: {} }] } } }));
  const query = '{ Get { Thing { constructor _additional { toString: distance } } } }';
  const { results } = await session.run({ text: query, ceiling: 'read', limit: 10 }, call);
  expect(results[0]?.kind === 'rows' && Object.values(rowAt(results[0].rows, 0))).toEqual([null, null]);
});

test('for a property named constructor, NULL and a missing value count as equal', () => {
  const property = { name: 'constructor', elementType: 'text', nested: [], references: [] };
  const collection = { properties: [property as unknown as Property] } as unknown as Collection;
  expect(holdsOnly({ id, properties: { constructor: null } as never }, {}, collection)).toBe(true);
  expect(holdsOnly({ id, properties: {} }, { constructor: null } as never, collection)).toBe(true);
});

test.each(['insert', 'update'] as const)('an %s sends a property named __proto__', async (kind) => {
  const own = () => ({ classes: [{ class: 'Thing', properties: [text('__proto__'), text('name')] }] });
  const { session, asked } = await openFixed(own, () => ({ id }));
  const values = Object.fromEntries([
    ['__proto__', 'a'],
    ['name', 'b'],
  ]);
  const change = kind === 'insert' ? { id: '1', kind, values } : { id: '1', kind, key: { uuid: id }, values };
  for await (const _ of session.applyChanges!(
    { table: 'Thing', changes: [change], rowTimeoutMs: 5_000 },
    call,
  ));
  const sent = asked.find(({ method }) => method === 'POST' || method === 'PATCH')!;
  expect(Object.entries(JSON.parse(sent.body).properties)).toEqual([
    ['__proto__', 'a'],
    ['name', 'b'],
  ]);
});
