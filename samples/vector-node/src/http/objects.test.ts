import { expect, test } from 'vitest';
import { runningNode } from '../testing/running-node.ts';

const id = '11111111-1111-4111-8111-111111111111';
const other = '22222222-1111-4111-8111-111111111111';

async function bookNode() {
  const node = await runningNode({ seed: false, maximumResults: 100 });
  for (const name of ['Book', 'Film']) {
    await node.ask('POST', '/schema', {
      class: name,
      vectorizer: 'none',
      properties: [
        { name: 'title', dataType: ['text'] },
        { name: 'pages', dataType: ['int'] },
        { name: 'author', dataType: ['object'], nestedProperties: [{ name: 'name', dataType: ['text'] }] },
      ],
    });
  }
  await node.ask('POST', '/schema/Book/properties', { name: 'sequels', dataType: ['Book'] });
  const properties = { title: 'One', pages: 3_000_000_000, author: { name: 'A' } };
  await node.ask('POST', '/objects', { class: 'Book', id, properties, vector: [0.1, 0.2, 0.3] });
  return node;
}

test('GET returns an object as it was created, and HEAD tells whether the object exists', async () => {
  const node = await bookNode();
  const made = await node.ask('POST', '/objects', { class: 'Film', id: other.toUpperCase(), properties: {} });
  expect(made).toMatchObject({ status: 200, body: { class: 'Film', id: other, properties: {} } });
  expect(await node.ask('GET', `/objects/Book/${id}?include=vector`)).toEqual({
    status: 200,
    body: {
      class: 'Book',
      id,
      creationTimeUnix: expect.any(Number),
      lastUpdateTimeUnix: expect.any(Number),
      properties: { title: 'One', pages: 3_000_000_000, author: { name: 'A' } },
      vector: [0.1, 0.2, 0.3],
      vectorWeights: null,
    },
  });
  expect(await node.ask('HEAD', `/objects/Book/${id}`)).toEqual({ status: 204, body: '' });
  expect(await node.ask('HEAD', `/objects/Book/${other}`)).toEqual({ status: 404, body: '' });
});

test.each([
  [{ class: 'Book', id, properties: {} }, { error: [{ message: `id '${id}' already exists` }] }],
  [
    { class: 'Book', id: 'zzz' },
    { code: 601, message: 'id in body must be of type uuid: "zzz"' },
  ],
  [{ properties: {} }, { error: [{ message: 'invalid object: the given class is empty' }] }],
  [
    { class: 'Book', properties: { pages: 1.5 } },
    {
      error: [
        {
          message:
            "invalid object: invalid integer property 'pages' on class 'Book': the JSON number '1.5' could not be converted to an int",
        },
      ],
    },
  ],
])('%j is refused', async (body, said) => {
  const node = await bookNode();
  expect(await node.ask('POST', '/objects', body)).toEqual({ status: 422, body: said });
});

test('a body that is not an object is refused with Weaviate’s message', async () => {
  const node = await bookNode();
  const reason = 'json: cannot unmarshal array into Go value of type models.Object';
  expect(await node.ask('POST', '/objects', [1])).toEqual({
    status: 400,
    body: { code: 400, message: `parsing body body from "" failed, because ${reason}` },
  });
});

test('PATCH changes only the properties that it names (null removes a property); without vectorizer it keeps the vector', async () => {
  const node = await bookNode();
  const properties = { title: null, author: { name: 'B' } };
  expect(await node.ask('PATCH', `/objects/${id}`, { class: 'Book', properties })).toEqual({
    status: 204,
    body: '',
  });
  const { body } = await node.ask('GET', `/objects/Book/${id}?include=vector`);
  expect(body).toMatchObject({ vector: [0.1, 0.2, 0.3] });
  expect(body).toHaveProperty('properties', { pages: 3_000_000_000, author: { name: 'B' } });
  expect(await node.ask('PATCH', `/objects/${id}`, { properties: {} })).toEqual({
    status: 422,
    body: { error: [{ message: 'msg:bad request code:400 err:empty class' }] },
  });
  expect(await node.ask('PATCH', `/objects/Book/${other}`, { class: 'Book' })).toEqual({
    status: 404,
    body: '',
  });
});

