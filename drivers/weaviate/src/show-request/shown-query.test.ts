import type { BrowseRequest, SearchRequest } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import type { Collection } from '../schema.ts';
import { pythonCode } from './python.ts';
import { showRequest } from './show-request.ts';
import { shownQuery } from './shown-query.ts';
import { typescriptCode } from './typescript.ts';

const collection = {
  name: 'Book',
  properties: [{ name: 'title', elementType: 'text', searchable: true, nested: [], references: [] }],
  vectors: [
    { name: null, vectorizer: null, sources: [] },
    { name: 'plot', vectorizer: 'text2vec-x', sources: [] },
  ],
  definition: {},
} as unknown as Collection;

test('if the driver chooses the vector of a search, the code in each language names that vector', () => {
  const request: SearchRequest = {
    table: 'Book',
    filters: [],
    match: 'all',
    limit: 5,
    mode: 'near_text',
    text: 'sea',
    columns: ['title'],
  };
  const place = { host: 'localhost', port: 8080, secure: false, hasKey: false, headers: [] };
  const context = { collection, hasNot: true, hasSearchOperator: true };
  const query = shownQuery({ kind: 'search', request }, context, place);
  const sent = (offersConnect: boolean) =>
    showRequest({ kind: 'search', request }, context, { place, offersConnect })[0]?.text;
  expect(sent(false)).toContain('targetVectors: ["plot"]');
  const [line, body] = split(sent(true) ?? '');
  expect(line).toBe('POST /grpc-web/weaviate.v1.Weaviate/Search');
  expect(JSON.parse(body!)).toMatchObject({ nearText: { targets: { targetVectors: ['plot'] } } });
  expect(pythonCode(query)).toContain('target_vector="plot"');
  expect(typescriptCode(query)).toContain('targetVector: "plot"');
});

test('the code of a page has a request for each further target collection of a reference', () => {
  const cites = {
    ...collection.properties[0]!,
    ...{ name: 'cites', elementType: 'reference' as const, references: ['Book', 'Paper'] },
  };
  const request: BrowseRequest = {
    ...{ table: 'Book', filters: [], match: 'all', offset: 0, limit: 5 },
    sort: [{ column: 'title', order: 'asc' }],
  };
  const properties = [...collection.properties, cites];
  const context = { collection: { ...collection, properties }, hasNot: true, hasSearchOperator: true };
  const place = { host: 'localhost', port: 8080, secure: false, hasKey: false, headers: [] };
  const [connect, rest] = showRequest({ kind: 'browse', request }, context, { place, offersConnect: true });
  const targets = [...connect!.text.matchAll(/"targetCollection": "(\w+)"/g)].map(([, name]) => name);
  expect(targets).toEqual(['Book', 'Paper']);
  expect(connect!.text.match(/^POST /gm)).toHaveLength(2);
  expect(rest!.text.match(/^curl /gm)).toHaveLength(2);
});

function split(line: string): string[] {
  const at = line.indexOf('\n');
  return [line.slice(0, at), line.slice(at)];
}
