import { expect, test } from 'vitest';
import { call, openFixed } from './testing/fixed-server.ts';

const schema = () => ({
  classes: ['Decoy', 'Person'].map((name) => ({
    class: name,
    vectorizer: 'none',
    properties: [{ name: 'name', dataType: ['text'] }],
  })),
});

const all = '"where":{"operator":"Like","path":["name"],"valueText":"*"}';

test.each([
  `DELETE /batch/objects {"match":{"class":"Decoy",${all}},"Match":{"class":"Person",${all}}}`,
  `DELETE /batch/objects {"match":{"class":"Decoy","Class":"Person",${all}}}`,
  `DELETE /batch/objects {"match":{"class":"Decoy","class":"Person",${all}}}`,
  `DELETE /batch/objects {"match":{"class":"Decoy","cla\\u0073s":"Person",${all}}}`,
  // Go treats the long s (ſ) and the Kelvin sign (U+212A) as s and k.
  `DELETE /batch/objects {"match":{"class":"Decoy","claſs":"Person",${all}}}`,
  'POST /objects {"class":"Decoy","properties":{"rank":1,"ran\u212a":2}}',
  'DELETE /batch/objects {"match":{"class":"Decoy","where":{"operator":"Equal","Operator":"Like","path":["name"],"valueText":"*"}}}',
  'POST /objects {"class":"Decoy","properties":{"a":[{"b":1,"B":2}]}}',
  'PUT /objects/Decoy/1 {"id":"1","ID":"2"}',
  'POST /graphql {"query":"{ Get { Decoy { name } } }","Query":"{ Get { Person { name } } }"}',
  'POST /graphql {"query":"{ Get { Decoy { name } } }","queries":[]}',
  'GET /objects?class=Decoy&class=Person',
  'GET /objects?class=Decoy&Class=Person',
  'DELETE /objects/Decoy/1?tenant=a&tenant=b',
  'GET /v1/%2564ecoy',
  'GET //',
  'POST /objects {"a":1,}',
  'POST /objects {"a":01}',
  'POST /objects [1 2]',
  'POST /objects {"a":1}}',
  "POST /objects {'a':1}",
])('%s is refused before anything is sent', async (text) => {
  const { session, asked } = await openFixed(schema);
  await expect(session.classify(text, call)).rejects.toMatchObject({ code: 'refused' });
  await expect(session.run({ text, ceiling: 'destroy', limit: 1 }, call)).rejects.toMatchObject({
    code: 'refused',
  });
  expect(asked).toEqual([]);
});

test.each([
  [
    'DELETE /batch/objects {"Match":{"CLASS":"person","where":{"path":["name"]}}}',
    {
      method: 'DELETE',
      url: '/v1/batch/objects',
      body: '{"Match":{"CLASS":"person","where":{"path":["name"]}}}',
    },
  ],
  ['GET /v1/%73chema/%50erson', { method: 'GET', url: '/v1/schema/Person', body: '' }],
  ['GET /schema//Person/', { method: 'GET', url: '/v1/schema/Person', body: '' }],
  [
    'GET /objects?cl%61ss=%50erson&limit=%31',
    { method: 'GET', url: '/v1/objects?class=Person&limit=1', body: '' },
  ],
  [
    'POST /objects {"a": 12345678901234567890, "b":1.50 , "\\u0063" : "\\u0041\\/"}',
    { method: 'POST', url: '/v1/objects', body: '{"a":12345678901234567890,"b":1.50,"c":"A/"}' },
  ],
  [
    'POST /graphql {"query":"{ Get { \\u0050erson { name } } }","operationName":null}',
    {
      method: 'POST',
      url: '/v1/graphql',
      body: '{"query":"{\\n  Get {\\n    Person {\\n      name\\n    }\\n  }\\n}"}',
    },
  ],
  [
    '# note\n{ Get { Person { # who\n name } } }',
    {
      method: 'POST',
      url: '/v1/graphql',
      body: '{"query":"{\\n  Get {\\n    Person {\\n      name\\n    }\\n  }\\n}"}',
    },
  ],
])('%s is sent as the driver parsed it, not as it was typed', async (text, sent) => {
  const { session, asked } = await openFixed(schema);
  await session.run({ text, ceiling: 'destroy', limit: 1 }, call);
  expect(asked).toEqual([sent]);
});

