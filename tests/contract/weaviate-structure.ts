import { randomUUID } from 'node:crypto';
import { DriverError, type RowKey, type Session, type StructureSection } from '@trestle/driver-kit';
import { save } from '@trestle/driver-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, connectWeaviate, type RunningWeaviate, weaviateRest } from './weaviate-target.ts';

/** Tests of a collection's structure and tenants, for the sample node and for a real server. */
export function describeStructureAndTenants(open: () => Promise<RunningWeaviate>): void {
  const suffix = randomUUID().slice(0, 8);
  const [plain, shared] = [`Plain${suffix}`, `Shared${suffix}`];
  const logged: string[] = [];
  let server: RunningWeaviate;
  let session: Session;
  const rest = (method: string, path: string, body?: unknown) =>
    weaviateRest(server.port, method, path, body);

  beforeAll(async () => {
    server = await open();
    await rest('POST', '/schema', {
      class: plain,
      description: 'A plain one',
      vectorizer: 'none',
      vectorIndexConfig: { distance: 'dot' },
      invertedIndexConfig: { indexNullState: true },
      properties: [
        { name: 'title', dataType: ['text'], tokenization: 'field', description: 'Its name' },
        { name: 'note', dataType: ['text'], indexSearchable: false },
        { name: 'year', dataType: ['int'], indexRangeFilters: true, indexFilterable: false },
        { name: 'of', dataType: [plain] },
      ],
    });
    await rest('POST', '/schema', {
      class: shared,
      vectorizer: 'none',
      multiTenancyConfig: { enabled: true, autoTenantCreation: true },
      properties: [{ name: 'title', dataType: ['text'] }],
    });
    await rest('POST', `/schema/${shared}/tenants`, [
      { name: 'warm' },
      { name: 'chilly', activityStatus: 'COLD' },
    ]);
    session = await connectWeaviate(server.port, ({ message }) => logged.push(message));
  });
  afterAll(async () => {
    await session?.close();
    for (const name of [plain, shared]) await rest('DELETE', `/schema/${name}`);
    await server?.stop();
  });

  const structure = async (table: string) => {
    const { sections } = await session.describeStructure!(table, call);
    return Object.fromEntries(sections.map((section) => [section.title, section]));
  };
  const factsOf = (section: StructureSection | undefined) =>
    Object.fromEntries(
      section?.kind === 'facts' ? section.facts.map(({ name, value }) => [name, value]) : [],
    );

  test('properties come with their types, how text is split, and their indexes', async () => {
    expect((await structure(plain)).Properties).toEqual({
      title: 'Properties',
      kind: 'table',
      columns: ['Name', 'Type', 'How text is split', 'Filterable', 'Searchable', 'Range', 'Description'],
      rows: [
        ['title', 'text', 'The whole value (field)', true, true, false, 'Its name'],
        ['note', 'text', 'Words, case ignored (word)', true, false, false, ''],
        ['year', 'int', '', false, false, true, ''],
        ['of', `→ ${plain}`, '', true, false, false, ''],
      ],
    });
  });

  test('indexes, vectors, replication and sharding are described in words, beside the raw definition', async () => {
    const all = await structure(plain);
    expect(factsOf(all.Indexing)).toMatchObject({
      'NULL (indexNullState)': 'Yes: the filter "is NULL" works',
      'Lengths (indexPropertyLength)': 'No: the filter "is empty" does not work',
      'Stop words': 'English',
    });
    expect(factsOf(all.Vector)).toMatchObject({
      'Made by': 'No module: it is sent with the object',
      Distance: 'Dot product',
      Index: expect.stringMatching(/^HNSW/),
      Compression: expect.any(String),
    });
    expect(factsOf(all.Replication)).toMatchObject({ Copies: '1: no other node has the data' });
    expect(factsOf(all.Sharding)).toMatchObject({ Shards: '1' });
    expect(factsOf(all['Multi-tenancy'])).toEqual({ Tenants: 'No: all objects are together' });
    const code = all['Raw definition'];
    expect(JSON.parse(code?.kind === 'code' ? code.text : '')).toMatchObject({
      class: plain,
      description: 'A plain one',
      properties: [{ name: 'title' }, { name: 'note' }, { name: 'year' }, { name: 'of' }],
    });
  });

  test('tenants come with their states, and a cold one can be activated', async () => {
    const all = await structure(shared);
    expect(factsOf(all['Multi-tenancy'])).toMatchObject({
      Tenants: '1 cold, 1 hot',
      'Created when first written to': 'Yes',
    });
    expect(all.Tenants).toMatchObject({
      rows: [
        ['chilly', 'cold'],
        ['warm', 'hot'],
      ],
    });
    expect(await session.listPartitions!(shared, call)).toEqual([
      { name: 'chilly', unavailable: 'The tenant is cold', activates: true },
      { name: 'warm' },
    ]);
    await session.activatePartition!({ table: shared, partition: 'chilly' }, call);
    expect(await session.listPartitions!(shared, call)).toEqual([{ name: 'chilly' }, { name: 'warm' }]);
    const page = { table: shared, partition: 'chilly', filters: [], match: 'all' as const, sort: [] };
    await expect(session.browse({ ...page, limit: 10, offset: 0 }, call)).resolves.toMatchObject({
      rows: { rowCount: 0 },
    });
    await expect(
      session.activatePartition!({ table: shared, partition: 'nobody' }, call),
    ).rejects.toBeInstanceOf(DriverError);

    const cold = ['chilly', 'warm'].map((name) => ({ name, activityStatus: 'COLD' }));
    await rest('PUT', `/schema/${shared}/tenants`, cold);
    const unnamed = { table: shared, filters: [], match: 'all' as const, sort: [], limit: 10, offset: 0 };
    await expect(session.browse(unnamed, call)).rejects.toMatchObject({
      hint: 'No tenant is active. Activate one first.',
    });
  });

  test('an update or delete whose uuid is empty or missing is skipped and logged', async () => {
    logged.length = 0;
    const keys: (RowKey | null)[] = [null, {}, { uuid: null }, { uuid: '' }, { uuid: '  ' }];
    const changes = keys.flatMap((key, at) => [
      { kind: 'update' as const, id: `u${at}`, key, values: { title: 'Never' } },
      { kind: 'delete' as const, id: `d${at}`, key },
    ]);
    const outcomes = await save(session, { table: plain, changes });
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['skipped']));
    expect(
      logged.filter((message) => /^Skipped (update|delete) of a row without uuid/.test(message)),
    ).toHaveLength(changes.length);
    const previews = await session.previewChanges!({ table: plain, changes }, call);
    expect(new Set(previews.map(({ text }) => text))).toEqual(new Set(['Skipped: no uuid']));
  });

  test('the description of a table lists the vectors that the user provides, and the default of the uuid', async () => {
    const { searches, columns } = await session.describeTable(plain, call);
    expect(searches?.broughtVectors).toEqual(['']);
    expect(columns.find(({ name }) => name === 'vector')).not.toHaveProperty('defaultText');
    expect(columns[0]).toMatchObject({ name: 'uuid', defaultText: 'a new uuid' });
  });

  test('operators that compare text have a note on how they match', async () => {
    const { columns } = await session.describeTable(plain, call);
    const note = (column: string, operator: string) =>
      columns.find(({ name }) => name === column)?.operators.find((one) => one.operator === operator)
        ?.matching;
    expect(note('note', 'equals')).toBe('matches whole words in any order, ignores case');
    expect(note('note', 'contains')).toBe('matches inside words too, words in any order, ignores case');
    expect(note('note', 'starts_with')).toBe('matches where a word begins with it, ignores case');
    expect(note('title', 'contains')).toBe('matches a part of the value, case counts');
    expect(note('note', 'is_null')).toBeUndefined();
    expect(note('year', 'equals')).toBeUndefined();
  });
}
