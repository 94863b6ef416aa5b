import { randomUUID } from 'node:crypto';
import { type Cell, type Change, type ChangeOutcome, rowAt, type Session } from '@trestle/driver-kit';
import { save } from '@trestle/driver-kit/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Fate, startHttpProxy } from '../faults/http-proxy.ts';
import { call, connectWeaviate, type RunningWeaviate, weaviateRest } from './weaviate-target.ts';

/** Tests of cross-references through the driver. They are the same for the sample node and a real server. */
export function describeReferences(open: () => Promise<RunningWeaviate>): void {
  const suffix = randomUUID().slice(0, 8);
  const [book, person] = [`Book${suffix}`, `Person${suffix}`];
  const uuidOf = (row: number) => `55555555-5555-4555-8555-${String(row).padStart(12, '0')}`;
  const beacon = (collection: string, row: number) => ({
    beacon: `weaviate://localhost/${collection}/${uuidOf(row)}`,
  });
  let server: RunningWeaviate;
  let session: Session;
  const rest = (method: string, path: string, body?: unknown) =>
    weaviateRest(server.port, method, path, body);

  beforeAll(async () => {
    server = await open();
    const text = (name: string, tokenization = 'word') => ({ name, dataType: ['text'], tokenization });
    const plain = { vectorizer: 'none' };
    await rest('POST', '/schema', {
      class: person,
      ...plain,
      properties: [text('bio'), text('fullName', 'field')],
    });
    await rest('POST', '/schema', {
      class: book,
      ...plain,
      properties: [
        text('title'),
        { name: 'by', dataType: [person] },
        { name: 'about', dataType: [person, book] },
      ],
    });
    for (const [row, fullName] of ['Ada Lovelace', 'Grace Hopper', 'Mary Somerville'].entries()) {
      await rest('POST', '/objects', { class: person, id: uuidOf(row), properties: { fullName } });
    }
    for (const row of [10, 11]) {
      const properties = { title: `Notes ${row}`, by: [beacon(person, 0)] };
      await rest('POST', '/objects', { class: book, id: uuidOf(row), properties });
    }
    session = await connectWeaviate(server.port);
  });
  afterAll(async () => {
    await session?.close();
    for (const name of [book, person]) await rest('DELETE', `/schema/${name}`);
    await server?.stop();
  });

  const change = (values: Record<string, Cell>, row = 10): Change => ({
    kind: 'update',
    id: 'c',
    key: { uuid: uuidOf(row) },
    values,
  });
  const saved = async (one: Change) => (await save(session, { table: book, changes: [one] }))[0];
  const read = async (row: number) => {
    const { rows } = await session.browse(
      {
        table: book,
        filters: [{ column: 'uuid', operator: 'equals', value: uuidOf(row) }],
        match: 'all',
        sort: [],
        limit: 1,
        offset: 0,
      },
      call,
    );
    return rowAt(rows, 0);
  };

  test('the description of a collection names the targets of a reference, which is not read-only', async () => {
    const { columns } = await session.describeTable(book, call);
    const by = columns.find(({ name }) => name === 'by');
    expect(by).toMatchObject({ references: [person], type: 'json' });
    expect(by).not.toHaveProperty('readOnly');
    expect(columns.find(({ name }) => name === 'about')?.references).toEqual([person, book]);
  });

  test('an edit replaces the references, with and without other cells', async () => {
    expect(await saved(change({ by: [beacon(person, 1)] }))).toEqual({ id: 'c', status: 'applied' });
    expect(await read(10)).toMatchObject({ title: 'Notes 10', by: [beacon(person, 1)] });
    const both = [beacon(person, 2), beacon(person, 0)];
    expect(await saved(change({ title: 'Renamed', by: both }))).toEqual({ id: 'c', status: 'applied' });
    expect(await read(10)).toMatchObject({ title: 'Renamed', by: both });
    // The driver also accepts a beacon as a plain string.
    expect(await saved(change({ about: [beacon(book, 11).beacon, beacon(person, 0).beacon] }))).toMatchObject(
      {
        status: 'applied',
      },
    );
    // GraphQL returns references to several collections grouped by collection, in its own order.
    const about = (await read(10)).about as { beacon: string }[];
    expect(new Set(about.map((one) => one.beacon))).toEqual(
      new Set([beacon(book, 11).beacon, beacon(person, 0).beacon]),
    );
  });

  test('NULL or an empty list removes the references of the cell', async () => {
    expect(await saved(change({ by: null }, 11))).toMatchObject({ status: 'applied' });
    expect((await read(11)).by).toBeNull();
    await saved(change({ by: [beacon(person, 1)] }, 11));
    expect(await saved(change({ by: [] }, 11))).toMatchObject({ status: 'applied' });
    expect((await read(11)).by).toBeNull();
  });

  test('a new row may have references', async () => {
    const values = { uuid: uuidOf(12), title: 'New', by: [beacon(person, 2)] };
    expect(await saved({ kind: 'insert', id: 'c', values })).toMatchObject({ status: 'applied' });
    expect((await read(12)).by).toEqual([beacon(person, 2)]);
  });

  test('a value that is no beacon of an allowed collection is refused with a message, and no cell of the row is stored', async () => {
    for (const bad of ['x', [{ beacon: 'nonsense' }], [beacon(book, 11)], { beacon: 1 }]) {
      const outcome = await saved(change({ title: 'Never', by: bad as Cell }));
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'invalid_argument' } });
      expect(outcome?.error?.message).toContain('beacon');
    }
    expect((await read(10)).title).not.toBe('Never');
  });

  const refusal = { code: 422, error: [{ message: 'no' }] };
  const failure = { error: [{ message: 'vector index: broken' }] };
  test.each<[string, Fate, Partial<ChangeOutcome>]>([
    [
      'is refused',
      { status: 422, body: JSON.stringify(refusal), reaches: false },
      { status: 'failed', stored: ['by'], error: part('Not stored', /no/) },
    ],
    [
      'fails in the server',
      { status: 500, body: JSON.stringify(failure), reaches: false },
      { status: 'failed', stored: ['by'], error: part('Not stored', /broken/) },
    ],
    [
      'is lost',
      'reset',
      { status: 'unknown', stored: ['by'], error: part('Not known', /Sent, but the answer never came/) },
    ],
    ['is made, and its answer is lost', 'resetAfter', { status: 'applied' }],
  ])(
    'if the references of a row are stored and its PATCH %s, the outcome names both parts',
    async (_, fate, expected) => {
      const row = 20;
      const properties = { title: 'Before', by: [beacon(person, 0)] };
      await rest('POST', '/objects', { class: book, id: uuidOf(row), properties });
      const proxy = await startHttpProxy(server.port);
      onTestFinished(() => proxy.close());
      const behind = await connectWeaviate(proxy.port);
      onTestFinished(() => behind.close());
      proxy.decide = ({ method }) => (method === 'PATCH' ? fate : 'pass');
      const edit = {
        ...change({ by: [beacon(person, 1)], title: 'After' }, row),
        expected: { by: [beacon(person, 0)], title: 'Before' },
      } as Change;
      const send = async () => (await save(behind, { table: book, changes: [edit] }))[0];
      expect(await send()).toEqual({ id: 'c', ...expected });
      const isMade = expected.status === 'applied';
      expect(await read(row)).toMatchObject({ by: [beacon(person, 1)], title: isMade ? 'After' : 'Before' });
      // The whole edit can be sent again: the row holds a wanted value, which is no conflict.
      proxy.decide = () => 'pass';
      expect(await send()).toEqual({ id: 'c', status: 'applied' });
      expect(await read(row)).toMatchObject({ by: [beacon(person, 1)], title: 'After' });
      await rest('DELETE', `/objects/${book}/${uuidOf(row)}`);
    },
  );

  test('a preview shows the PUT of the references before the PATCH of the other cells', async () => {
    const changes = [change({ title: 'T', by: [beacon(person, 1)] })];
    const [preview] = await session.previewChanges!({ table: book, changes }, call);
    expect(preview?.text).toMatch(
      new RegExp(`^PUT /v1/objects/${book}/${uuidOf(10)}/references/by\\n[\\s\\S]*\\nPATCH /v1/objects/`),
    );
  });

  test('a reference has the title of its target, or null if the target does not exist', async () => {
    const cells = [[beacon(person, 0), beacon(person, 9)], null, [beacon(person, 2)]];
    expect(await session.readReferences!({ table: book, column: 'by', cells }, call)).toEqual([
      [
        { table: person, key: { uuid: uuidOf(0) }, title: 'Ada Lovelace', value: beacon(person, 0) },
        { table: person, key: { uuid: uuidOf(9) }, title: null, value: beacon(person, 9) },
      ],
      [],
      [{ table: person, key: { uuid: uuidOf(2) }, title: 'Mary Somerville', value: beacon(person, 2) }],
    ]);
  });

  test('targets are found by their uuid, and by a part of their title in upper or lower case', async () => {
    const find = async (text: string, column = 'by') => {
      const found = await session.findReferences!({ table: book, column, text, limit: 10 }, call);
      return found.map(({ title }) => title);
    };
    expect(await find('hopper')).toEqual(['Grace Hopper']);
    expect(await find('LOVELACE')).toEqual(['Ada Lovelace']);
    expect(await find('grace h')).toEqual(['Grace Hopper']);
    expect(await find(uuidOf(2))).toEqual(['Mary Somerville']);
    expect(await find('nobody')).toEqual([]);
    expect(await find('*')).toEqual([]);
    expect((await find('')).sort()).toEqual(['Ada Lovelace', 'Grace Hopper', 'Mary Somerville']);
    expect(await find('notes', 'about')).toEqual(['Notes 11']);
  });
}

function part(state: string, reason: RegExp): ChangeOutcome['error'] {
  const message = new RegExp(`^Stored: by\\. ${state}: title\\. .*${reason.source}`);
  return expect.objectContaining({ message: expect.stringMatching(message), hint: expect.any(String) });
}
