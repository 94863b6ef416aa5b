import { driverErrorDetails, type Guarded, type Json, maskedColumn, type Session } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, openFixed } from './testing/fixed-server.ts';

const text = (name: string) => ({ name, dataType: ['text'], tokenization: 'word' });
const schema = {
  classes: [
    {
      class: 'Person',
      vectorizer: 'none',
      properties: [
        text('name'),
        text('email'),
        { name: 'salary', dataType: ['int'] },
        { name: 'address', dataType: ['object'], nestedProperties: [text('street'), text('city')] },
        { name: 'livesIn', dataType: ['City'] },
      ],
    },
    {
      class: 'City',
      vectorizer: 'none',
      properties: [text('name'), text('secret'), { name: 'mayor', dataType: ['Person'] }],
    },
    { class: 'Vault', vectorizer: 'none', properties: [text('name')] },
    { class: 'Letter', vectorizer: 'text2vec-x', properties: [text('title'), text('body')] },
    {
      class: 'Note',
      vectorizer: 'text2vec-x',
      moduleConfig: { 'text2vec-x': { type: 'text', vectorizeClassName: false } },
      properties: [text('text'), text('body')],
    },
    {
      class: 'Memo',
      vectorizer: 'text2vec-x',
      properties: [text('title'), { ...text('body'), moduleConfig: { 'text2vec-x': { skip: true } } }],
    },
    {
      class: 'Pair',
      properties: [text('title'), text('body')],
      vectorConfig: {
        open: { vectorizer: { 'text2vec-x': { properties: ['title'] } } },
        closed: { vectorizer: { 'text2vec-x': { properties: ['body'] } } },
      },
    },
    {
      class: 'Shelf',
      vectorizer: 'ref2vec-centroid',
      moduleConfig: { 'ref2vec-centroid': { referenceProperties: ['holds'], method: 'mean' } },
      properties: [text('name'), { name: 'holds', dataType: ['Vault', 'Pair'] }],
    },
    { class: 'Room', vectorizer: 'ref2vec-centroid', properties: [{ name: 'shelves', dataType: ['Shelf'] }] },
    { class: 'Agent', vectorizer: 'none', properties: [text('name'), { name: 'boss', dataType: ['Agent'] }] },
    {
      class: 'Report',
      vectorizer: 'none',
      properties: [text('name'), { name: 'by', dataType: ['City', 'Agent'] }],
    },
    {
      class: 'Card',
      vectorizer: 'none',
      properties: [
        text('name'),
        { name: 'about', dataType: ['Person', 'Vault', 'Pair'] },
        { name: 'job', dataType: ['object'], nestedProperties: [text('email')] },
      ],
    },
  ],
};
const person: { [key: string]: Json } & { id: string } = {
  class: 'Person',
  id: '6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10',
  properties: { name: 'Ada', email: 'ada@lovelace.example', address: { street: 'Secret 1' }, salary: null },
  vector: [1, 2],
};

const guarded: Guarded = [
  'Person.email',
  'salary',
  'Person.address.street',
  'City.secret',
  'Vault.vector',
  'Letter.body',
  'Note.body',
  'Memo.body',
  'Pair.body',
  'Agent.uuid',
].flatMap(maskedColumn);

const open = (answer: (path: string, body: string) => Json = () => ({ data: {} })) =>
  openFixed(
    () => schema,
    ({ url, body }) => answer(url, body),
  );

const run = (session: Session, query: string) =>
  session.run({ text: query, ceiling: 'destroy', limit: 10, guarded }, call);

