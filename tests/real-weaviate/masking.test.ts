import { randomUUID } from 'node:crypto';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, type Core, createCore, newConnectionDraft } from '@trestle/core';
import { rowAt } from '@trestle/driver-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newestWeaviate } from '../../scripts/weaviate/versions.ts';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const secret = 'ada.lovelace@example.org';

const client: Caller = {
  kind: 'client',
  token: { kind: 'user', id: 't', name: 'T', permission: 'fullAccess', allowlist: null },
  clientName: 'a client',
  process: null,
};

const plainVectors = (_key: string, value: unknown) =>
  value instanceof Float32Array ? Array.from(value, String) : value;

describeOnWeaviate('masking', ({ port, version }) => {
  const collection = `Masking${randomUUID().slice(0, 8)}`;
  const id = '33333333-3333-4333-8333-333333333333';
  const home = mkdtempSync(join(tmpdir(), 'trestle-masking-'));
  let core: Core;
  let connectionId: string;

  beforeAll(async () => {
    await rest(port, 'POST', '/schema', {
      class: collection,
      vectorizer: 'none',
      properties: [
        { name: 'name', dataType: ['text'] },
        { name: 'mail', dataType: ['text'] },
      ],
    });
    const properties = { name: 'Ada', mail: secret };
    await rest(port, 'POST', '/objects', { class: collection, id, properties, vector: [1, 0] });
    core = await createCore({
      home,
      hostEntry: join(dist, 'driver-host.js'),
      bundledDrivers: [],
      secretStore: 'file',
    });
    const [plugin = ''] = globSync(join(dist, 'plugins', 'weaviate-*.tgz'));
    await core.drivers.installFromFile(plugin, { signal: new AbortController().signal });
    const manifest = core.drivers.get('weaviate');
    if (!manifest) throw new Error('The driver is not installed');
    const draft = newConnectionDraft(manifest);
    const connection = await core.connections.create({
      ...draft,
      name: 'W',
      fields: { ...draft.fields, host: '127.0.0.1', port },
      externalClients: 'readWrite',
      aiPolicy: 'alwaysAllow',
      masking: { columns: [`${collection}.mail`], patterns: [] },
    });
    connectionId = connection.id;
  });

  afterAll(async () => {
    await core.close();
    rmSync(home, { recursive: true, force: true });
    await rest(port, 'DELETE', `/schema/${collection}`);
  });

  const access = (caller: Caller) => ({ caller, connectionId, signal: new AbortController().signal });
  const everything = {
    table: collection,
    filters: [],
    match: 'all' as const,
    sort: [],
    limit: 10,
    offset: 0,
  };

  test('a client sees the column masked, and the user sees its values', async () => {
    const page = await core.data.browse(access(client), everything);
    expect(rowAt(page.rows, 0)).toMatchObject({ name: 'Ada', mail: '•••' });
    const own = await core.data.browse(access({ kind: 'person' }), everything);
    expect(rowAt(own.rows, 0)).toMatchObject({ mail: secret });
  });

  const get = (inner: string, given = '') => `{ Get { ${collection}${given} { ${inner} } } }`;

  test.each([
    ['plain', get('name mail')],
    ['under another name', get('name innocent: mail')],
    ['in a fragment', `query { Get { ${collection} { ...f } } } fragment f on ${collection} { mail }`],
    ['filtered by', get('name', '(where: {path: ["mail"], operator: Like, valueText: "ada*"})')],
    ['sorted by', get('name', '(sort: [{path: ["mail"], order: asc}])')],
    ['searched by', get('name _additional { score }', '(bm25: {query: "ada", properties: ["mail"]})')],
    ['searched anywhere', get('name _additional { explainScore }', '(bm25: {query: "ada"})')],
    ['aggregated', `{ Aggregate { ${collection} { mail { topOccurrences { value } } } } }`],
    ['grouped', `{ Aggregate { ${collection}(groupBy: ["mail"]) { groupedBy { value } } } }`],
    ['by REST', `GET /objects?class=${collection}`],
    ['one object by REST', `GET /objects/${collection}/${id}`],
    ['one object by REST without its collection', `GET /objects/${id}`],
    [
      'in the answer to a write',
      `PUT /objects/${collection}/${id} {"class":"${collection}","id":"${id}","properties":{"name":"Ada"}}`,
    ],
  ])('a client does not see the masked value: %s', async (_how, text) => {
    const answer = await core.data
      .runQuery(access(client), { text, limit: 10 })
      .catch((error: unknown) => ({ refused: String(error) }));
    expect(JSON.stringify(answer)).not.toContain('lovelace');
  });

  test.each(['contains', 'equals', 'starts_with'] as const)(
    'a client cannot probe the masked column with %s',
    async (operator) => {
      const filters = [{ column: 'mail', operator, value: 'ada' }];
      await expect(core.data.browse(access(client), { ...everything, filters })).rejects.toMatchObject({
        code: 'refused',
      });
      await expect(core.data.count(access(client), { ...everything, filters })).rejects.toMatchObject({
        code: 'refused',
      });
    },
  );

  test.each(['keyword', 'hybrid'] as const)(
    'a %s search reports no words that it found in a masked column',
    async (mode) => {
      // An earlier write of a client may have removed the masked value.
      const properties = { name: 'Ada', mail: secret };
      const object = { class: collection, id, properties, vector: [1, 0] };
      await rest(port, 'PUT', `/objects/${collection}/${id}`, object);
      const request = { table: collection, filters: [], match: 'all' as const, limit: 5, alpha: 0 };
      const text = 'ada lovelace example';
      const page = await core.data.search(access(client), { ...request, mode, text, explain: true });
      expect(page.explanations).toMatchObject([{ terms: [{ term: 'ada', column: 'name', count: 1 }] }]);
    },
  );

  test('no reference, group or beacon leads a client to a masked property, vector or uuid', async () => {
    const vault = `Vault${randomUUID().slice(0, 8)}`;
    const note = `Note${randomUUID().slice(0, 8)}`;
    const hidden = '44444444-4444-4444-8444-444444444444';
    const text = (name: string) => ({ name, dataType: ['text'] });
    await rest(port, 'POST', '/schema', { class: vault, vectorizer: 'none', properties: [text('code')] });
    await rest(port, 'POST', '/schema', {
      class: note,
      vectorizer: 'none',
      properties: [text('name'), { name: 'about', dataType: [vault] }],
    });
    try {
      const vector = [0.6, 0.8];
      await rest(port, 'POST', '/objects', {
        class: vault,
        id: hidden,
        vector,
        properties: { code: secret },
      });
      const about = [{ beacon: `weaviate://localhost/${vault}/${hidden}` }];
      await rest(port, 'POST', '/objects', { class: note, vector: [1, 0], properties: { name: 'n', about } });
      const manifest = core.drivers.get('weaviate')!;
      const draft = newConnectionDraft(manifest);
      const connect = (columns: string[]) =>
        core.connections.create({
          ...draft,
          name: randomUUID(),
          fields: { ...draft.fields, host: '127.0.0.1', port },
          externalClients: 'readWrite',
          aiPolicy: 'alwaysAllow',
          masking: { columns, patterns: [] },
        });
      const inside = (fields: string) => `{ Get { ${note} { about { ... on ${vault} { ${fields} } } } } }`;
      const groupBy =
        'nearVector: {vector: [1, 0]}, groupBy: {path: ["name"], groups: 1, objectsPerGroup: 1}';
      const hits = (fields: string) =>
        `{ Get { ${note}(${groupBy}) { _additional { group { hits { about { ... on ${vault} { ${fields} } } } } } } } }`;
      const near = `{ Get { ${note}(nearObject: {beacon: "${about[0]!.beacon}"}) { _additional { distance } } } }`;
      // The newest server has no GraphQL, and the text has no translation.
      const found = version === newestWeaviate ? 'has no counterpart in Connect' : '0.39999';
      const attacks: [column: string, shown: string, text: string][] = [
        ['code', secret, inside('code')],
        ['code', secret, hits('code')],
        ['vector', '0.8', inside('_additional { vector }')],
        ['vector', found, near],
        ['uuid', hidden, inside('_additional { id }')],
        ['uuid', hidden, `GET /objects?class=${note}`],
        ['uuid', hidden, `{ Aggregate { ${note}(groupBy: ["about"]) { groupedBy { value } } } }`],
      ];
      for (const [column, shown, text] of attacks) {
        const { id: connectionId } = await connect([`${vault}.${column}`]);
        const run = (caller: Caller) =>
          core.data
            .runQuery({ ...access(caller), connectionId }, { text, limit: 10 })
            .then(({ results }) => JSON.stringify(results, plainVectors), String);
        expect(await run({ kind: 'person' }), text).toContain(shown);
        expect(await run(client), text).not.toContain(shown);
      }
    } finally {
      await rest(port, 'DELETE', `/schema/${note}`);
      await rest(port, 'DELETE', `/schema/${vault}`);
    }
  });

  test('a client cannot filter by a guarded property of another collection through a variable', async () => {
    const note = `Note${randomUUID().slice(0, 8)}`;
    await rest(port, 'POST', '/schema', {
      class: note,
      vectorizer: 'none',
      properties: [
        { name: 'name', dataType: ['text'] },
        { name: 'about', dataType: [collection] },
      ],
    });
    try {
      const eve = randomUUID();
      const properties = { name: 'Eve', mail: secret };
      await rest(port, 'POST', '/objects', { class: collection, id: eve, properties, vector: [1, 0] });
      const about = [{ beacon: `weaviate://localhost/${collection}/${eve}` }];
      await rest(port, 'POST', '/objects', { class: note, vector: [1, 0], properties: { name: 'n', about } });
      const draft = newConnectionDraft(core.drivers.get('weaviate')!);
      const { id: connectionId } = await core.connections.create({
        ...draft,
        name: randomUUID(),
        fields: { ...draft.fields, host: '127.0.0.1', port },
        externalClients: 'readWrite',
        aiPolicy: 'alwaysAllow',
        masking: { columns: [], patterns: ['email'] },
      });
      const query = `query($p: [String]) { Get { ${note}(where: {path: $p, operator: Like, valueText: "ada*"}) { name } } }`;
      const variables = { p: ['about', collection, 'mail'] };
      const text = `POST /graphql ${JSON.stringify({ query, variables })}`;
      const run = (caller: Caller) =>
        core.data.runQuery({ ...access(caller), connectionId }, { text, limit: 10 });
      expect((await run({ kind: 'person' })).results).toMatchObject([{ rows: { rowCount: 1 } }]);
      await expect(run(client)).rejects.toMatchObject({ code: 'refused' });
    } finally {
      await rest(port, 'DELETE', `/schema/${note}`);
    }
  });

  test.each([
    ['a new object', false],
    ['a change of an object', false],
    ['a new object of a tenant', true],
    ['a change of an object of a tenant', true],
  ])(
    'right after %s brings the first email address into a property, a client cannot filter by it',
    async (how, isTenant) => {
      const name = `First${randomUUID().slice(0, 8)}`;
      const object = '44444444-4444-4444-8444-444444444444';
      const at = isTenant ? { tenant: 'a' } : {};
      await rest(port, 'POST', '/schema', {
        class: name,
        vectorizer: 'none',
        multiTenancyConfig: { enabled: isTenant },
        properties: [{ name: 'note', dataType: ['text'] }],
      });
      try {
        if (isTenant) await rest(port, 'POST', `/schema/${name}/tenants`, [{ name: 'a' }]);
        await rest(port, 'POST', '/objects', {
          class: name,
          id: object,
          ...at,
          properties: { note: 'plain' },
        });
        const draft = newConnectionDraft(core.drivers.get('weaviate')!);
        const { id: connectionId } = await core.connections.create({
          ...draft,
          name: randomUUID(),
          fields: { ...draft.fields, host: '127.0.0.1', port },
          externalClients: 'readWrite',
          aiPolicy: 'alwaysAllow',
          masking: { columns: [], patterns: ['email'] },
        });
        const run = (text: string) =>
          core.data.runQuery({ ...access(client), connectionId }, { text, limit: 10 });
        const tenant = isTenant ? 'tenant: "a", ' : '';
        const where = `where: {path: ["note"], operator: Like, valueText: "ada*"}`;
        const attempts = [
          `{ Get { ${name}(${tenant}${where}) { _additional { id } } } }`,
          `{ Aggregate { ${name}(${tenant}${where}) { meta { count } } } }`,
          `{ Get { ${name}(${tenant}sort: [{path: ["note"]}]) { _additional { id } } } }`,
        ];
        for (const text of attempts) await run(text);
        const properties = { note: secret };
        if (how.startsWith('a new'))
          await rest(port, 'POST', '/objects', { class: name, id: randomUUID(), ...at, properties });
        else
          await rest(port, 'PUT', `/objects/${name}/${object}`, {
            class: name,
            id: object,
            ...at,
            properties,
          });
        for (const text of attempts) await expect(run(text), text).rejects.toMatchObject({ code: 'refused' });
        const page = {
          table: name,
          filters: [{ column: 'note', operator: 'contains' as const, value: 'ada' }],
        };
        await expect(
          core.data.count(
            { ...access(client), connectionId },
            { ...page, match: 'all', ...(isTenant && { partition: 'a' }) },
          ),
        ).rejects.toMatchObject({ code: 'refused' });
        const shown = await run(`{ Get { ${name}(${tenant}limit: 9) { note } } }`);
        expect(JSON.stringify(shown.results)).not.toContain(secret);
      } finally {
        await rest(port, 'DELETE', `/schema/${name}`);
      }
    },
  );

  test('a deletion by a filter is judged by the values right before it is sent', async () => {
    const name = `Late${randomUUID().slice(0, 8)}`;
    await rest(port, 'POST', '/schema', {
      class: name,
      vectorizer: 'none',
      properties: [
        { name: 'note', dataType: ['text'] },
        { name: 'made', dataType: ['date'] },
      ],
    });
    const add = (note: string) =>
      rest(port, 'POST', '/objects', {
        class: name,
        properties: { note, made: '2020-01-01T00:00:00Z' },
      });
    const session = await connect(port);
    try {
      await add('plain');
      const deletion = (path: string, value: object, dryRun = true) =>
        `DELETE /batch/objects ${JSON.stringify({
          dryRun,
          match: { class: name, where: { path: [path], ...value } },
        })}`;
      const byNote = deletion('note', { operator: 'Like', valueText: 'ada*' });
      const byDate = deletion('made', { operator: 'LessThan', valueDate: '2021-01-01T00:00:00Z' });
      await delay(1_500);
      const mark = (await session.changeMark!(name, call))!;
      const maskedKinds = { patterns: ['email' as const], open: [], marks: [{ table: name, mark }] };
      const ask = { ceiling: 'destroy' as const, limit: 9, reach: 9, maskedKinds };
      await session.run({ text: byNote, ...ask }, call);
      await session.measure({ text: byNote, maskedKinds }, call);
      await add(secret);
      const outdated = { code: 'mask_outdated' };
      await expect(session.run({ text: byNote, ...ask }, call)).rejects.toMatchObject(outdated);
      await expect(session.measure({ text: byNote, maskedKinds }, call)).rejects.toMatchObject(outdated);
      await session.run({ text: byDate, ...ask }, call);
      const open = [{ table: name, column: 'note' }];
      await session.run({ text: byNote, ...ask, maskedKinds: { ...maskedKinds, open } }, call);
    } finally {
      await session.close();
      await rest(port, 'DELETE', `/schema/${name}`);
    }
  });

  test('an email address in one tenant guards its property in all tenants', async () => {
    const tenants = `Tenants${randomUUID().slice(0, 8)}`;
    await rest(port, 'POST', '/schema', {
      class: tenants,
      vectorizer: 'none',
      multiTenancyConfig: { enabled: true },
      properties: [
        { name: 'body', dataType: ['text'] },
        { name: 'plain', dataType: ['text'] },
      ],
    });
    try {
      await rest(port, 'POST', `/schema/${tenants}/tenants`, [{ name: 'a' }, { name: 'b' }]);
      for (const [tenant, body] of [
        ['a', 'nothing'],
        ['b', secret],
      ]) {
        await rest(port, 'POST', '/objects', { class: tenants, tenant, properties: { body, plain: 'x' } });
      }
      const saved = core.connections.get(connectionId)!;
      const masking = { columns: [], patterns: ['email' as const] };
      const { id: _, ...draft } = saved;
      await core.connections.update(connectionId, {
        name: draft.name,
        driver: draft.driver,
        fields: draft.fields,
        externalClients: draft.externalClients,
        aiPolicy: draft.aiPolicy,
        safeMode: draft.safeMode,
        color: draft.color,
        masking,
      });
      const filter = (property: string) => `where: {path: ["${property}"], operator: Like, valueText: "x*"}`;
      const run = (text: string) => core.data.runQuery(access(client), { text, limit: 10 });
      const escaped = `\\u0054${tenants.slice(1)}`;
      const refused = [
        `{ Get { ${tenants}(tenant: "b", ${filter('body')}) { plain } } }`,
        `{ Get { x: ${tenants}(tenant: "a", ${filter('body')}) { plain } } }`,
        `POST /graphql {"query": ${JSON.stringify(`{ Get { ${tenants}(tenant: "b", ${filter('body')}) { plain } } }`).replace(tenants, escaped)}}`,
        `GET /objects?class=%54${tenants.slice(1)}&tenant=b&sort=body`,
        `GET /objects?class=${tenants}&class=${collection}&tenant=b`,
      ];
      for (const text of refused) await expect(run(text), text).rejects.toMatchObject({ code: 'refused' });
      const open = await run(`{ Get { ${tenants}(tenant: "b", ${filter('plain')}) { plain body } } }`);
      expect(JSON.stringify(open.results)).not.toContain(secret);
      expect(open.results).toMatchObject([{ kind: 'rows', rows: { rowCount: 1 } }]);
      const rows = await run(`GET /objects?class=${tenants}&tenant=b`);
      expect(JSON.stringify(rows.results)).not.toContain(secret);
    } finally {
      await rest(port, 'DELETE', `/schema/${tenants}`);
    }
  });
});
