import type { SearchRequest } from '@trestle/driver-kit';
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
  expect(JSON.parse(sent(true) ?? '')).toMatchObject({ nearText: { targets: { targetVectors: ['plot'] } } });
  expect(pythonCode(query)).toContain('target_vector="plot"');
  expect(typescriptCode(query)).toContain('targetVector: "plot"');
});
