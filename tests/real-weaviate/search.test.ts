import { randomUUID } from 'node:crypto';
import { cellAt, type Page, rowAt, type SearchRequest, type Session } from '@trestle/driver-kit';
import { save } from '@trestle/driver-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

const facts = [
  { title: 'Apollo 11', note: 'The first crewed landing on the Moon, by rocket from Florida.', year: 1969 },
  {
    title: 'Voyager 1',
    note: 'A probe that left the planets behind and sails between the stars.',
    year: 1977,
  },
  {
    title: 'Violin',
    note: 'Four strings and a bow; the highest voice of its family in the orchestra.',
    year: 1550,
  },
  {
    title: 'Honey bee',
    note: 'Lives in hives, dances to tell where flowers are, and stores nectar.',
    year: 1758,
  },
];

describeOnWeaviate('search', ({ port }) => {
  const suffix = randomUUID().slice(0, 8);
  const single = `Search${suffix}`;
  const named = `SearchNamed${suffix}`;
  const tenants = `SearchTenants${suffix}`;
  const ids = facts.map((_, index) => `22222222-2222-4222-8222-00000000000${index}`);
  let session: Session;

  beforeAll(async () => {
    session = await connect(port);
    const properties = [
      { name: 'title', dataType: ['text'] },
      { name: 'note', dataType: ['text'] },
      { name: 'year', dataType: ['int'] },
      { name: 'distance', dataType: ['text'] },
    ];
    await rest(port, 'POST', '/schema', { class: single, vectorizer: 'text2vec-transformers', properties });
    // An exact index: HNSW may miss the nearest row.
    const space = { vectorizer: { none: {} }, vectorIndexType: 'flat' };
    await rest(port, 'POST', '/schema', {
      class: named,
      vectorConfig: { small: space, large: space },
      properties,
    });
    await rest(port, 'POST', '/schema', {
      class: tenants,
      vectorizer: 'none',
      multiTenancyConfig: { enabled: true },
      properties,
    });
    await rest(port, 'POST', `/schema/${tenants}/tenants`, [{ name: 'zeta' }, { name: 'acme' }]);
    for (const [index, fact] of facts.entries()) {
      const id = ids[index];
      await rest(port, 'POST', '/objects', { class: single, id, properties: fact });
      const vectors = { small: [index, 1], large: [1, index, 0.1] };
      await rest(port, 'POST', '/objects', { class: named, id, properties: fact, vectors });
      const tenant = index < 2 ? 'acme' : 'zeta';
      await rest(port, 'POST', '/objects', {
        class: tenants,
        id,
        tenant,
        properties: fact,
        vector: [index, 1],
      });
    }
  });

  afterAll(async () => {
    await session.close();
    for (const name of [single, named, tenants]) await rest(port, 'DELETE', `/schema/${name}`);
  });

  async function find(request: Partial<SearchRequest> & Pick<SearchRequest, 'mode'>): Promise<Page> {
    const page = await session.search?.(
      { table: single, filters: [], match: 'all', limit: 3, ...request },
      call,
    );
    if (!page) throw new Error('The driver cannot search');
    return page;
  }

  const titles = ({ rows }: Page) =>
    Array.from({ length: rows.rowCount }, (_, row) => rowAt(rows, row).title);

  test('near text finds objects that do not contain the word', async () => {
    const page = await find({ mode: 'near_text', text: 'spacecraft', limit: 2 });
    expect(titles(page).sort()).toEqual(['Apollo 11', 'Voyager 1']);
  });

  test('the distance is beside the uuid, and a property named distance keeps its own column', async () => {
    const { rows } = await find({ mode: 'near_text', text: 'insects', limit: 1 });
    expect(rows.columns.map(({ name }) => name)).toEqual([
      'uuid',
      'distance (search)',
      'title',
      'note',
      'year',
      'distance',
    ]);
    expect(cellAt(rows, 1, 0)).toBeTypeOf('number');
  });

  test('near object puts the object itself first', async () => {
    const page = await find({ mode: 'near_object', objectId: ids[2] });
    expect(titles(page)[0]).toBe('Violin');
  });

  test('a keyword search has scores, and a hybrid search finds the row with the word', async () => {
    const keyword = await find({ mode: 'keyword', text: 'strings bow' });
    expect(titles(keyword)).toEqual(['Violin']);
    expect(keyword.rows.columns[1]?.name).toBe('score');
    const hybrid = await find({ mode: 'hybrid', text: 'strings', alpha: 0.5, limit: 1 });
    expect(titles(hybrid)).toEqual(['Violin']);
  });

  test('a keyword or hybrid search reports on request why it found each row', async () => {
    const keyword = await find({ mode: 'keyword', text: 'Moon planets landing', explain: true });
    expect(titles(keyword)).toEqual(['Apollo 11', 'Voyager 1']);
    expect(keyword.explanations).toMatchObject([
      {
        terms: [
          { term: 'moon', count: 1 },
          { term: 'landing', count: 1 },
        ],
      },
      { terms: [{ term: 'planets', count: 1 }] },
    ]);
    const hybrid = await find({ mode: 'hybrid', text: 'Moon', alpha: 0.5, limit: 4, explain: true });
    expect(titles(hybrid)[0]).toBe('Apollo 11');
    expect(
      hybrid.explanations?.map(({ terms, keyword, vector }) => [terms, keyword !== undefined, !!vector]),
    ).toEqual([
      [[{ term: 'moon', column: 'note', count: 1 }], true, true],
      ...Array(3).fill([[], false, true]),
    ]);
    hybrid.explanations?.forEach(({ keyword, vector }, row) => {
      const sum = (keyword?.share ?? 0) + (vector?.share ?? 0);
      expect(sum).toBeCloseTo(Number(cellAt(hybrid.rows, 1, row)), 5);
      expect(vector?.score).toBeTypeOf('number');
    });
    const near = await find({ mode: 'near_text', text: 'spacecraft', explain: true });
    expect(near.explanations).toBeUndefined();
  });

  test('a search in a tenant reports the words that it found', async () => {
    const page = await find({
      mode: 'hybrid',
      table: tenants,
      partition: 'zeta',
      text: 'bow',
      alpha: 0,
      explain: true,
    });
    expect(page.explanations).toMatchObject([{ terms: [{ term: 'bow', count: 1 }], keyword: { share: 1 } }]);
  });

  test('a filter narrows a search', async () => {
    const filters = [{ column: 'year', operator: 'less_than' as const, value: 1900 }];
    const page = await find({ mode: 'near_text', text: 'spacecraft', filters });
    expect(titles(page).sort()).toEqual(['Honey bee', 'Violin']);
  });

  test('a search without a target vector uses the first of several vectors, and says which', async () => {
    const request = { mode: 'near_vector' as const, table: named, vector: [3, 1] };
    const [first, other] = (await session.describeTable(named, call)).searches!.targetVectors;
    const vectors = { small: [3, 1], large: [1, 3, 0.1] };
    const fitting = { ...request, vector: vectors[first as 'small'] };
    expect(await find({ ...fitting, limit: 1 })).toMatchObject({ note: `Searched by the vector ${first}.` });
    await expect(find({ ...request, vector: vectors[other as 'small'] })).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: `Searched by the vector ${first}. As target vector, name another one: ${other}.`,
    });
    expect(titles(await find({ ...request, targetVector: 'small', limit: 1 }))).toEqual(['Honey bee']);
    await expect(find({ ...request, targetVector: 'none' })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  test('a search with a vector of the wrong length fails, and the message has the right length', async () => {
    const message = `The vector has 2 dimensions, but the vectors of ${named} (large) have 3`;
    const wrong = { table: named, targetVector: 'large', vector: [3, 1] };
    const refusal = { code: 'invalid_argument', message };
    await expect(find({ ...wrong, mode: 'near_vector' })).rejects.toMatchObject(refusal);
    await expect(find({ ...wrong, mode: 'hybrid', text: 'Moon' })).rejects.toMatchObject(refusal);
  });

  test('the notes of a collection without a vectorizer say that hybrid search needs a vector', async () => {
    const note = expect.stringContaining('Hybrid search needs a vector');
    expect((await session.describeTable(named, call)).notes).toContainEqual(note);
    expect((await session.describeTable(single, call)).notes).not.toContainEqual(note);
    const both = { table: named, targetVector: 'small', text: 'strings', vector: [2, 1], limit: 1 };
    expect(titles(await find({ ...both, mode: 'hybrid' }))).toEqual(['Violin']);
  });

  test('a search that cannot run is refused', async () => {
    const near = { table: named, text: 'x', targetVector: 'small' };
    await expect(find({ ...near, mode: 'near_text' })).rejects.toMatchObject({ code: 'unsupported' });
    await expect(find({ ...near, mode: 'hybrid', alpha: 0.5 })).rejects.toMatchObject({
      code: 'unsupported',
    });
    await expect(find({ mode: 'near_text', text: '' })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('each named vector has a column, whose values are read for the requested rows', async () => {
    const { columns } = await session.describeTable(named, call);
    expect(columns.slice(-2).map(({ name, deferred }) => [name, deferred])).toEqual([
      ['vector: large', true],
      ['vector: small', true],
    ]);
    const keys = [{ uuid: ids[3] ?? '' }];
    const rows = await session.readCells?.(
      { table: named, keys, columns: ['vector: small', 'vector: large'] },
      call,
    );
    expect(rowAt(rows as never, 0)).toEqual({
      uuid: ids[3],
      'vector: large': [1, 3, 0.1],
      'vector: small': [3, 1],
    });
  });

  test('tenants are listed in order of name, and each tenant is read separately', async () => {
    expect(await session.listPartitions?.(tenants, call)).toEqual([{ name: 'acme' }, { name: 'zeta' }]);
    const request = { table: tenants, filters: [], match: 'all' as const, sort: [], limit: 10, offset: 0 };
    const page = await session.browse({ ...request, partition: 'acme' }, call);
    expect(titles(page)).toEqual(['Apollo 11', 'Voyager 1']);
    expect(await session.count({ ...request, partition: 'zeta' }, call)).toBe(2);
    const sorted = await session.browse(
      { ...request, partition: 'zeta', sort: [{ column: 'title', order: 'asc' }] },
      call,
    );
    expect(titles(sorted)).toEqual(['Honey bee', 'Violin']);
    await expect(session.browse(request, call)).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: 'Choose a tenant. There are: acme, zeta.',
    });
    await expect(session.browse({ ...request, partition: 'nobody' }, call)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'There is no tenant "nobody"',
    });
  });

  test('an edit of a row succeeds in its tenant, and fails in another tenant', async () => {
    const changes = [
      { kind: 'update' as const, id: 'u', key: { uuid: ids[0] ?? '' }, values: { title: 'Apollo XI' } },
    ];
    const outcomes = await save(session, { table: tenants, partition: 'acme', changes });
    expect(outcomes).toEqual([{ id: 'u', status: 'applied' }]);
    const elsewhere = await save(session, { table: tenants, partition: 'zeta', changes });
    expect(elsewhere?.[0]).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
  });
});
