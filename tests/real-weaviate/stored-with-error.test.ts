import { randomUUID } from 'node:crypto';
import type { Cell, Change, ChangeOutcome, Insert, Session } from '@trestle/driver-kit';
import { follow } from '@trestle/driver-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

/** By version: a vector that the server stores with its object, but cannot put into the index of the collection. */
const unfitting: Record<string, { schema: object; first: Record<string, Cell>; bad: Record<string, Cell> }> =
  {
    // The flat index of this version checks the length only after the object is stored.
    '1.27.27': {
      schema: { vectorizer: 'none', vectorIndexType: 'flat' },
      first: { vector: [1, 2, 3] },
      bad: { vector: [1, 2] },
    },
    // A single vector for an index of multi-vectors.
    '1.39.0': {
      schema: {
        vectorConfig: {
          colours: {
            vectorizer: { none: {} },
            vectorIndexType: 'hnsw',
            vectorIndexConfig: { multivector: { enabled: true } },
          },
        },
      },
      first: {
        'vector: colours': [
          [1, 2],
          [3, 4],
        ],
      },
      bad: { 'vector: colours': [1, 2] },
    },
  };

describeOnWeaviate('an object that is stored with an error of its index', ({ port, version }) => {
  const { schema, first, bad } = unfitting[version]!;
  const table = `Unfit${randomUUID().slice(0, 8)}`;
  let session: Session;

  beforeAll(async () => {
    const properties = [{ name: 'title', dataType: ['text'] }];
    await rest(port, 'POST', '/schema', { class: table, properties, ...schema });
    session = await connect(port);
    expect(await save({ kind: 'insert', id: 'first', values: { title: 'first', ...first } })).toMatchObject({
      status: 'applied',
    });
  });
  afterAll(async () => {
    await session?.close();
    await rest(port, 'DELETE', `/schema/${table}`);
  });

  const rowTimeoutMs = 30_000;
  async function save(change: Change): Promise<ChangeOutcome> {
    const { outcomes } = await follow(
      session.applyChanges!({ table, changes: [change], rowTimeoutMs }, call),
    );
    return outcomes.get(change.id)!;
  }
  const warning = expect.stringMatching(
    /^Stored, but the server reports an error, so a search may not find this row: .*index/,
  );

  test('a saved row is applied with a warning, and not stored twice when it is sent again', async () => {
    const change: Insert = { kind: 'insert', id: 'c', values: { title: 'saved', ...bad } };
    const saved = await save(change);
    expect(saved).toEqual({ id: 'c', status: 'applied', warning, key: { uuid: expect.any(String) } });
    expect(await save({ ...change, key: saved.key! })).toEqual({
      id: 'c',
      status: 'applied',
      key: saved.key,
    });
    const { objects } = (await rest(port, 'GET', `/objects?class=${table}&limit=100`)) as {
      objects: { properties: { title: string } }[];
    };
    expect(objects.filter(({ properties }) => properties.title === 'saved')).toHaveLength(1);
  });

  test('an imported row is applied with a warning, and a good row of the same import without a warning', async () => {
    const changes: Insert[] = [
      { kind: 'insert', id: 'good', values: { title: 'good', ...first } },
      { kind: 'insert', id: 'bad', values: { title: 'bad', ...bad } },
    ];
    const { outcomes } = await follow(session.importRows!({ table, changes, rowTimeoutMs }, call));
    const key = { uuid: expect.any(String) };
    expect([...outcomes.values()].sort((a, b) => a.id.localeCompare(b.id))).toEqual([
      { id: 'bad', status: 'applied', warning, key },
      { id: 'good', status: 'applied', key },
    ]);
  });
});
