import { rowAt, type Session } from '@trestle/driver-kit';
import { connectPath } from '@trestle/weaviate-connect';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpProxy, startHttpProxy } from '../faults/http-proxy.ts';
import type { TestServer } from './global-setup.ts';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

/** The window reads the vectors of the rows in view by their keys. */

const uuidOf = (row: number) => `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`;
const vectorOf = (row: number) => [row + 1, 0.5, -row - 1];
const rows = 60;

describeOnWeaviate('vectors of the rows in view', ({ port, version }: TestServer) => {
  const offersConnect = !version.startsWith('1.27');
  let proxy: HttpProxy;
  let session: Session;

  beforeAll(async () => {
    proxy = await startHttpProxy(port);
    session = await connect(proxy.port);
    await session.health(call);
    const properties = [{ name: 'n', dataType: ['int'] }];
    const space = (more = {}) => ({ vectorizer: { none: {} }, vectorIndexType: 'hnsw', ...more });
    const tokens = space({ vectorIndexConfig: { multivector: { enabled: true } } });
    const vectorConfig = { title: space(), ...(offersConnect && { tokens }) };
    for (const name of ['Unnamed', 'Named']) await rest(port, 'DELETE', `/schema/View${name}`);
    await rest(port, 'POST', '/schema', { class: 'ViewUnnamed', vectorizer: 'none', properties });
    await rest(port, 'POST', '/schema', { class: 'ViewNamed', vectorConfig, properties });
    const objects = Array.from({ length: rows }, (_, row) => {
      const object = { id: uuidOf(row), properties: { n: row } };
      const vectors = {
        title: vectorOf(row),
        ...(offersConnect && { tokens: [vectorOf(row), vectorOf(row + 1)] }),
      };
      return [
        { ...object, class: 'ViewUnnamed', vector: vectorOf(row) },
        // The last row has no vector.
        { ...object, class: 'ViewNamed', ...(row < rows - 1 && { vectors }) },
      ];
    });
    await rest(port, 'POST', '/batch/objects', { objects: objects.flat() });
  });

  afterAll(async () => {
    for (const name of ['Unnamed', 'Named']) await rest(port, 'DELETE', `/schema/View${name}`);
    await session?.close();
    await proxy?.close();
  });

  /** Reads the vectors of these rows. Returns their cells by row, and the requests that this took. */
  async function read(table: string, wanted: number[], columns: string[]) {
    await session.describeTable(table, call);
    proxy.requests.length = 0;
    const keys = wanted.map((row) => ({ uuid: uuidOf(row) }));
    const found = await session.readCells!({ table, keys, columns }, call);
    const sent = proxy.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
    const cells = wanted.map((_, at) => {
      const { uuid, ...vectors } = at < found.rowCount ? rowAt(found, at) : {};
      const plain = Object.entries(vectors).map(([name, value]) => [
        name,
        value instanceof Float32Array ? Array.from(value) : value,
      ]);
      return uuid === undefined ? null : [Number(String(uuid).slice(-12)), Object.fromEntries(plain)];
    });
    return { sent, cells };
  }

  const oneSearch = [`POST ${connectPath('Search')}`];
  // In any order: the rows of a page that is sorted by another column.
  const screen = [...Array(33).keys()].map((at) => (at * 7) % rows);

  test('an unnamed vector', async () => {
    const { sent, cells } = await read('ViewUnnamed', screen, ['vector']);
    expect(cells).toEqual(screen.map((row) => [row, { vector: vectorOf(row) }]));
    expect(sent).toEqual(
      offersConnect ? oneSearch : expect.arrayContaining([`GET /v1/objects/ViewUnnamed/${uuidOf(0)}`]),
    );
    expect(sent).toHaveLength(offersConnect ? 1 : screen.length);
  });

  test('named vectors, and a row without any', async () => {
    const columns = ['vector: title', ...(offersConnect ? ['vector: tokens'] : [])];
    const wanted = [...screen, rows - 1];
    const { sent, cells } = await read('ViewNamed', wanted, columns);
    expect(cells).toEqual(
      wanted.map((row) => {
        const isEmpty = row === rows - 1;
        const tokens = isEmpty ? null : [vectorOf(row), vectorOf(row + 1)];
        const title = isEmpty ? null : vectorOf(row);
        return [row, { 'vector: title': title, ...(offersConnect && { 'vector: tokens': tokens }) }];
      }),
    );
    expect(sent).toHaveLength(offersConnect ? 1 : wanted.length);
  });

  test('a row that no longer exists is left out, and the others are not', async () => {
    const { cells } = await read('ViewUnnamed', [1, 1000, 2], ['vector']);
    expect(cells).toEqual([[1, { vector: vectorOf(1) }], [2, { vector: vectorOf(2) }], null]);
  });
});
