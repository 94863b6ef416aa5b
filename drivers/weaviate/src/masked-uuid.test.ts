import { maskedColumn } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, openFixed } from './testing/fixed-server.ts';

const properties = [{ name: 'name', dataType: ['text'], tokenization: 'word' }];
const schema = () => ({
  classes: [
    { class: 'Agent', vectorizer: 'text2vec-x', properties },
    { class: 'Vault', vectorizer: 'none', properties },
  ],
});
const id = '6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10';
const guarded = maskedColumn('Agent.uuid');

test.each([
  ['{ Explore(nearText: {concepts: ["a"]}) { beacon } }', 'Explore returns uuids that are masked'],
  ...[
    `nearText: {concepts: ["a"], moveTo: {force: 1, objects: [{id: "${id}"}]}}`,
    `nearText: {concepts: ["a"], moveTo: {force: 1, objects: [{beacon: "weaviate://localhost/${id}"}]}}`,
    `hybrid: {query: "a", properties: ["name"], searches: {nearText: {moveTo: {objects: [{id: "${id}"}]}}}}`,
  ].map((search): [string, string] => [
    `{ Get { Agent(${search}) { name } } }`,
    'a search near a uuid of Agent',
  ]),
  // Both beacons may mean Agent: `%65` is an escaped e, and Spy may be an alias.
  ...[`weaviate://localhost/Ag%65nt/${id}`, `weaviate://localhost/Spy/${id}`].map(
    (beacon): [string, string] => [
      `{ Get { Vault(nearObject: {beacon: "${beacon}"}) { name } } }`,
      `a search near ${beacon}`,
    ],
  ),
])('a query that could reveal a masked uuid is refused before it is sent: %s', async (text, problem) => {
  const { session, asked } = await openFixed(schema);
  await expect(session.run({ text, ceiling: 'read', limit: 10, guarded }, call)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(new RegExp(`: ${problem}$`)),
  });
  expect(asked).toEqual([]);
});

test.each([
  `{ Get { Vault(nearText: {concepts: ["a"], moveTo: {force: 1, objects: [{id: "${id}"}]}}) { name } } }`,
  `{ Get { Agent(nearText: {concepts: ["a"], moveTo: {force: 1, objects: [{beacon: "weaviate://localhost/Vault/${id}"}]}}) { name } } }`,
])('a search near an object whose uuid is not masked runs: %s', async (text) => {
  const { session, asked } = await openFixed(schema);
  await session.run({ text, ceiling: 'read', limit: 10, guarded }, call);
  expect(asked).toHaveLength(1);
});

test('a masked vector is replaced in the answer to a PUT without properties', async () => {
  const answer = { class: 'Vault', id, vector: [1, 2] };
  const { session } = await openFixed(schema, () => answer);
  const text = `PUT /objects/Vault/${id} {"class": "Vault", "id": "${id}"}`;
  const masked = maskedColumn('Vault.vector');
  const { results } = await session.run({ text, ceiling: 'write', limit: 10, guarded: masked }, call);
  expect(results).toMatchObject([{ document: { ...answer, vector: '•••' } }]);
});