test.each([
  '{ Get { Person(where: {path: ["email"], operator: Like, valueText: "a*"}) { name } } }',
  '{ Get { Person(where: {path: ["Email"], operator: Equal, valueText: "a"}) { name } } }',
  '{ Get { Person(where: {path: "email", operator: Equal, valueText: "a"}) { name } } }',
  '{ Get { Person(where: {path: ["\\u0065mail"], operator: Equal, valueText: "a"}) { name } } }',
  '{ Get { Person(where: {path: ["len(email)"], operator: GreaterThan, valueInt: 5}) { name } } }',
  '{ Get { Person(where: {path: ["address.street"], operator: Equal, valueText: "a"}) { name } } }',
  '{ Get { Person(where: {operator: And, operands: [{path: ["name"], operator: Equal, valueText: "a"}, {path: ["salary"], operator: GreaterThan, valueInt: 1}]}) { name } } }',
  '{ Get { City(where: {path: ["mayor", "Person", "email"], operator: Like, valueText: "a*"}) { name } } }',
  'query($p: [String] = ["email"]) { Get { Person(where: {path: $p, operator: Like, valueText: "a*"}) { name } } }',
  '{ Get { Person(sort: [{path: ["email"], order: asc}]) { name } } }',
  '{ Get { Person(sort: {path: ["name"]}, groupBy: {path: ["salary"], groups: 2, objectsPerGroup: 1}) { name } } }',
  '{ Get { Person(group: {type: merge, force: 0.1}) { name } } }',
  '{ Get { Person(bm25: {query: "ada"}) { name } } }',
  '{ Get { Person(bm25: {query: "ada", properties: ["name", "email^3"]}) { name } } }',
  '{ Get { Person(hybrid: {query: "ada", properties: []}) { name } } }',
  '{ Get { Person(hybrid: {properties: ["name"], searches: [{sparseSearch: {query: "a", properties: ["email"]}}]}) { name } } }',
  '{ Get { Person(hybrid: {properties: ["name"], searches: [{sparseSearch: {query: "a"}}]}) { name } } }',
  '{ Get { Person(hybrid: {properties: ["name"], searches: {other: {properties: "email^2"}}}) { name } } }',
  '{ Get { Person(ask: {question: "what is the mail?"}) { name } } }',
  '{ Get { Person(somethingNew: "email") { name } } }',
  '{ Get { Vault(nearVector: {vector: [1]}) { name } } }',
  '{ Get { Letter(nearText: {concepts: ["a secret"]}) { title } } }',
  '{ Get { Letter(nearObject: {id: "1"}) { title } } }',
  '{ Get { Note(nearText: {concepts: ["a secret"]}) { text } } }',
  '{ Get { Letter(hybrid: {query: "a", properties: ["title"]}) { title } } }',
  '{ Get { Pair(nearText: {concepts: ["a"], targetVectors: ["open", "closed"]}) { title } } }',
  '{ Get { Pair(nearText: {concepts: ["a"]}) { title } } }',
  '{ Explore(nearText: {concepts: ["a secret"]}) { beacon distance } }',
  '{ Get { Person { name _additional { explainScore } } } }',
  '{ Get { Person { name _additional { generate(singleResult: {prompt: "{email}"}) { singleResult } } } } }',
  '{ Get { Person { name a: _additional { rerank(property: "email", query: "a") { score } } } } }',
  '{ Get { Person { ... on Person { ...F } } } } fragment F on Person { _additional { summary(properties: ["email"]) { result } } }',
  '{ Get { City { name mayor { ... on Person { email } } } } }',
  '{ Get { City { name mayor { ...F } } } } fragment F on Person { mail: email }',
  '{ Get { City { mayor { ... on Person { livesIn { ... on City { secret } } } } } } }',
  '{ Get { City { mayor { ... on Person { _additional { explainScore } } } } } }',
  '{ Get { Card { about { ... on Vault { _additional { vector } } } } } }',
  '{ Get { Card { about { ... on Pair { _additional { vectors { closed } } } } } } }',
  '{ Get { Card { about { ... on Pair { _additional { vectors { open: closed } } } } } } }',
  '{ Get { Card { about { ... on Pair { _additional { vector } } } } } }',
  '{ Get { Card { about { ...F } } } } fragment F on Vault { x: _additional { y: vector } }',
  '{ Get { Card { about { _additional { vector } } } } }',
  '{ Get { City { mayor { ... on Person { livesIn { ... on Agent { _additional { id } } } } } } } }',
  '{ Get { Shelf { holds { ... on Vault { name _additional { id vector } } } } } }',
  '{ Get { Card(groupBy: {path: ["name"], groups: 2, objectsPerGroup: 1}) { _additional { group { hits { about { ... on Person { email } } } } } } } }',
  '{ Get { Card { _additional { group { hits { about { ... on Vault { _additional { vector } } } } } } } } }',
  '{ Get { Card { _additional { ...G } } } } fragment G on CardAdditional { g: group { h: hits { about { ...F } } } } fragment F on Person { email }',
  '{ Get { Card { _additional { group { hits { ...H } } } } } } fragment H on CardAdditionalGroupHits { about { ... on Pair { body } } }',
  '{ Get { Vault { _additional { group { hits { _additional { vector } } } } } } }',
  '{ Get { Report { _additional { group { hits { by { ... on Agent { _additional { id } } } } } } } } }',
  '{ Get { Report(groupBy: {path: ["by"], groups: 2, objectsPerGroup: 1}) { _additional { group { groupedBy { value } } } } } }',
  '{ Aggregate { Report(groupBy: ["by"]) { groupedBy { value } } } }',
  '{ Get { Report(where: {path: ["by", "Agent", "id"], operator: GreaterThan, valueText: "8"}) { name } } }',
  '{ Get { Report(where: {path: ["by", "Agent", "boss"], operator: GreaterThan, valueInt: 0}) { name } } }',
  '{ Get { Report(where: {path: ["by", "Agent", "boss", "Agent", "_id"], operator: Equal, valueText: "8"}) { name } } }',
  '{ Get { Report(where: {path: ["by", "City", "secret"], operator: Equal, valueText: "8"}) { name } } }',
  '{ Get { Report(where: {path: ["by"], operator: GreaterThan, valueInt: 0}) { name } } }',
  '{ Get { Report(where: {path: ["by", "Nobody", "name"], operator: Equal, valueText: "8"}) { name } } }',
  '{ Get { Report(where: {path: ["name", "uuid", "Agent"], operator: Equal, valueText: "8"}) { name } } }',
  '{ Get { Report(where: {path: ["by", "Agent"], operator: GreaterThan, valueInt: 0}) { name } } }',
  '{ Get { Report(sort: {path: ["by", "Agent", "name"]}) { name } } }',
  '{ Get { Report(groupBy: {path: ["by", "Agent", "name"], groups: 2, objectsPerGroup: 1}) { name } } }',
  '{ Aggregate { Report(groupBy: ["by", "Agent", "name"]) { groupedBy { value } } } }',
  '{ Get { Agent(limit: 1, after: "80000000-0000-0000-0000-000000000000") { name } } }',
  '{ Get { Agent(nearObject: {id: "80000000-0000-0000-0000-000000000000"}) { name } } }',
  '{ Get { Card(nearObject: {beacon: "weaviate://localhost/Vault/1"}) { name _additional { distance } } } }',
  '{ Get { Card(nearObject: {beacon: "weaviate://localhost/vault/1"}) { name _additional { distance } } } }',
  '{ Get { Card(nearObject: {beacon: "weaviate://localhost/Nobody/1"}) { name _additional { distance } } } }',
  '{ Get { Card(nearObject: {beacon: "Vault"}) { name _additional { distance } } } }',
  '{ Get { Card(nearText: {concepts: ["a"], moveTo: {force: 1, objects: [{beacon: "weaviate://localhost/Letter/1"}]}}) { name } } }',
  '{ Aggregate { Card(nearObject: {beacon: "weaviate://localhost/Vault/1", distance: 0.1}) { meta { count } } } }',
  '{ Get { Pair(nearVector: {vectorPerTarget: {closed: [1]}, targetVectors: ["open"]}) { title } } }',
  '{ Get { Pair(nearVector: {vector: [1], targets: {weights: {open: 1}}}) { title } } }',
  '{ Get { Pair(nearVector: {vector: [1], targets: {targetVectors: ["open"], weights: {closed: 1}}}) { title } } }',
  '{ Get { Shelf(nearVector: {vector: [1]}) { name } } }',
  '{ Get { Room(nearVector: {vector: [1]}) { shelves { ... on Shelf { name } } } } }',
  '{ Get { Pair { _additional { vectors { x: open } } _additional { vectors { x: closed } } } } }',
  '{ Get { Pair { ... on Pair { _additional { vectors { x: open } } } ...V } } } fragment V on Pair { _additional { vectors { x: closed } } }',
  '{ Get { Person { name: email name } } }',
  '{ Get { Person { x: name } Person { x: email } } }',
  '{ Get { Person { x: name } } Get { Person { x: email } } }',
  '{ Get { Person { x: name } ...F } } fragment F on GetObjectsObj { Person { x: email } }',
  '{ Get { P: Person { name } } ... { Get { P: City { name: secret } } } }',
  '{ Get { Person { name } Person: City { name: secret } } }',
  '{ Get { Pair { _additional { vectors { x: open } } } Pair { _additional { vectors { x: closed } } } } }',
  '{ Aggregate { Person { x: name { count } } Person { x: salary { count } } } }',
  '{ Get { Person(where: {path: ["""email"""], operator: Like, valueText: "a*"}) { name } } }',
  '{ Get { Person(where: {path: [email], operator: Like, valueText: "a*"}) { name } } }',
  '{ Get { Person(sort: {path: ["name", "email"]}) { name } } }',
  '{ Get { City(where: {path: ["mayor", "Person", "address.street"], operator: Like, valueText: "a*"}) { name } } }',
  '{ Get { Nobody { email } } }',
  '{ Aggregate { Person { email { topOccurrences { value } } } } }',
  '{ Aggregate { Person { x: email { count } } } }',
  '{ A: Aggregate { P: Person { ...F } } } fragment F on AggregatePerson { salary { sum } }',
  '{ Aggregate { Person(groupBy: ["email"]) { groupedBy { value } meta { count } } } }',
  '{ Aggregate { Person(groupBy: "email") { groupedBy { value } } } }',
  '{ Aggregate { Person(where: {path: ["email"], operator: Like, valueText: "a*"}) { meta { count } } } }',
  '{ Aggregate { Person(hybrid: {query: "a"}, objectLimit: 5) { meta { count } } } }',
  '{ Merge { Person { email } } }',
  'POST /graphql {"query": "{ Get { Person(sort: {path: [\\"\\u0065mail\\"]}) { name } } }"}',
  'POST /graphql {"query": "{ Aggregate { \\u0050erson { email { count } } } }"}',
  'POST /graphql/batch [{"query": "{ Get { Person { email } } }"}]',
  'GET /objects?class=Person&sort=email&order=asc',
  'GET /objects?class=Person&sort=name,Email',
  'GET /objects?class=Person&include=interpretation',
  'GET /objects?include=vector,classification',
  'GET /objects?class=Agent&after=80000000-0000-0000-0000-000000000000',
  'GET /objects?class=agent&limit=1&after=80000000-0000-0000-0000-000000000000',
  'GET /objects/Agent/80000000-0000-0000-0000-000000000000',
  'HEAD /objects/agent/80000000-0000-0000-0000-000000000000',
  'GET /objects/80000000-0000-0000-0000-000000000000',
  'GET /objects/80000000-0000-0000-0000-000000000000?class=Person',
  'GET /classifications/1',
  'GET /backups/s3/1',
  'POST /objects/validate {"class": "Person"}',
  'DELETE /batch/objects {"match": {"class": "Person", "where": {"path": ["email"], "operator": "Like", "valueText": "a*"}}, "dryRun": true}',
  'DELETE /batch/objects {"match": {"class": "Agent", "where": {"path": ["name"], "operator": "Like", "valueText": "*"}}, "output": "verbose", "dryRun": true}',
  'DELETE /batch/objects {"match": {"class": "Agent", "where": {"path": ["name"], "operator": "Like", "valueText": "*"}}, "OUTPUT": "verbose", "dryRun": true}',
  'DELETE /batch/objects {"match": {"class": "City", "where": {"operator": "And", "operands": [{"Path": ["secret"], "operator": "Equal", "valueText": "a"}]}}}',
])('a query that could reveal a masked value is refused before it is sent: %s', async (query) => {
  const { session, asked } = await open();
  const failure = await run(session, query).then(
    (ran) => ({ ran }),
    (error) => driverErrorDetails(error),
  );
  expect(failure).toMatchObject({ code: 'refused', hint: expect.stringMatching(/masked columns/) });
  expect(asked).toEqual([]);
});

