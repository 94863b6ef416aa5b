import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../e2e/app.ts';
import { describeOnWeaviate, rest } from './servers.ts';

describeOnWeaviate('an export on the command line', ({ port }) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    const file = join(app.folder, 'cluster.json');
    const connection = {
      name: 'Cluster',
      driver: 'weaviate',
      fields: { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' },
      externalClients: 'readWrite',
      aiPolicy: 'alwaysAllow',
    };
    writeFileSync(file, JSON.stringify({ connections: [connection] }));
    const { code, stderr } = await app.run('connections', 'import', file);
    if (code !== 0) throw new Error(stderr);
  });
  afterAll(() => app?.close());

  async function freshTable(): Promise<string> {
    const table = `Export${randomUUID().slice(0, 8)}`;
    await rest(port, 'POST', '/schema', {
      class: table,
      vectorizer: 'none',
      properties: [
        { name: 'words', dataType: ['text'] },
        { name: 'tags', dataType: ['text[]'] },
        { name: 'whole', dataType: ['int'] },
        { name: 'part', dataType: ['number'] },
        { name: 'yes', dataType: ['boolean'] },
        { name: 'at', dataType: ['date'] },
        { name: 'other', dataType: ['uuid'] },
        { name: 'place', dataType: ['geoCoordinates'] },
        { name: 'inner', dataType: ['object'], nestedProperties: [{ name: 'a', dataType: ['text'] }] },
      ],
    });
    return table;
  }

  const rows = 300;
  let made: string | undefined;
  /** One table for all tests, which only read it. */
  async function filled(): Promise<string> {
    if (made) return made;
    const table = await freshTable();
    const objects = Array.from({ length: rows }, (_, row) => ({
      class: table,
      id: randomUUID(),
      ...(row % 5 > 0 && { vector: [row / 3, -row, 0.1] }),
      properties: {
        ...(row % 4 > 0 && { words: `Zeile ${row}: "漢字", 🚀\r\n‮abc ` }),
        ...(row % 3 > 0 && { tags: [`a,${row}`, ''] }),
        whole: row * 1_000_003,
        part: row / 7,
        yes: row % 2 === 0,
        ...(row % 6 > 0 && { at: '2026-02-28T23:59:59.123456789+05:30' }),
        other: randomUUID(),
        place: { latitude: 52.5, longitude: row / 10 },
        inner: { a: `text ${row}` },
      },
    }));
    await rest(port, 'POST', '/batch/objects', { objects });
    made = table;
    return table;
  }
  const list = async (table: string) => {
    const { objects } = (await rest(port, 'GET', `/objects?class=${table}&limit=10000&include=vector`)) as {
      objects: Record<string, unknown>[];
    };
    return objects.map(({ id, properties, vector }) => ({ id, properties, vector }));
  };

  test('an export as CSV, JSON Lines or JSON can be imported again, with the same ids, values and vectors', async () => {
    const table = await filled();
    const expected = await list(table);
    for (const ending of ['csv', 'jsonl', 'json']) {
      const file = join(app.folder, `${table}.${ending}`);
      expect(await app.json('export', 'Cluster', table, '--out', file, '--vectors')).toMatchObject({ rows });
      const other = await freshTable();
      expect(await app.json('import', 'Cluster', other, file)).toMatchObject({ stored: rows, failed: 0 });
      expect(await list(other)).toEqual(expected);
    }
  });

  test('Parquet has vectors as lists, and dates finer than a microsecond as text, which is said', async () => {
    const table = await filled();
    const path = join(app.folder, `${table}.parquet`);
    expect(await app.json('export', 'Cluster', table, '--out', path, '--vectors')).toMatchObject({
      rows,
      inexact: [{ column: 'at', kinds: expect.stringMatching(/^\d+ sub-microsecond dates$/) }],
    });
    const bytes = readFileSync(path);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const read = await parquetReadObjects({ file });
    const expected = await list(table);
    // The server prints the shortest decimal of a float32, so both sides are compared as float32.
    const floats = (vector: unknown) => (vector ? Array.from(vector as number[], Math.fround) : null);
    expect(
      read.map(({ uuid, words, whole, at, vector }) => [
        uuid,
        words ?? null,
        Number(whole),
        at ?? null,
        floats(vector),
      ]),
    ).toEqual(
      expected.map(({ id, properties, vector }) => {
        const { words, whole, at } = properties as Record<string, unknown>;
        return [id, words ?? null, whole, at ?? null, floats(vector)];
      }),
    );
  });

  test('an export with a filter has one row for each match', async () => {
    const table = await filled();
    const filter = JSON.stringify([{ column: 'yes', operator: 'equals', value: true }]);
    const file = join(app.folder, `${table}-yes.jsonl`);
    expect(await app.json('export', 'Cluster', table, '--out', file, '--filter', filter)).toMatchObject({
      rows: rows / 2,
    });
  });
});