test.each([
  ['GET /objects?class=decoy', ['Decoy']],
  ['GET /objects/decoy/1', ['Decoy']],
  ['GET /objects/1?class=Decoy', undefined],
  ['PATCH /objects/1?class=Decoy {"class":"Person"}', undefined],
  ['POST /objects?class=Decoy {"class":"Person"}', undefined],
  ['GET /objects', undefined],
])(
  'classify reports the collections of %s as %j; undefined means that they are uncertain',
  async (text, tables) => {
    const { session } = await openFixed(schema);
    expect((await session.classify(text, call)).tables).toEqual(tables);
  },
);

test.each([
  ['{ Get { Shelf(nearVector: {vector: [1]}) { name } } }', ['Shelf', 'Box', 'Letter']],
  ['{ Get { Letter { name } Box { name } } }', ['Letter', 'Box']],
  ['GET /objects?class=Shelf&include=vector', ['Shelf', 'Box', 'Letter']],
])('the collections of %s are %j, including those that a centroid is computed from', async (text, tables) => {
  const references = (name: string, target: string) => ({
    class: name,
    vectorizer: 'ref2vec-centroid',
    properties: [{ name: 'holds', dataType: [target] }],
  });
  const letter = {
    class: 'Letter',
    vectorizer: 'text2vec-x',
    properties: [{ name: 'name', dataType: ['text'] }],
  };
  const { session } = await openFixed(() => ({
    classes: [references('Shelf', 'Box'), references('Box', 'Letter'), letter],
  }));
  const found = (await session.classify(text, call)).tables;
  expect(found?.toSorted()).toEqual(tables.toSorted());
});

test.each([
  [`{"match":{"class":"Person",${all}}}`],
  [`{"MATCH":{"claſs":"person",${all.replace('where', 'Where').replace('path', 'PATH')}}}`],
])('the measured count is the number of objects that the server would delete: %s', async (body) => {
  const { session, asked } = await openFixed(schema, ({ body }) =>
    body.includes('Person') ? { data: { Aggregate: { Person: [{ meta: { count: 7 } }] } } } : {},
  );
  expect(await session.measure({ text: `DELETE /batch/objects ${body}` }, call)).toMatchObject({
    tables: [{ table: 'Person', rows: 7 }],
  });
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /v1/graphql']);
});

const from = 'weaviate://localhost/Person/1/knows';

test.each([
  ['POST /batch/other []', [{ table: '/v1/batch/other', rows: null }]],
  [
    `POST /batch/references ${JSON.stringify(['a', 'b', 'a'].map((tenant) => ({ from, tenant })))}`,
    [{ table: 'Person', rows: 2 }],
  ],
  ['DELETE /schema/Person/tenants ["a","a"]', [{ table: 'Person', partition: 'a', rows: 7 }]],
  ['PUT /objects/person/1?tenant=x {"tenant":"a"}', [{ table: 'Person', partition: 'a', rows: 1 }]],
  ['PATCH /objects/1 {"class":"person","Tenant":"a"}', [{ table: 'Person', partition: 'a', rows: 1 }]],
  ['DELETE /objects/Person/1?tenant=a {"tenant":"x"}', [{ table: 'Person', partition: 'a', rows: 1 }]],
  [
    'POST /objects/Person/1/references/knows?tenant=a {"tenant":"x"}',
    [{ table: 'Person', partition: 'a', rows: 1 }],
  ],
])(
  'measure counts the objects of %s in the collection and tenant that the server would use; null means unknown',
  async (text, tables) => {
    const { session } = await openFixed(schema, () => ({
      data: { Aggregate: { Person: [{ meta: { count: 7 } }] } },
    }));
    expect((await session.measure({ text }, call)).tables).toEqual(tables);
  },
);