test.each([
  ['{ Get { Card { job { email } } } }', 'email inside an object'],
  ['{ Get { Card { about { ... on Person { email } } } } }', 'email of Person inside a reference or a group'],
  [
    '{ Get { Card { _additional { group { hits { ...H } } } } } } fragment H on CardAdditionalGroupHits { email }',
    'email of CardAdditionalGroupHits inside a reference or a group',
  ],
])('the refusal of %s says where the masked column is', async (query, place) => {
  const { session } = await open();
  await expect(run(session, query)).rejects.toMatchObject({
    message: expect.stringMatching(new RegExp(`: ${RegExp.escape(place)}$`)),
  });
});

test.each([
  '{ Get { Person { ...A } } } fragment A on Person { ...B } fragment B on Person { ...A }',
  `{ Get { City { ...F0 } } } ${Array.from({ length: 29 }, (_, at) => `fragment F${at} on City { mayor { ...F${at + 1} } ...F${at + 1} }`).join(' ')} fragment F29 on City { name }`,
])('a query whose fragments contain themselves, or double at every level, is refused: %s', async (query) => {
  const { session, asked } = await open();
  await expect(run(session, query)).rejects.toMatchObject({ code: 'refused' });
  await expect(session.classify(query, call)).rejects.toMatchObject({ code: 'refused' });
  expect(asked).toEqual([]);
});

