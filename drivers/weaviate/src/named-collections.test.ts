import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { collectionsIn } from './named-collections.ts';
import type { Collection } from './schema.ts';

const collections = ['Article', 'Category', 'Vault'].map(
  (name) => ({ name, vectors: [] }) as unknown as Collection,
);
const read = (query: string) => collectionsIn(parse(query), collections);

test.each([
  '{ Get { Article(limit: 5) { title category vault } } }',
  '{ Get { Article(where: { path: ["category"], operator: Equal, valueInt: 1 }) { category } } }',
  '{ Get { Article(sort: [{ path: ["vault"], order: asc }]) { _additional { id } } } }',
  '{ Get { Article { ...F } } } fragment F on Article { category }',
])('a property with the name of another collection does not count as that collection: %s', (query) => {
  expect(read(query)).toEqual(['Article']);
});

test.each([
  '{ Get { Article { inVault { ... on Vault { name } } } } }',
  '{ Get { Article { vault { _additional { id } } } } }',
  '{ Get { Article { inVault { ...F } } } } fragment F on Vault { name }',
  '{ Get { Article(where: { path: ["inVault", "Vault", "name"], operator: Like, valueText: "a*" }) { title } } }',
  '{ Get { Article(where: { path: ["title"], path: ["in", "Vault", "name"], operator: Equal }) { title } } }',
  '{ Get { Article(where: { path: "vault", operator: Equal }) { title } } }',
  '{ Get { Article(where: { operands: [{ path: [["in", "vault"]] }] }) { title } } }',
  '{ Get { Article(nearObject: { beacon: "weaviate://localhost/Vault/1" }) { title } } }',
  '{ Get { Article { title(of: "Vault") } } }',
  '{ Get { Article { title } vault { name } } }',
  '{ Get { Article { title } Vault } }',
  '{ Get { Article { title } category: Vault { name } } }',
  '{ Get { ...F Article { title } } } fragment F on GetObjectsObj { Vault { name } }',
])('the result includes another collection that the query may read: %s', (query) => {
  expect(read(query)).toContain('Vault');
});
