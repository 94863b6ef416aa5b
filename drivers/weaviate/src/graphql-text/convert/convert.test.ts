import { spawnSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { parse } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import type { ServerPlace } from '../../client.ts';
import { type Collection, readCollections } from '../../schema.ts';
import { translated } from '../../testing/graphql-queries.ts';
import { worldCollections } from '../../testing/world-collections.ts';
import { translate } from '../translate.ts';
import { convert } from './convert.ts';

const local: ServerPlace = { host: 'localhost', port: 8080, secure: false, hasKey: true, headers: ['X-Key'] };
let collections: Collection[];

beforeAll(async () => {
  const client = { json: async () => ({ classes: worldCollections }) } as never;
  collections = await readCollections(client, new AbortController().signal);
});

function codeOf(label: string, query: string, place = local, variables?: object): string {
  const document = parse(query);
  const codes = convert(translate({ document, variables: variables as never }, collections), place);
  return codes.find((one) => one.label === label)!.text;
}

const all = (label: string) => translated.map((one) => codeOf(label, one.query, local, one.variables));

// `npm run proofs -- converted` runs the code with the client libraries.
test('the TypeScript of each query parses', () => {
  for (const code of all('TypeScript')) expect(() => stripTypeScriptTypes(code)).not.toThrow();
});

const hasPython = spawnSync('python3', ['--version']).status === 0;
test.skipIf(!hasPython)('the Python of each query parses', () => {
  const program = 'import ast, json, sys\nfor code in json.load(sys.stdin): ast.parse(code)';
  const { stderr, status } = spawnSync('python3', ['-c', program], { input: JSON.stringify(all('Python')) });
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
});

test('a reference to several collections is read by one more request, for the rows of the first', () => {
  const query =
    '{ Get { Article(limit: 6) { makers { ... on Author { name } ... on Publisher { label } } } } }';
  const python = codeOf('Python', query);
  expect(python).toContain('filters=Filter.by_id().contains_any([item.uuid for item in found.objects]),');
  expect(python.match(/limit=6,/g)).toHaveLength(2);
  expect(codeOf('TypeScript', query)).toContain(
    'filters: collection.filter.byId().containsAny(found.objects.map(({ uuid }) => uuid)),',
  );
});

test('what a client library lacks is said in the code', () => {
  const query = '{ Aggregate { Article { writtenBy { pointingTo } cat { type count } } } }';
  const typescript = codeOf('TypeScript', query);
  expect(typescript).toContain('// The library cannot aggregate writtenBy: it is a reference.');
  expect(typescript).not.toContain('aggregate("writtenBy")');
  expect(codeOf('Python', query)).toContain('Metrics("writtenBy").reference(pointing_to=True)');
  expect(codeOf('Python', query)).toContain('# The library has no type of a property. The schema has it.');
});

test('a hosted cluster has another host for gRPC, which the libraries know', () => {
  const hosted = { ...local, host: 'a1.c0.gcp.weaviate.cloud', port: 443, secure: true };
  const query = '{ Get { Plain(limit: 1) { n } } }';
  expect(codeOf('Python', query, hosted)).toContain(
    'with weaviate.connect_to_weaviate_cloud(\n    cluster_url="a1.c0.gcp.weaviate.cloud",\n    auth_credentials=Auth.api_key(',
  );
  expect(codeOf('TypeScript', query, hosted)).toContain(
    'await weaviate.connectToWeaviateCloud("a1.c0.gcp.weaviate.cloud", {\n  authCredentials:',
  );
  expect(codeOf('Python', query, { ...hosted, host: 'db.example' })).toContain('connect_to_custom(');
});