test.each([
  '{ Get { Person(where: {path: ["name"], operator: Equal, valueText: "email"}, limit: 5) { name email } } }',
  '{ Get { Person(sort: [{path: ["name"]}], bm25: {query: "email", properties: ["name^2"]}) { name _additional { id score } } } }',
  '{ Get { Person(nearVector: {vector: [1]}) { name _additional { distance vector } } } }',
  '{ Get { Memo(nearText: {concepts: ["a"]}) { title _additional { vector } } } }',
  '{ Get { Pair(nearText: {concepts: ["a"], targetVectors: ["open"]}) { title } } }',
  '{ Get { Report(where: {path: ["by", "Agent", "name"], operator: Equal, valueText: "a"}) { name } } }',
  '{ Get { Report(where: {path: ["by", "Agent", "boss", "Agent", "name"], operator: Equal, valueText: "a"}) { name } } }',
  '{ Get { Pair(nearVector: {vector: [1], targets: {targetVectors: ["open"], weights: {open: 1}}}) { title } } }',
  '{ Get { City { name mayor { ... on Person { name _additional { id } } } } } }',
  '{ Get { Card { name about { ... on Person { name _additional { id vector } } ... on Pair { title _additional { vectors { open } } } } } } }',
  '{ Get { Card(nearVector: {vector: [1]}, groupBy: {path: ["name"], groups: 2, objectsPerGroup: 1}) { _additional { group { groupedBy { value } hits { name about { ... on Person { name } } _additional { id distance } } } } } } }',
  '{ Get { Card(nearObject: {beacon: "weaviate://localhost/Card/1"}) { name } } }',
  '{ Get { Card(nearText: {concepts: ["a"], moveTo: {force: 1, objects: [{id: "1"}, {beacon: "weaviate://localhost/Person/1"}]}}) { name } } }',
  '{ Get { Person(limit: 1, after: "80000000-0000-0000-0000-000000000000") { name } } }',
  '{ Get { Person { name _additional { id } _additional { id vector } } } }',
  'GET /objects/Person/80000000-0000-0000-0000-000000000000',
  '{ Aggregate { Person { meta { count } name { count } } } }',
  '{ Aggregate { City(groupBy: ["name"]) { groupedBy { value } } } }',
  '{ __schema { queryType { name } } }',
  'GET /schema',
  'GET /nodes',
  'GET /objects?class=Person&limit=5&sort=name',
])('a query that uses masked columns only as plain results, or not at all, runs: %s', async (query) => {
  const { session } = await open();
  await run(session, query);
});

