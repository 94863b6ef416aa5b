import { readFileSync } from 'node:fs';
import { startVectorNode } from '@trestle/vector-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cachedServer } from '../../scripts/weaviate/cache.ts';
import { startInference } from '../../scripts/weaviate/inference.ts';
import { startWeaviate } from '../../scripts/weaviate/server.ts';
import { testedVersions } from '../../scripts/weaviate/versions.ts';
import { rawClient } from './raw-client.ts';
import { type RunningServer, runServer } from './running-server.ts';

interface Target {
  name: string;
  isHere: boolean;
  start(): Promise<{ port: number; stop(): Promise<void> }>;
}

async function startReal(version: string) {
  const inference = await startInference();
  const server = await startWeaviate({ binary: cachedServer(version) ?? '', inferenceUrl: inference.url });
  const stop = async () => {
    await server.stop();
    await inference.close();
  };
  return { port: server.port, stop };
}

const targets: Target[] = [
  { name: 'the sample node', isHere: true, start: () => startVectorNode({ seed: false }) },
  ...testedVersions.map((version) => ({
    name: `Weaviate ${version}`,
    isHere: cachedServer(version) !== null,
    start: () => startReal(version),
  })),
];

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const words = ['planet', 'galaxy', 'guitar', 'violin', 'river'];