test('a property without a name or a type is refused', async () => {
  const node = await bookNode();
  const refused = (message: string) => ({
    status: 422,
    body: { error: [{ message: expect.stringContaining(message) }] },
  });
  const noType = "property 'x': invalid dataType: []: empty dataType array";
  const noName = "'' is not a valid property name";
  const nested = { name: 'x', dataType: ['object'], nestedProperties: [{ name: 'y' }] };
  for (const [property, message] of [
    [{ name: 'x' }, noType],
    [{ name: 'x', dataType: null }, noType],
    [{ dataType: ['text'] }, noName],
    [{ name: null, dataType: ['text'] }, noName],
    [nested, "property 'x.y': invalid dataType: []: empty dataType array"],
  ] as const) {
    const made = await node.ask('POST', '/schema', { class: 'Other', properties: [property] });
    expect(made).toMatchObject(refused(message));
    expect(await node.ask('POST', '/schema/Book/properties', property)).toMatchObject(refused(message));
  }
});

test('DELETE /objects/Book/{id} deletes from Book only; DELETE /objects/{id}?class=Book deletes from every collection', async () => {
  const node = await bookNode();
  await node.ask('POST', '/objects', { class: 'Film', id, properties: {} });
  expect(await node.ask('DELETE', `/objects/Book/${id}`)).toEqual({ status: 204, body: '' });
  expect(await node.ask('GET', `/objects/Film/${id}`)).toMatchObject({ status: 200 });
  await node.ask('POST', '/objects', { class: 'Book', id, properties: {} });
  expect(await node.ask('DELETE', `/objects/${id}?class=Book`)).toEqual({ status: 204, body: '' });
  expect(await node.ask('GET', `/objects/Film/${id}`)).toEqual({ status: 404, body: '' });
  expect(await node.ask('DELETE', `/objects/Book/${id}`)).toEqual({ status: 204, body: '' });
});

test('a list pages by offset and by cursor, and refuses a page beyond the maximum number of results', async () => {
  const node = await bookNode();
  await node.ask('POST', '/objects', { class: 'Book', id: other, properties: { title: 'Two' } });
  const ids = ({ body }: { body: unknown }) =>
    (body as { objects: { id: string }[] }).objects.map((one) => one.id);
  expect(ids(await node.ask('GET', '/objects?class=Book&limit=1&offset=1'))).toEqual([other]);
  expect(ids(await node.ask('GET', `/objects?class=Book&limit=5&after=${id}`))).toEqual([other]);
  expect(await node.ask('GET', '/objects?class=Book&limit=100&offset=1')).toMatchObject({
    status: 422,
    body: { error: [{ message: expect.stringContaining('query maximum results exceeded') }] },
  });
  expect(await node.ask('GET', '/objects?class=Nope')).toEqual({ status: 404, body: '' });
});

test('references are added, replaced and removed, and must point to an existing object', async () => {
  const node = await bookNode();
  const beacon = `weaviate://localhost/Book/${id}`;
  const path = `/objects/Book/${id}/references/sequels`;
  expect(await node.ask('POST', path, { beacon })).toEqual({ status: 200, body: '' });
  expect(await node.ask('GET', `/objects/Book/${id}`)).toMatchObject({
    body: { properties: { sequels: [{ beacon, href: `/v1/objects/Book/${id}` }] } },
  });
  expect(await node.ask('PUT', path, [])).toEqual({ status: 200, body: '' });
  const sequels = async () =>
    (await node.ask('GET', `/objects/Book/${id}`)).body as { properties: { sequels: object[] } };
  expect((await sequels()).properties.sequels).toEqual([]);
  await node.ask('PUT', path, [{ beacon }]);
  expect((await sequels()).properties.sequels).toHaveLength(1);
  expect(await node.ask('DELETE', path, { beacon })).toEqual({ status: 204, body: '' });
  expect((await sequels()).properties.sequels).toEqual([]);
  expect(await node.ask('PUT', path, [{ beacon: beacon.replace(id, other) }])).toMatchObject({ status: 422 });
});

test('a reference to a deleted object can be removed', async () => {
  const node = await bookNode();
  await node.ask('POST', '/objects', { class: 'Book', id: other, properties: {} });
  const reference = { beacon: `weaviate://localhost/Book/${other}` };
  const path = `/objects/Book/${id}/references/sequels`;
  await node.ask('POST', path, reference);
  await node.ask('DELETE', `/objects/Book/${other}`);
  expect(await node.ask('DELETE', path, reference)).toEqual({ status: 204, body: '' });
  expect(await node.ask('GET', `/objects/Book/${id}`)).toMatchObject({
    body: { properties: { sequels: [] } },
  });
});