test('a field and a collection are recognised even if the query gives them aliases', async () => {
  const { session } = await open(() => ({
    data: {
      G: { P: [{ name: 'ada@lovelace.example', n: 'Ada', a: { street: 'x' }, _additional: { id: '1' } }] },
    },
  }));
  const query =
    '{ G: Get { P: Person { ...F n: name } } } fragment F on Person { name: email a: address { street } _additional { id } }';
  const { results } = await run(session, query);
  const [result] = results;
  expect(result?.kind === 'rows' && result.rows.columns).toEqual([
    { name: 'uuid', type: 'uuid', nativeType: 'uuid', origin: { table: 'Person', column: 'uuid' } },
    { name: 'name', type: 'any', nativeType: '', origin: { table: 'Person', column: 'email' }, masked: true },
    { name: 'a', type: 'json', nativeType: '', origin: { table: 'Person', column: 'address' }, masked: true },
    { name: 'n', type: 'any', nativeType: '', origin: { table: 'Person', column: 'name' } },
  ]);
});

test('a vector that is made from a masked property is masked', async () => {
  const { session } = await open(() => ({
    data: { Get: { L: [{ _additional: { vector: [1] } }], P: [], M: [] } },
  }));
  const query =
    '{ Get { L: Letter { _additional { vector } } M: Memo { _additional { vector } } P: Pair { _additional { vectors { open closed } } } } }';
  const { results } = await run(session, query);
  const heads = results.flatMap((result) => (result.kind === 'rows' ? result.rows.columns : []));
  expect(heads.map(({ name, masked }) => [name, masked ?? false])).toEqual([
    ['vector', true],
    ['vector', false],
    ['vector: open', false],
    ['vector: closed', true],
  ]);
  const near = {
    filters: [],
    match: 'all' as const,
    mode: 'near_text' as const,
    text: 'a',
    limit: 1,
    guarded,
  };
  const search = (request: { table: string; targetVector?: string }) =>
    session.search!({ ...near, ...request }, call);
  await expect(search({ table: 'Letter' })).rejects.toMatchObject({ code: 'refused' });
  await expect(search({ table: 'Pair', targetVector: 'closed' })).rejects.toMatchObject({ code: 'refused' });
  expect((await search({ table: 'Pair', targetVector: 'open' })).rows.rowCount).toBe(0);
});