for (const target of targets) {
  describe.skipIf(!target.isHere)(`tools on ${target.name}`, () => {
    let running: RunningServer;
    let server: Awaited<ReturnType<Target['start']>>;
    let client: ReturnType<typeof rawClient>;
    const call = (name: string, args: object = {}) =>
      client.call(name, { connection_id: 'Vectors', ...args });

    beforeAll(async () => {
      running = await runServer();
      server = await target.start();
      const rest = async (method: string, path: string, body: unknown) => {
        const answer = await fetch(`http://127.0.0.1:${server.port}/v1${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      };
      await rest('POST', '/schema', {
        class: 'McpThing',
        description: 'Things for the tools',
        vectorizer: 'text2vec-transformers',
        invertedIndexConfig: { indexNullState: true },
        properties: [
          { name: 'name', dataType: ['text'], tokenization: 'word' },
          { name: 'size', dataType: ['int'] },
          { name: 'photo', dataType: ['blob'] },
        ],
      });
      await rest('POST', '/schema', {
        class: 'McpTenanted',
        vectorizer: 'none',
        multiTenancyConfig: { enabled: true },
        properties: [{ name: 'name', dataType: ['text'] }],
      });
      await rest('POST', '/schema/McpTenanted/tenants', [{ name: 'north' }, { name: 'south' }]);
      await running.connectWeaviate('Vectors', server.port);
      await running.connectWeaviate('Vectors, read only', server.port, { externalClients: 'readOnly' });
      await running.connectWeaviate('Vectors, masked', server.port, {
        masking: { columns: ['McpThing.name'], patterns: [] },
      });
      client = rawClient(running);
    });
    afterAll(async () => {
      await running?.close();
      await server?.stop();
    });

    const count = async (args: object) => (await call('browse_table', { ...args, count_only: true })).text;

    test('list_tables names the collections and searches them', async () => {
      expect((await call('list_tables')).lines).toEqual(
        expect.arrayContaining([
          'McpTenanted (collection, needs tenant)',
          'McpThing (collection): Things for the tools',
        ]),
      );
      const search = async (text: string) => (await call('list_tables', { search: text })).lines;
      expect(await search('things')).toEqual(['McpThing (collection): Things for the tools']);
      expect(await search('photo')).toEqual(['McpThing.photo blob']);
    });

    test('rows are stored under the given uuid, and their vectors are returned only on request', async () => {
      const rows = words.map((name, index) => ({
        uuid: uuid(index),
        name,
        size: index,
        ...(index === 0 && { photo: 'AAEC' }),
      }));
      const inserted = await call('insert_rows', { table: 'McpThing', rows });
      expect(inserted.text).toMatch(/^5 inserted\. /);
      expect(inserted.lines[4]).toBe(`row 4: uuid ${uuid(4)}`);
      const read = await call('browse_table', { table: 'McpThing', sort: [{ column: 'size' }], limit: 2 });
      expect(read.columns).toEqual(['uuid', 'name', 'size', 'photo']);
      expect(read.rows.map((row) => row.slice(0, 3))).toEqual([
        [uuid(0), 'planet', '0'],
        [uuid(1), 'galaxy', '1'],
      ]);
      expect(read.notes).toBe('next_offset: 2 (3 rows left)');
      const whole = await call('browse_table', { table: 'McpThing', include_vectors: true, limit: 1 });
      const vector = JSON.parse(whole.rows[0]?.[whole.columns.indexOf('vector')] ?? '[]');
      expect(vector.length).toBeGreaterThan(10);
      const named = await call('browse_table', { table: 'McpThing', columns: ['vector'], limit: 1 });
      expect([named.columns, named.rows[0]?.[1]]).toEqual([['uuid', 'vector'], JSON.stringify(vector)]);
    });

    test('describe_table shows the types, filters and searches of a collection, and example queries that run', async () => {
      const { lines, text } = await call('describe_table', { table: 'McpThing' });
      expect(lines.slice(0, 6)).toEqual([
        'McpThing (collection, graphql, key uuid): Things for the tools',
        'uuid uuid',
        'name text',
        'size int',
        'photo blob',
        'vector vector',
      ]);
      expect(text).toMatch(
        /^filters: .*greater_than.* on size; .*contains.* on uuid, name;.*none on photo$/m,
      );
      expect(text).toMatch(/^text: .*whole words/m);
      expect(text).toMatch(/^vector_search: near_text, near_vector, near_object, keyword, hybrid$/m);
      expect(text).not.toContain('regex');
      const detail = await call('describe_table', { table: 'McpThing', detail: true });
      expect(detail.text).toMatch(/^no regex on .*name.*: Weaviate has no regular expressions$/m);
      const query = (label: string) => lines.find((line) => line.startsWith(label))?.slice(label.length);
      const ran = await call('execute_query', { query: query('example: ') });
      expect([ran.columns[0], ran.rows.length]).toEqual(['uuid', 4]);
    });

    test('a line for Connect is refused to a client, and the words do not say that it destroys', async () => {
      const query = 'POST /grpc-web/weaviate.v1.Weaviate/Search {"collection": "McpThing", "limit": 1}';
      const { text, isError } = await call('execute_query', { query });
      expect([isError, text]).toEqual([true, expect.stringContaining('Search and count with the tools')]);
      expect(text).not.toContain('destroys data');
    });

    test('the searches and the count that describe_table shows with detail can be run', async () => {
      const notes = (await call('describe_table', { table: 'McpThing', detail: true })).text;
      const searches = notes.match(/(nearText|bm25|hybrid): \{[^{}]*\}/g) ?? [];
      expect(searches).toHaveLength(3);
      const queries = searches.map((search) => {
        const measure = search.startsWith('near') ? 'distance' : 'score';
        const wanted = search.replace('…', 'planet');
        return `{ Get { McpThing(limit: 1, ${wanted}) { _additional { id ${measure} } } } }`;
      });
      const count = notes.match(/A count: (.*)\./)?.[1];
      for (const query of [...queries, count]) {
        const ran = await call('execute_query', { query });
        expect([query, ran.isError, ran.text.includes('error: ')]).toEqual([query, false, false]);
      }
    });

    test('a query that returns only errors fails, and is recorded as failed', async () => {
      const wrong = [
        '{ Get { McpThing { nope } } }',
        '{ Get { McpTenanted { _additional { id } } } }',
        '{ Get { McpThing(where: {path: ["nope"], operator: Equal, valueText: "a"}) { _additional { id } } } }',
      ];
      for (const query of wrong) {
        expect((await call('execute_query', { query })).text).toMatch(
          /^(query_failed|invalid_argument): .*describe_table/s,
        );
        const failed = { outcome: 'error' };
        expect(running.core.history.search({ limit: 1 })).toMatchObject([{ text: query, ...failed }]);
        expect(running.core.activity.list({ limit: 1 })).toMatchObject([{ action: 'query', ...failed }]);
      }
    });

    test('describe_table names the tenants and shows queries that run; a missing or misspelt tenant is refused with the right names', async () => {
      const inserted = await call('insert_rows', {
        table: 'McpTenanted',
        rows: [{ name: 'Oslo' }],
        tenant: 'north',
      });
      expect(inserted.text).toMatch(/^1 inserted\. /);
      const table = 'McpTenanted';
      const { lines } = await call('describe_table', { table });
      expect(lines).toContain('tenants: north, south');
      const query = lines.find((line) => line.startsWith('example: '))?.slice('example: '.length);
      expect((await call('execute_query', { query })).isError).toBe(false);
      expect([await count({ table, tenant: 'north' }), await count({ table, tenant: 'south' })]).toEqual([
        '1 row',
        '0 rows',
      ]);
      expect(await count({ table })).toMatch(/^invalid_argument: .*There are: north, south\./);
      expect(await count({ table, tenant: 'Nort' })).toMatch(/^invalid_argument: .*Did you mean "north"\?/);
      const unnamed = await call('insert_rows', { table, rows: [{ name: 'Rome' }] });
      expect(unnamed.text).toMatch(/^invalid_argument: .*There are: north, south\./);
    });

    test('vector_search finds rows by text, vector, object and keyword', async () => {
      const names = async (args: object) => {
        const { columns, rows, text } = await call('vector_search', { table: 'McpThing', limit: 2, ...args });
        return columns.length > 0 ? rows.map((row) => row[columns.indexOf('name')]) : text;
      };
      expect(await names({ mode: 'near_text', text: 'planet' })).toEqual(['planet', 'galaxy']);
      const near = { mode: 'near_object', object_id: uuid(2) };
      expect(await names(near)).toEqual(['violin', expect.not.stringMatching('guitar')]);
      const byName = { mode: 'near_object', object_id: 'guitar', object_column: 'name' };
      expect(await names(byName)).toEqual(await names(near));
      expect(await names({ ...byName, object_id: 'trumpet' })).toMatch(
        /^not_found: Call browse_table .*No object of McpThing has name/,
      );
      expect(await names({ mode: 'keyword', text: 'river' })).toEqual(['river']);
      expect(await names({ mode: 'hybrid', text: 'river', alpha: 0 })).toEqual(['river']);
      const filters = [{ column: 'size', operator: 'greater_than', value: 1 }];
      expect(await names({ mode: 'near_text', text: 'planet', filters, limit: 1 })).not.toEqual(['planet']);
      const found = await call('vector_search', {
        table: 'McpThing',
        mode: 'keyword',
        text: 'guitar',
        columns: ['name', 'vector'],
        limit: 1,
      });
      const vector = JSON.parse(found.rows[0]?.at(-1) ?? '');
      expect(await names({ mode: 'near_vector', vector, limit: 1 })).toEqual(['guitar']);
      expect(await names({ mode: 'near_text' })).toMatch(/^invalid_argument: .*text/);
    });

    test('vector_search explains why a keyword or hybrid search found a row', async () => {
      const why = async (args: object) => {
        const { columns, rows } = await call('vector_search', { table: 'McpThing', explain: true, ...args });
        return rows.map((row) =>
          row.length === 1 ? row : [row[columns.indexOf('name')], row[columns.indexOf('why')]],
        );
      };
      expect(await why({ mode: 'keyword', text: 'a river' })).toEqual([
        ['river', 'river in name'],
        [expect.stringMatching(/^note: rows with each word, of \d: river 1$/)],
      ]);
      const [first, second] = await why({ mode: 'hybrid', text: 'river', alpha: 0.5, limit: 2 });
      expect(first).toEqual(['river', 'river in name; keyword 0.5 + vector 0.5']);
      expect(second?.[1]).toMatch(/^vector 0\.\d+$/);
    });

    test.each([
      [{ mode: 'near_text', text: 'river', explain: true }, 'near_text does not use explain'],
      [
        { mode: 'keyword', text: 'river', alpha: 0, target_vector: 'x' },
        'keyword does not use alpha, target_vector',
      ],
      [{ mode: 'near_vector', vector: [1], text: 'river' }, 'near_vector does not use text'],
      [{ mode: 'compare', text: 'river', offset: 2 }, 'compare does not use offset'],
    ])('vector_search refuses an argument that the mode does not use: %j', async (args, refusal) => {
      const { text } = await call('vector_search', { table: 'McpThing', ...args });
      expect(text).toContain(`invalid_argument: The mode ${refusal}.`);
    });

    test('include_vectors adds the vectors to the named columns', async () => {
      const named = { table: 'McpThing', columns: ['name'], include_vectors: true, limit: 1 };
      const { columns, rows } = await call('browse_table', named);
      expect(columns).toEqual(['uuid', 'name', 'vector']);
      expect(rows[0]?.[2]).toMatch(/^\[-?\d/);
    });

    test('aggregate_table counts, groups and measures, and refuses by name what Weaviate lacks', async () => {
      const all = await call('aggregate_table', { table: 'McpThing' });
      expect([all.columns, all.rows]).toEqual([['rows'], [['5']]]);
      const measures = [
        { column: 'size', measure: 'mean' },
        { column: 'size', measure: 'max' },
        { column: 'name', measure: 'count' },
      ];
      const filters = [{ column: 'size', operator: 'less_than', value: 2 }];
      const measured = await call('aggregate_table', { table: 'McpThing', measures, filters });
      expect(measured.columns).toEqual(['rows', 'mean(size)', 'max(size)', 'count(name)']);
      expect(measured.rows).toEqual([['2', '0.5', '1', '2']]);
      const grouped = await call('aggregate_table', { table: 'McpThing', by: ['name'], limit: 2 });
      expect(grouped.rows.map(([, rows]) => rows)).toEqual(['1', '1']);
      expect(grouped.notes).toMatch(/^More groups exist; these 2 are the largest\./);
      const refusals: [object, RegExp][] = [
        [{ by: ['agency'] }, /^invalid_argument: .*no column "agency"/],
        [{ by: ['name', 'size'] }, /^unsupported: .*groups by one column/],
        [{ by: ['photo'] }, /^unsupported: .*does not group by photo/],
        [
          { measures: [{ column: 'name', measure: 'min' }] },
          /^unsupported: .*no min of name.*count, top_values/,
        ],
        [{ by: ['name', 'name'] }, /^invalid_argument: .*named twice/],
      ];
      for (const [args, refusal] of refusals)
        expect((await call('aggregate_table', { table: 'McpThing', ...args })).text).toMatch(refusal);
      const secret = { connection_id: 'Vectors, masked', table: 'McpThing' };
      for (const args of [
        { by: ['name'] },
        { measures: [{ column: 'name', measure: 'count' }] },
        { measures: [{ column: 'name', measure: 'top_values' }] },
        { filters: [{ column: 'name', operator: 'equals', value: 'river' }] },
      ]) {
        const { text } = await client.call('aggregate_table', { ...secret, ...args });
        expect(text).toMatch(/^denied: .*masks columns/);
      }
      const counted = await client.call('aggregate_table', { ...secret, measures: measures.slice(0, 1) });
      expect(counted.rows).toEqual([['5', '2']]);
    });

    test('vector_search pages by offset', async () => {
      const search = { table: 'McpThing', mode: 'near_text', text: 'river', columns: ['name'] };
      const all = await call('vector_search', { ...search, limit: 4 });
      const pages = [];
      for (let offset = 0; offset < 4; offset += 2) {
        const page = await call('vector_search', { ...search, limit: 2, offset });
        expect(page.notes).toBe(`next_offset: ${offset + 2}`);
        pages.push(...page.rows);
      }
      expect(pages).toEqual(all.rows);
    });

    test('a misspelt collection, property or tenant is refused and not created, and each refusal says what exists', async () => {
      const create = (query: string) => call('execute_query', { query });
      const settings = '{"enabled": true, "autoTenantCreation": true}';
      await create(`POST /schema {"class": "McpGrowing", "vectorizer": "none", "multiTenancyConfig": ${settings},
        "properties": [{"name": "title", "dataType": ["text"]}]}`);
      await create(
        'POST /schema/McpGrowing/tenants [{"name": "open"}, {"name": "attic", "activityStatus": "COLD"}]',
      );
      const described = await call('describe_table', { table: 'McpGrowing' });
      expect(described.lines).toEqual(
        expect.arrayContaining([
          'tenants: open',
          'The tenant is cold; the user can activate it in Trestle: attic',
        ]),
      );
      const object = (part: object) =>
        JSON.stringify({ class: 'McpGrowing', tenant: 'open', properties: { title: 'x' }, ...part });
      const refusals: [string, RegExp][] = [
        [`POST /objects ${object({ class: 'McpGrwing' })}`, /no collection "McpGrwing".*mean "McpGrowing"/],
        [`POST /objects ${object({ properties: { titel: 'x' } })}`, /no property "titel".*mean "title"/],
        [`POST /objects ${object({ tenant: 'opne' })}`, /no tenant "opne".*mean "open"/],
        [`POST /batch/objects {"objects": [${object({})}, ${object({ tenant: 'n' })}]}`, /no tenant "n"/],
        [`POST /batch/objects {"objects": [${object({ properties: { n: 1 } })}]}`, /no property "n"/],
        [`PUT /objects/McpGrowing/${uuid(1)} ${object({ properties: { n: 1 } })}`, /no property "n"/],
        [`PATCH /objects/McpGrowing/${uuid(1)} ${object({ properties: { n: 1 } })}`, /no property "n"/],
      ];
      for (const [query, refusal] of refusals) {
        const { text } = await create(query);
        expect([query, text]).toEqual([query, expect.stringMatching(/^not_found: .*Nothing was stored/)]);
        expect(text).toMatch(refusal);
      }
      const rows = [{ title: 'x' }];
      const inserted = await call('insert_rows', { table: 'McpGrowing', tenant: 'opne', rows });
      expect(inserted.text).toMatch(/^not_found: .*no tenant "opne"/);
      const cold = await call('browse_table', { table: 'McpGrowing', tenant: 'attic' });
      expect(cold.text).toMatch(/^unsupported: .*"attic" is not active.*Activate it in Trestle/);
      const { text } = await create('GET /schema');
      expect(text).not.toMatch(/McpGrwing|titel|"n"/);
      expect((await create('GET /schema/McpGrowing/tenants')).text).not.toMatch(/opne|"n"/);
      expect((await create(`POST /objects ${object({})}`)).isError).toBe(false);
      const gone = await create(`DELETE /objects/McpGrowing/${uuid(99)}?tenant=open`);
      expect(gone.lines).toEqual(['HTTP 204, deleted, unless it did not exist']);
      await fetch(`http://127.0.0.1:${server.port}/v1/schema/McpGrowing`, { method: 'DELETE' });
    });

    test('vector_search with mode compare shows the rank of each row in each kind of search', async () => {
      const compared = { table: 'McpThing', mode: 'compare', text: 'river', limit: 3 };
      const found = await call('vector_search', compared);
      expect(found.columns).toEqual(['keyword', 'near_text', 'hybrid', 'uuid', 'name']);
      expect(found.rows[0]).toEqual(['1', '1', '1', uuid(4), 'river']);
      expect(found.rows.slice(1).map((row) => row.slice(0, 3))).toEqual([
        ['-', '2', '2'],
        ['-', '3', '3'],
      ]);
      expect(found.notes).toBe(
        'The numbers are ranks; 1 of 3 rows are in every list. hybrid has alpha 0.75.',
      );
      const sized = await call('vector_search', { ...compared, columns: ['size'] });
      expect([sized.columns.at(-1), sized.rows[0]?.at(-1)]).toEqual(['size', '4']);
      const tenanted = await call('vector_search', { ...compared, table: 'McpTenanted', tenant: 'north' });
      expect(tenanted.text).toMatch(/^unsupported: .*Give a vector as well as the text/);
      const { text } = await call('vector_search', { table: 'McpThing', mode: 'compare' });
      expect(text).toMatch(/^invalid_argument: .*needs a text/);
    });

    test('a masked property cannot be searched by vector or keyword, and neither its value nor its vector is shown', async () => {
      const masked = (name: string, args: object) =>
        client.call(name, { connection_id: 'Vectors, masked', table: 'McpThing', ...args });
      const near = '{ Get { McpThing(nearText: {concepts: ["planet"]}, limit: 1) { _additional { id } } } }';
      const refusals = [
        await masked('vector_search', { mode: 'near_text', text: 'planet', limit: 1 }),
        await masked('vector_search', { mode: 'near_object', object_id: uuid(1), limit: 1 }),
        await masked('vector_search', { mode: 'near_object', object_id: 'planet', object_column: 'name' }),
        await masked('vector_search', { mode: 'keyword', text: 'planet', limit: 1 }),
        await masked('vector_search', { mode: 'compare', text: 'planet', limit: 1 }),
        await client.call('execute_query', { connection_id: 'Vectors, masked', query: near }),
      ];
      for (const { text } of refusals) expect(text).toMatch(/^denied: .*(masks columns|is masked)/);
      const { text } = await masked('describe_table', { detail: true });
      expect(text).toMatch(/^near_text does not run: .*masked/m);
      expect(text).toMatch(/^name text masked$/m);
      const read = await masked('browse_table', { include_vectors: true, limit: 1 });
      expect(read.rows).toEqual([expect.arrayContaining(['•••'])]);
      expect(read.text).not.toMatch(/planet|\[-?\d+\.\d/);
    });

    test('a filter that cannot run is refused with its reason', async () => {
      const filters = [{ column: 'name', operator: 'regex', value: '.*' }];
      expect((await call('browse_table', { table: 'McpThing', filters })).text).toMatch(
        /^invalid_argument: .*no regular expressions/,
      );
    });

    test('an update of an unknown object fails, and a delete removes only the named object', async () => {
      const updated = await call('update_rows', {
        table: 'McpThing',
        changes: [
          { key: { uuid: uuid(4) }, values: { size: 40 } },
          { key: { uuid: uuid(99) }, values: { size: 1 } },
        ],
      });
      expect(updated.text).toMatch(/^1 updated, 1 failed\. /);
      const deleted = await call('delete_rows', { table: 'McpThing', keys: [{ uuid: uuid(4) }] });
      expect(deleted.text).toBe('1 deleted.');
      expect(await count({ table: 'McpThing' })).toBe('4 rows');
    });

    test('export_data with include_vectors writes the objects with vectors', async () => {
      const { file } = await call('export_data', {
        table: 'McpThing',
        format: 'jsonl',
        include_vectors: true,
      });
      const lines = readFileSync(file ?? '', 'utf8')
        .trimEnd()
        .split('\n');
      expect(lines).toHaveLength(4);
      expect(JSON.parse(lines[0] as string)).toMatchObject({ uuid: uuid(0), vector: expect.any(Array) });
    });

    // Statements that a caller with only read access may not run. Each statement is sent twice: with a read-only token,
    // and to a connection that is read-only for clients.
    test.each([
      'DELETE /v1/schema/McpThing',
      'delete /v1/schema/McpThing',
      'DELETE /schema/McpThing',
      'DELETE /v1/objects/McpThing/00000000-0000-4000-8000-000000000000',
      'DELETE /v1/batch/objects {"match":{"class":"McpThing","where":{"path":["size"],"operator":"GreaterThan","valueInt":-1}}}',
      'POST /v1/objects {"class":"McpThing","properties":{"name":"x"}}',
      'PUT /v1/objects/McpThing/00000000-0000-4000-8000-000000000000 {"class":"McpThing","properties":{}}',
      'PATCH /v1/objects/McpThing/00000000-0000-4000-8000-000000000000 {"class":"McpThing","properties":{"size":9}}',
      'POST /v1/batch/objects {"objects":[{"class":"McpThing","properties":{"name":"x"}}]}',
      'POST /v1/schema {"class":"McpNew"}',
      'GET /v1/objects\nDELETE /v1/schema/McpThing',
      'GET /v1/objects HTTP/1.1\r\nHost: x\r\n\r\nDELETE /v1/schema/McpThing',
      'GET http://127.0.0.1:1/v1/objects',
      'GET //127.0.0.1:1/v1/objects',
      'GET /v1/../v1/schema',
      'GET /v1/%2e%2e/schema',
      'DELETE /v1/./schema/McpThing',
      'DELETE /v1/%73chema/McpThing',
      'MERGE /v1/objects/McpThing/00000000-0000-4000-8000-000000000000 {}',
      'TRACE /v1/objects',
      'mutation { Get { McpThing { name } } }',
    ])('with read access only, %j is refused', async (query) => {
      const reader = rawClient(running, running.createToken({ permission: 'readOnly' }).secret);
      const refusals = [
        await reader.call('execute_query', { connection_id: 'Vectors', query }),
        await client.call('execute_query', { connection_id: 'Vectors, read only', query }),
      ];
      for (const refusal of refusals) {
        expect(refusal.isError || refusal.code === -33007, refusal.text).toBe(true);
      }
      expect(await count({ table: 'McpThing' })).toBe('4 rows');
      expect((await call('list_tables', { search: 'McpNew' })).text).toBe('Nothing matches.');
    });

    test('execute_query refuses a destructive statement even with a full-access token', async () => {
      const refused = await call('execute_query', { query: 'DELETE /v1/schema/McpThing' });
      expect(refused.isError || refused.code === -33007).toBe(true);
      expect(await count({ table: 'McpThing' })).toBe('4 rows');
    });
  });
}