test('the first letter of a property name becomes lowercase', async () => {
  const node = await bookNode();
  await node.ask('POST', '/objects', {
    class: 'Book',
    id: other,
    properties: { Title: 'Two', Fresh: 'new' },
  });
  await node.ask('PATCH', `/objects/Book/${other}`, { class: 'Book', properties: { Title: null, Pages: 5 } });
  expect(await node.ask('GET', `/objects/Book/${other}`)).toMatchObject({
    body: { properties: { fresh: 'new', pages: 5 } },
  });
  const again = { class: 'Book', id: other, properties: { Fresh: 'newer' } };
  expect(await node.ask('PUT', `/objects/Book/${other}`, again)).toMatchObject({
    status: 200,
    body: { properties: { fresh: 'newer' } },
  });
});

test('a name that is invalid in GraphQL is refused, so the other collections stay readable', async () => {
  const node = await bookNode();
  const vectorConfig = { 'a b': { vectorizer: { none: {} } } };
  const nested = { class: 'Film', properties: { meta: { 'a-b': 1 } } };
  expect(await node.ask('POST', '/objects', nested)).toMatchObject({
    status: 422,
    body: { error: [{ message: "property 'meta': 'a-b' is not a valid nested property name" }] },
  });
  for (const [method, path] of [
    ['POST', '/schema'],
    ['PUT', '/schema/Film'],
  ] as const) {
    expect(await node.ask(method, path, { class: 'Play', vectorConfig })).toMatchObject({
      status: 422,
      body: { error: [{ message: "'a b' is not a valid target vector name" }] },
    });
  }
  expect(await node.graphql('{ Get { Book { title } } }')).toEqual({
    data: { Get: { Book: [{ title: 'One' }] } },
  });
});

test('a batch reports the status of each object, and a batch delete has a dry run', async () => {
  const node = await bookNode();
  const objects = [
    { class: 'Book', id: other, properties: { title: 'batch' } },
    { class: 'Book', properties: { pages: 'x' } },
  ];
  const { body } = await node.ask('POST', '/batch/objects', { objects });
  expect((body as { result: { status: string } }[]).map(({ result }) => result.status)).toEqual([
    'SUCCESS',
    'FAILED',
  ]);
  const match = { class: 'Book', where: { operator: 'Equal', path: ['title'], valueText: 'batch' } };
  const matches = { body: { results: { matches: 1, failed: 0 } } };
  expect(await node.ask('DELETE', '/batch/objects', { match, dryRun: true })).toMatchObject(matches);
  expect(await node.ask('DELETE', '/batch/objects', { match })).toMatchObject(matches);
  expect(await node.ask('GET', `/objects/Book/${other}`)).toEqual({ status: 404, body: '' });
});

test('a batch delete refuses a filter value of the wrong type', async () => {
  const node = await bookNode();
  const match = { class: 'Book', where: { operator: 'Equal', path: ['pages'], valueInt: 'x' } };
  expect(await node.ask('DELETE', '/batch/objects', { match })).toEqual({
    status: 422,
    body: { error: [{ message: 'validate: invalid where filter: field \'valueInt\' cannot hold "x"' }] },
  });
  expect(await node.ask('HEAD', `/objects/Book/${id}`)).toEqual({ status: 204, body: '' });
});

test('a named vector may be called default', async () => {
  const node = await runningNode({ seed: false });
  await node.ask('POST', '/schema', {
    class: 'Song',
    vectorConfig: { default: { vectorizer: { none: {} } } },
  });
  await node.ask('POST', '/objects', { class: 'Song', id, vectors: { default: [1, 2] } });
  const { body } = await node.ask('GET', `/objects/Song/${id}?include=vector`);
  expect(body).toMatchObject({ vectors: { default: [1, 2] } });
  expect(body).not.toHaveProperty('vector');
  expect(await node.graphql('{ Get { Song { _additional { vector vectors { default } } } } }')).toEqual({
    data: { Get: { Song: [{ _additional: { vector: [], vectors: { default: [1, 2] } } }] } },
  });
});