test('a vector that is made from masked vectors of referenced objects is masked', async () => {
  const { session } = await open(
    (path): Json =>
      path === '/v1/graphql'
        ? { data: { Get: { Shelf: [{ _additional: { vector: [1] } }] } } }
        : { objects: [{ class: 'Room', id: person.id, properties: {}, vector: [1] }] },
  );
  const { results } = await run(session, '{ Get { Shelf { _additional { vector } } } }');
  expect(results).toMatchObject([{ rows: { columns: [{ name: 'vector', masked: true }] } }]);
  expect((await run(session, 'GET /objects?class=Room&include=vector')).results).toMatchObject([
    { document: { objects: [{ vector: '•••' }] } },
  ]);
  const all = { table: 'Room', filters: [], match: 'all' as const, sort: [], guarded };
  const { rows } = await session.browse({ ...all, columns: ['vector'], limit: 1, offset: 0 }, call);
  expect(rows.columns).toMatchObject([{ name: 'uuid' }, { name: 'vector', masked: true }]);
  await expect(
    session.search!({ ...all, mode: 'near_vector', vector: [1], limit: 1 }, call),
  ).rejects.toMatchObject({ code: 'refused' });
});

test('a reference to a masked uuid is masked, and no search or export may start from that uuid', async () => {
  const report = {
    class: 'Report',
    id: person.id,
    properties: { name: 'r', by: [{ beacon: `weaviate://localhost/Agent/${person.id}` }] },
  };
  const { session } = await open(
    (path): Json =>
      path === '/v1/graphql'
        ? { data: { Get: { Report: [{ by: [{ name: 'x' }] }], Agent: [] } } }
        : { objects: [report] },
  );
  expect((await run(session, 'GET /objects?class=Report')).results).toMatchObject([
    { document: { objects: [{ properties: { name: 'r', by: '•••' } }] } },
  ]);
  const query = '{ Get { Report { by { ... on Agent { _additional { id } } } } } }';
  const { results } = await run(session, query);
  expect(results).toMatchObject([{ rows: { columns: [{ name: 'by', masked: true }] } }]);
  const all = { filters: [], match: 'all' as const, sort: [], guarded };
  const { rows } = await session.browse({ ...all, table: 'Report', limit: 1, offset: 0 }, call);
  expect(rows.columns).toMatchObject([
    { name: 'uuid' },
    { name: 'name' },
    { name: 'by', masked: true, origin: { table: 'Report', column: 'by' } },
  ]);
  const near = { ...all, table: 'Agent', mode: 'near_object' as const, objectId: person.id, limit: 1 };
  await expect(session.search!(near, call)).rejects.toMatchObject({ code: 'refused' });
  const rest = session.exportRows!({ ...all, table: 'Agent', after: { uuid: person.id } }, call);
  await expect(Array.fromAsync(rest)).rejects.toMatchObject({ code: 'refused' });
});

