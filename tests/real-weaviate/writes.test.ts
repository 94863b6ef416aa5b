import { randomUUID } from 'node:crypto';
import { type Change, type ChangeOutcome, rowAt, type Session } from '@trestle/driver-kit';
import { save } from '@trestle/driver-kit/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

describeOnWeaviate('writes', ({ port }) => {
  const collection = `Writes${randomUUID().slice(0, 8)}`;
  const other = `${collection}Other`;
  const id = '11111111-1111-4111-8111-111111111111';
  let session: Session;

  beforeAll(async () => {
    session = await connect(port);
    for (const name of [collection, other]) {
      await rest(port, 'POST', '/schema', {
        class: name,
        vectorizer: 'none',
        properties: [
          { name: 'title', dataType: ['text'] },
          { name: 'pages', dataType: ['int'] },
          { name: 'tags', dataType: ['text[]'] },
          { name: 'uuid', dataType: ['text'] },
          { name: 'author', dataType: ['object'], nestedProperties: [{ name: 'name', dataType: ['text'] }] },
        ],
      });
    }
  });

  afterAll(async () => {
    await session.close();
    for (const name of [collection, other]) await rest(port, 'DELETE', `/schema/${name}`);
  });

  beforeEach(async () => {
    for (const name of [collection, other]) {
      await rest(port, 'DELETE', `/objects/${name}/${id}`);
      const properties = { title: 'One', pages: 3_000_000_000, tags: ['a', 'b'], uuid: 'own' };
      await rest(port, 'POST', '/objects', { class: name, id, properties, vector: [0.1, 0.2, 0.3] });
    }
  });

  async function apply(...changes: Change[]): Promise<ChangeOutcome[]> {
    return save(session, { table: collection, changes });
  }

  async function stored(name = collection): Promise<unknown> {
    return rest(port, 'GET', `/objects/${name}/${id}?include=vector`);
  }

  async function propertyNames(): Promise<string[]> {
    const schema = (await rest(port, 'GET', `/schema/${collection}`)) as { properties: { name: string }[] };
    return schema.properties.map(({ name }) => name);
  }

  test('deleting a row does not delete the row with the same uuid in another collection', async () => {
    expect(await apply({ kind: 'delete', id: 'd', key: { uuid: id } })).toEqual([
      { id: 'd', status: 'applied' },
    ]);
    expect(await stored()).toBeNull();
    expect(await stored(other)).toMatchObject({ id, properties: { title: 'One' } });
  });

  test('a PATCH of one cell leaves the other properties and the vector as they were', async () => {
    await apply({ kind: 'update', id: 'u', key: { uuid: id }, values: { title: 'Two' } });
    expect(await stored()).toMatchObject({
      properties: { title: 'Two', pages: 3_000_000_000, tags: ['a', 'b'], uuid: 'own' },
      vector: [0.1, 0.2, 0.3],
    });
    expect(await stored(other)).toMatchObject({ properties: { title: 'One' } });
  });

  test('NULL removes the property', async () => {
    await apply({ kind: 'update', id: 'u', key: { uuid: id }, values: { tags: null } });
    expect(await stored()).toMatchObject({ properties: { title: 'One' } });
    expect(await stored()).not.toHaveProperty('properties.tags');
  });

  test('an insert whose uuid is taken or malformed fails, and the other rows are saved', async () => {
    const outcomes = await apply(
      { kind: 'insert', id: 'taken', values: { uuid: id, title: 'X' } },
      { kind: 'insert', id: 'no uuid', values: { uuid: 'zzz', title: 'X' } },
      { kind: 'insert', id: 'good', values: { title: 'New', tags: ['x'] } },
    );
    expect(outcomes.map(({ id: change, status }) => [change, status])).toEqual([
      ['taken', 'failed'],
      ['no uuid', 'failed'],
      ['good', 'applied'],
    ]);
    expect(outcomes[0]?.error).toMatchObject({ code: 'conflict' });
    expect(await stored()).toMatchObject({ properties: { title: 'One' } });
  });

  test.each([
    ['a missing column', { nope: 'x' }],
    ['a missing member of an object', { author: { name: 'A', nope: 1 } }],
    ['a column whose name differs only in case', { Title: 'x' }],
  ])('a write to %s fails and adds no column', async (_what, values) => {
    const before = await propertyNames();
    const outcomes = await apply(
      { kind: 'update', id: 'u', key: { uuid: id }, values },
      { kind: 'insert', id: 'i', values },
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(await propertyNames()).toEqual(before);
  });

  test('a property called uuid is shown and edited beside the key', async () => {
    const key = { uuid: id };
    await apply({ kind: 'update', id: 'u', key, values: { 'uuid (property)': 'mine' } });
    const page = await session.browse(
      { table: collection, filters: [], match: 'all', sort: [], limit: 10, offset: 0 },
      call,
    );
    // Other tests may have added rows, so the edited row can be at any place.
    const rows = Array.from({ length: page.rows.rowCount }, (_, row) => rowAt(page.rows, row));
    expect(rows.find(({ uuid }) => uuid === id)).toMatchObject({ 'uuid (property)': 'mine' });
  });

  test('a row without uuid is skipped, and the other row is saved', async () => {
    const outcomes = await apply(
      { kind: 'update', id: 'a', key: null, values: { title: 'X' } },
      { kind: 'delete', id: 'b', key: null },
      { kind: 'update', id: 'c', key: { uuid: id }, values: { title: 'Three' } },
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'applied']);
  });

  test('the preview shows the request of each change', async () => {
    const previews = await session.previewChanges?.(
      {
        table: collection,
        changes: [
          { kind: 'update', id: 'u', key: { uuid: id }, values: { title: 'Two' } },
          { kind: 'delete', id: 'd', key: { uuid: id } },
        ],
      },
      call,
    );
    expect(previews?.map(({ text }) => text.split('\n')[0])).toEqual([
      `PATCH /v1/objects/${id}?class=${collection}`,
      `DELETE /v1/objects/${collection}/${id}`,
    ]);
  });
});