test.each([
  [
    { objects: [{ class: 'Book' }, 5] },
    'number into Go struct field BatchObjectsCreateBody.objects of type models.Object',
  ],
  [{ objects: [[1]] }, 'array into Go struct field BatchObjectsCreateBody.objects of type models.Object'],
  [{ objects: 'x' }, 'string into Go struct field BatchObjectsCreateBody.objects of type []*models.Object'],
  [[5], 'array into Go value of type batch.BatchObjectsCreateBody'],
])('the batch %j is refused with Weaviate’s message', async (batch, reason) => {
  const node = await bookNode();
  const message = `parsing body body from "" failed, because json: cannot unmarshal ${reason}`;
  expect(await node.ask('POST', '/batch/objects', batch)).toEqual({
    status: 400,
    body: { code: 400, message },
  });
});

test.each([[null], [{}]])('a batch with the object %j stores nothing, as in Weaviate', async (bad) => {
  const node = await bookNode();
  const objects = [{ class: 'Book', id: other, properties: { title: 'batch' } }, bad];
  expect(await node.ask('POST', '/batch/objects', { objects })).toEqual({ status: 200, body: '' });
  expect(await node.ask('GET', `/objects/Book/${other}`)).toEqual({ status: 404, body: '' });
});

test('an unknown property is added to the schema, as in Weaviate', async () => {
  const node = await bookNode();
  await node.ask('PATCH', `/objects/Book/${id}`, {
    class: 'Book',
    properties: { constructor: 'x', when: '2020-01-01T00:00:00Z' },
  });
  const { body } = await node.ask('GET', '/schema/Book');
  expect((body as { properties: object[] }).properties.slice(-2)).toMatchObject([
    { name: 'constructor', dataType: ['text'], tokenization: 'word' },
    { name: 'when', dataType: ['date'] },
  ]);
  const { data } = await node.graphql(
    '{ Get { Book(where: { path: ["constructor"], operator: Equal, valueText: "x" }) { constructor } } }',
  );
  expect(data).toEqual({ Get: { Book: [{ constructor: 'x' }] } });
});

test.each([
  ['/objects', { class: 5 }, 'Object.class'],
  ['/objects', { class: 'Film', id: 5 }, 'Object.id'],
  ['/batch/objects', { objects: [{ class: 'Film' }, { class: 5 }] }, 'Object.objects.class'],
  ['/batch/objects', { objects: [{ class: 'Film', tenant: 5 }] }, 'Object.objects.tenant'],
])('%s refuses %j as Weaviate does, and stores nothing', async (path, body, field) => {
  const node = await bookNode();
  const reason = `json: cannot unmarshal number into Go struct field ${field} of type string`;
  expect(await node.ask('POST', path, body)).toEqual({
    status: 400,
    body: { code: 400, message: `parsing body body from "" failed, because ${reason}` },
  });
  expect((await node.ask('GET', '/objects?class=Film')).body).toMatchObject({ objects: [] });
});

test('a null id counts as absent', async () => {
  const node = await bookNode();
  const film = { class: 'Film', id: null, properties: {} };
  expect(await node.ask('POST', '/objects', film)).toMatchObject({ status: 200 });
  const { body } = await node.ask('POST', '/batch/objects', { objects: [film] });
  expect(body).toMatchObject([
    { id: expect.stringMatching(/^[0-9a-f-]{36}$/), result: { status: 'SUCCESS' } },
  ]);
});

test('a negative offset returns no objects', async () => {
  const node = await bookNode();
  expect((await node.ask('GET', '/objects?class=Book&offset=-1&limit=1')).body).toEqual({
    deprecations: [],
    objects: [],
  });
});

test('a class with the name of a GraphQL type disables GraphQL, as in Weaviate', async () => {
  const node = await bookNode();
  const get = () => node.ask('POST', '/graphql', { query: '{ Get { Book { title } } }' });
  await node.ask('POST', '/schema', { class: 'Weights', vectorizer: 'none' });
  expect(await get()).toMatchObject({
    status: 422,
    body: { error: [{ message: expect.stringMatching(/^no graphql provider present/) }] },
  });
  await node.ask('DELETE', '/schema/Weights');
  expect(await get()).toMatchObject({ status: 200, body: { data: { Get: { Book: [{ title: 'One' }] } } } });
});