test('masked values of objects in a REST answer are replaced at any depth', async () => {
  const vault = { class: 'Vault', id: '2', properties: { name: 'v' }, vector: [3], vectors: null };
  const strange = { class: 'Alias', id: '3', properties: { name: 'x', email: null } };
  const { session } = await open(() => ({ objects: [person, vault, strange], deep: [{ result: person }] }));
  const masked = {
    ...person,
    properties: { name: 'Ada', email: '•••', address: '•••', salary: null },
  };
  const { results } = await run(session, 'GET /objects');
  expect(results).toEqual([
    {
      kind: 'document',
      title: 'HTTP 200',
      document: {
        objects: [
          masked,
          { ...vault, vector: '•••' },
          { class: 'Alias', id: '•••', properties: { name: '•••', email: null } },
        ],
        deep: [{ result: masked }],
      },
    },
  ]);
});

test('pages, cells, exports and searches mark guarded columns, and a request that filters, sorts or searches by them is refused', async () => {
  const { session, asked } = await open(
    (path): Json =>
      path === '/v1/graphql'
        ? { data: { Get: { Person: [] }, Aggregate: { Person: [{ meta: { count: 1 } }] } } }
        : path.startsWith('/v1/objects?')
          ? { objects: [person] }
          : person,
  );
  const all = { table: 'Person', filters: [], match: 'all' as const, sort: [], guarded };
  const masked = (columns: { name: string; masked?: boolean }[]) =>
    columns.filter((column) => column.masked).map(({ name }) => name);
  const hidden = ['email', 'salary', 'address'];
  const { rows } = await session.browse({ ...all, limit: 1, offset: 0 }, call);
  expect(masked(rows.columns)).toEqual(hidden);
  for await (const batch of session.exportRows!(all, call)) expect(masked(batch.columns)).toEqual(hidden);
  const cells = { table: 'Person', keys: [{ uuid: person.id }], columns: ['email'], guarded };
  expect(masked((await session.readCells!(cells, call)).columns)).toEqual(['email']);
  expect(await session.count(all, call)).toBe(1);
  const keyword = await session.search!({ ...all, mode: 'keyword', text: 'ada', limit: 1 }, call);
  expect(masked(keyword.rows.columns)).toEqual(hidden);
  expect(asked.at(-1)?.body).toContain('properties: [\\"name\\"]');
  const filters = [{ column: 'email', operator: 'equals' as const, value: 'a' }];
  const attempts: (() => Promise<unknown>)[] = [
    () => session.browse({ ...all, filters, limit: 1, offset: 0 }, call),
    () => session.browse({ ...all, sort: [{ column: 'email', order: 'asc' }], limit: 1, offset: 0 }, call),
    () => session.count({ ...all, filters }, call),
    () => Array.fromAsync(session.exportRows!({ ...all, filters }, call)),
    () => session.search!({ ...all, filters, mode: 'keyword', text: 'x', limit: 1 }, call),
    () => session.search!({ ...all, table: 'Vault', mode: 'near_vector', vector: [1], limit: 1 }, call),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'refused' });
});

test.each(['bm25', 'hybrid'])(
  'a %s query on a collection whose text properties are all masked is refused, with the reason',
  async (use) => {
    const { session } = await open();
    const query = `{ Get { Vault(${use}: {query: "a"}) { _additional { id } } } }`;
    const request = {
      text: query,
      ceiling: 'destroy',
      limit: 10,
      guarded: maskedColumn('Vault.name'),
    } as const;
    await expect(session.run(request, call)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/: all searchable text of Vault is masked$/),
    });
  },
);