test('POST /graphql with a JSON string as its body is refused: the body has no query', async () => {
  const { session } = await openFixed(schema);
  await expect(session.classify('POST /graphql "abc"', call)).rejects.toMatchObject({
    message: 'The body has no query',
  });
});

const ids = Array.from(
  { length: 150 },
  (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
);
const batch = (count: number, more: object = {}) =>
  `POST /batch/objects ${JSON.stringify({ Objects: ids.slice(0, count).map((id) => ({ class: 'person', ID: id, ...more })) })}`;

test.each([
  [batch(150), 'would change or delete 150 rows (150 of Person)'],
  [
    `POST /batch/references ${JSON.stringify(ids.map((id) => ({ from: `weaviate://localhost/Person/${id}/knows`, to: 'weaviate://localhost/x' })))}`,
    'would change or delete 150 rows (150 of Person)',
  ],
])(
  'a batch that changes more existing objects than the reach limit is destructive: %#',
  async (text, message) => {
    const { session, asked } = await openFixed(schema);
    const run = session.run({ text, ceiling: 'write', limit: 1, reach: 100 }, call);
    await expect(run).rejects.toMatchObject({
      code: 'above_ceiling',
      needs: 'destroy',
      message: expect.stringContaining(message),
    });
    expect(asked.filter(({ method }) => method !== 'HEAD')).toEqual([]);
  },
);

test('a batch within the reach limit is sent', async () => {
  const { session, asked } = await openFixed(schema);
  await session.run({ text: batch(100, { tenant: 'a' }), ceiling: 'write', limit: 1, reach: 100 }, call);
  expect(asked.at(-1)).toMatchObject({ method: 'POST', url: '/v1/batch/objects' });
  expect(asked[0]).toMatchObject({ method: 'HEAD', url: `/v1/objects/Person/${ids[0]}?tenant=a` });
});

const added = (count: number) =>
  `POST /batch/objects ${JSON.stringify({ objects: ids.slice(0, count).map(() => ({ class: 'Person' })) })}`;
const tenants = ['a', 'b', 'c'].map((name) => ({ name }));

test.each([
  [batch(7), { changed: 7, inserted: 0 }],
  [added(9), { changed: 0, inserted: 9 }],
  ['POST /objects {"class":"Person"}', { changed: 0, inserted: 1 }],
  ['PUT /objects/Person/1 {"class":"Person"}', { changed: 1, inserted: 0 }],
  ['PATCH /objects/Person/1 {"class":"Person"}', { changed: 1, inserted: 0 }],
  ['DELETE /objects/Person/1', { changed: 1, inserted: 0 }],
  ['POST /objects/Person/1/references/knows {}', { changed: 1, inserted: 0 }],
  [`POST /batch/references ${JSON.stringify([{ from }])}`, { changed: 1, inserted: 0 }],
  ['POST /schema {"class":"Other"}', { changed: 0, inserted: 1 }],
  ['POST /schema/Person/properties {"name":"age"}', { changed: 0, inserted: 1 }],
  [`POST /schema/Person/tenants ${JSON.stringify(tenants)}`, { changed: 0, inserted: 3 }],
])('%s counts what it writes, and is not sent if the budget is smaller', async (text, written) => {
  const { session, asked } = await openFixed(schema);
  const run = (budget: typeof written) =>
    session.run({ text, ceiling: 'write', limit: 1, reach: 100, budget }, call);
  const less = written.changed > 0 ? 'changed' : 'inserted';
  await expect(run({ ...written, [less]: written[less] - 1 })).rejects.toMatchObject({
    code: 'over_budget',
    written,
  });
  expect(asked.filter(({ method, url }) => method !== 'HEAD' && !url.startsWith('/v1/schema?'))).toEqual([]);
  expect(await run(written)).toMatchObject({ effect: 'write', written });
});

test('an approved statement is checked again before it is sent', async () => {
  let count = 3;
  let classes = schema().classes;
  const { session, asked } = await openFixed(
    () => ({ classes }),
    () => ({ data: { Aggregate: { Person: [{ meta: { count } }] } } }),
  );
  const text = 'DELETE /schema/Person';
  const approved = await session.measure({ text }, call);
  expect(approved.tables).toEqual([{ table: 'Person', rows: 3 }]);
  const run = () => session.run({ text, ceiling: 'destroy', limit: 1, approved }, call);
  count = 4;
  await expect(run()).rejects.toMatchObject({
    code: 'loss_changed',
    message: 'The data changed after the user approved the statement, so nothing was changed',
  });
  count = 3;
  classes = classes.map((one) => ({ ...one, properties: [] }));
  await expect(run()).rejects.toMatchObject({
    code: 'loss_changed',
    message: 'The schema changed after the user approved the statement, so nothing was changed',
  });
  expect(asked.some(({ method }) => method === 'DELETE')).toBe(false);
  classes = schema().classes;
  await run();
  expect(asked.at(-1)).toMatchObject({ method: 'DELETE', url: '/v1/schema/Person' });
});

/** A chain of 41 fragments. Each uses the next one, and the last one selects `fields`. */
function nested(fields: string): string {
  const outer = Array.from({ length: 40 }, (_, index) => `fragment F${index} on X { ...F${index + 1} }`);
  return `${outer.join(' ')} fragment F40 on X { ${fields} }`;
}

/** Masking relies on the collections from classify, so another spelling or a fragment must not hide a collection. */
test.each([
  ['POST /graphql {"query":"{ Get { \\u0050erson { name } } }"}', ['Person']],
  ['{ Get { x: person { name } } }', ['Person']],
  ['{ Get { ...F } } fragment F on GetObjectsObj { Person { name } }', ['Person']],
  [
    '{ Get { Decoy(where: {path: ["knows", "\\u0050erson", "name"], operator: Equal, valueText: "a"}) { name } } }',
    ['Decoy', 'Person'],
  ],
  ['{ Get { Decoy { knows { ... on Person { name } } } } }', ['Decoy', 'Person']],
  ['{ Aggregate { Decoy { meta { count } } } }', ['Decoy']],
  [
    'POST /graphql {"query":"query($p: [String]) { Get { Decoy(where: {path: $p, operator: Like, valueText: \\"a*\\"}) { name } } }","variables":{"p":["knows","Person","name"]}}',
    undefined,
  ],
  ['{ Get { Decoy(where: $w) { name } } }', undefined],
  ['{ Get { AliasOfPerson { name } } }', undefined],
  [`{ Get { ...F0 } } ${nested('AliasOfPerson { name }')}`, undefined],
  [`{ ...F0 } ${nested('Get { AliasOfPerson { name } }')}`, undefined],
  ['{ Explore(nearText: {concepts: ["a"]}) { beacon } }', undefined],
  ['GET /objects?cl%61ss=%50erson', ['Person']],
  ['GET /objects/person/1', ['Person']],
  ['GET /objects/AliasOfPerson/1', undefined],
  ['GET /objects', undefined],
  ['GET /objects/1', undefined],
  ['POST /batch/objects {}', undefined],
  ['GET /backups/s3/1', undefined],
  ['GET /schema', []],
])('classify gives the collections of %s, or undefined if they are uncertain', async (text, tables) => {
  const { session } = await openFixed(schema);
  expect((await session.classify(text, call)).tables).toEqual(tables);
});

/** If two fragments had the same name, one check could read the first, and another check the second. */
test('a query with two fragments of one name is refused', async () => {
  const { session } = await openFixed(schema);
  const text =
    '{ Get { ...F } } fragment F on X { Person { name } } fragment F on X { AliasOfPerson { name } }';
  const refused = { code: 'refused', message: 'Two fragments of the query are named F' };
  await expect(session.classify(text, call)).rejects.toMatchObject(refused);
  await expect(session.run({ text, ceiling: 'read', limit: 1 }, call)).rejects.toMatchObject(refused);
});
