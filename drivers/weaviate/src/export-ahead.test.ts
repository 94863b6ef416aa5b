import { expect, test } from 'vitest';
import { type Asked, call, openFixed } from './testing/fixed-server.ts';

const schema = () => ({
  classes: [
    {
      class: 'Place',
      properties: [
        { name: 'name', dataType: ['text'] },
        { name: 'owner', dataType: ['object'], nestedProperties: [{ name: 'id', dataType: ['text'] }] },
      ],
    },
  ],
});

const uuid = (row: number) => `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`;
const exported = { table: 'Place', columns: ['uuid'], filters: [], match: 'all' as const, sort: [] };

/** A server with the objects 1 to `count`, in uuid order. It returns the page after the uuid in `after`. */
function objectsUpTo(count: number, properties: (row: number) => object) {
  return ({ url }: Asked) => {
    const { searchParams } = new URL(url, 'http://server');
    const after = searchParams.get('after');
    const first = after ? Number(after.slice(-12)) + 1 : 1;
    const last = Math.min(count, first + Number(searchParams.get('limit')) - 1);
    const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
    return {
      objects: rows.map((row) => ({ class: 'Place', id: uuid(row), properties: properties(row) })),
    };
  };
}

async function exportedIds(count: number, properties: (row: number) => object) {
  const { session, asked } = await openFixed(schema, objectsUpTo(count, properties));
  const ids: unknown[] = [];
  for await (const { values } of session.exportRows!(exported, call)) {
    const [column] = values;
    if (column?.kind === 'cells') ids.push(...column.cells);
  }
  return { ids, asked: asked.map(({ url }) => new URL(url, 'http://server').searchParams.get('after')) };
}

const all = (count: number) => Array.from({ length: count }, (_, index) => uuid(index + 1));

test('an export asks for the next batch after the last uuid of the previous batch', async () => {
  const { ids, asked } = await exportedIds(12_500, (row) => ({ name: `"id":"${uuid(row + 5)}"` }));
  expect(ids).toEqual(all(12_500));
  expect(asked.slice(0, 4)).toEqual(['', uuid(1_000), uuid(6_000), uuid(11_000)]);
});

test('large objects come in smaller batches', async () => {
  const text = 'x'.repeat(16 * 1024);
  const { ids, asked } = await exportedIds(2_000, () => ({ name: text }));
  expect(ids).toEqual(all(2_000));
  const [, next, last] = asked.map((after) => Number(after?.slice(-12)));
  expect(last! - next!).toBeGreaterThan(200);
  expect(last! - next!).toBeLessThan(260);
});

test('a nested member named id that has the uuid of another object causes no missing row', async () => {
  const { ids } = await exportedIds(12_500, (row) => ({ owner: { id: uuid(row + 700) } }));
  expect(ids).toEqual(all(12_500));
});

test('a table of one batch is read with one request', async () => {
  const { ids, asked } = await exportedIds(10, () => ({ name: 'x' }));
  expect(ids).toEqual(all(10));
  expect(asked).toEqual(['']);
});

test('a sorted export of exactly as many objects as the paging limit is complete', async () => {
  const { session } = await openFixed(schema, ({ body }) => {
    if (body.includes('Aggregate')) return { data: { Aggregate: { Place: [{ meta: { count: 10_000 } }] } } };
    const first = Number(/offset: (\d+)/.exec(body)?.[1] ?? 0) + 1;
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ _additional: { id: uuid(first + index) } }));
    return { data: { Get: { Place: rows } } };
  });
  const sort = [{ column: 'uuid', order: 'asc' as const }];
  let count = 0;
  for await (const { rowCount } of session.exportRows!({ ...exported, sort }, call)) count += rowCount;
  expect(count).toBe(10_000);
});

test('a sorted export of more than 10,000 objects is refused, and the message names a limit of Trestle, not of the server', async () => {
  const { session } = await openFixed(schema, () => ({
    data: { Aggregate: { Place: [{ meta: { count: 10_001 } }] } },
  }));
  const sort = [{ column: 'uuid', order: 'asc' as const }];
  await expect(Array.fromAsync(session.exportRows!({ ...exported, sort }, call))).rejects.toMatchObject({
    code: 'paging_limit',
    message: 'Trestle sorts no more than 10,000 objects for an export',
  });
});

test('if the consumer stops reading, at most one batch is read ahead', async () => {
  const { session, asked } = await openFixed(
    schema,
    objectsUpTo(20_000, () => ({ name: 'x' })),
  );
  const batches = session.exportRows!(exported, call)[Symbol.asyncIterator]();
  await batches.next();
  await batches.next();
  await new Promise((done) => setTimeout(done, 200));
  expect(asked).toHaveLength(3);
  await batches.return?.();
});
