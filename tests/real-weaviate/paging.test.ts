import { randomUUID } from 'node:crypto';
import { type RowSet, rowAt, type Session } from '@trestle/driver-kit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';
import { startHttpProxy } from '../faults/http-proxy.ts';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

const objectCount = Number(process.env.TRESTLE_EXPORT_OBJECTS ?? 3000);

describeOnWeaviate('paging and export', ({ binary }) => {
  const collection = `Paging${randomUUID().slice(0, 8)}`;
  let server: WeaviateServer;
  let session: Session;

  beforeAll(async () => {
    server = await startWeaviate({ binary, maximumResults: 1000 });
    session = await connect(server.port);
    await rest(server.port, 'POST', '/schema', {
      class: collection,
      vectorizer: 'none',
      vectorIndexType: 'flat',
      shardingConfig: { desiredCount: 3 },
      properties: [
        { name: 'number', dataType: ['int'] },
        { name: 'third', dataType: ['int'] },
      ],
    });
    for (let start = 0; start < objectCount; start += 1000) {
      const objects = Array.from({ length: Math.min(1000, objectCount - start) }, (_, index) => ({
        class: collection,
        properties: { number: start + index, third: (start + index) % 3 },
        vector: [start + index, 1],
      }));
      await rest(server.port, 'POST', '/batch/objects', { objects });
    }
  }, 1_800_000);

  afterAll(async () => {
    await session.close();
    await server.stop();
  });

  const everything = () => ({ table: collection, filters: [], match: 'all' as const, sort: [] });

  test('a page from row 10,000 is refused without a request, and the message names the limit', async () => {
    const proxy = await startHttpProxy(server.port);
    onTestFinished(() => proxy.close());
    const proxied = await connect(proxy.port);
    onTestFinished(() => proxied.close());
    const page = (offset: number) => proxied.browse({ ...everything(), limit: 200, offset }, call);
    // The first page reads the collection's definition, which the driver then keeps.
    await page(0);
    const before = proxy.requests.length;
    expect(before).toBeGreaterThan(0);
    await expect(page(10_000)).rejects.toMatchObject({
      code: 'paging_limit',
      message: expect.stringContaining('10,000'),
      hint: expect.stringContaining('export'),
    });
    expect(proxy.requests.slice(before)).toEqual([]);
  });

  test('the last page within the paging limit is shorter, and its note names the limit', async () => {
    const sort = [{ column: 'number', order: 'asc' as const }];
    for (const order of [[], sort]) {
      const fresh = await connect(server.port);
      const request = { ...everything(), sort: order, limit: 200, offset: 900 };
      const { rows, note, depth } = await fresh.browse(request, call);
      expect({ rows: rows.rowCount, depth }).toEqual({ rows: 100, depth: 1000 });
      expect(note).toBe(
        'Paging ends at row 1,000 on this server (QUERY_MAXIMUM_RESULTS); an export without a sort has no such limit.',
      );
      await expect(fresh.browse({ ...request, offset: 1000 }, call)).rejects.toMatchObject({
        code: 'paging_limit',
        message: expect.stringContaining('row 1,000'),
      });
      await fresh.close();
    }
  });

  test('if a page is larger than the limit of the server, it is cut to the limit, and an export without a sort is still complete', async () => {
    await server.restart({ maximumResults: 37 });
    const fresh = await connect(server.port);
    try {
      const { rows, note } = await fresh.browse({ ...everything(), limit: 200, offset: 0 }, call);
      expect(rows.rowCount).toBe(37);
      expect(note).toContain('row 37');
      const sorted = { ...everything(), sort: [{ column: 'number', order: 'asc' as const }] };
      await expect(
        (async () => {
          for await (const _ of fresh.exportRows!(sorted, call));
        })(),
      ).rejects.toMatchObject({ code: 'paging_limit' });
      const filters = [{ column: 'number', operator: 'less_than' as const, value: 100 }];
      let exported = 0;
      for await (const batch of fresh.exportRows!({ ...everything(), filters }, call))
        exported += batch.rowCount;
      expect(exported).toBe(100);
      let all = 0;
      for await (const batch of fresh.exportRows!(everything(), call)) all += batch.rowCount;
      expect(all).toBe(objectCount);
    } finally {
      await fresh.close();
      await server.restart({ maximumResults: 1000 });
    }
  });

  test('sorted pages over three shards are full and repeat no row', async () => {
    const seen: unknown[] = [];
    for (let offset = 0; offset < 1000; offset += 100) {
      const request = {
        ...everything(),
        sort: [{ column: 'third', order: 'desc' as const }],
        limit: 100,
        offset,
      };
      const { rows } = await session.browse(request, call);
      for (let row = 0; row < rows.rowCount; row++) seen.push(rowAt(rows, row).uuid);
    }
    expect(new Set(seen).size).toBe(1000);
  });

  async function exportAll(
    filters: { column: string; operator: 'equals'; value: number }[],
    columns?: string[],
  ) {
    const batches: RowSet[] = [];
    for await (const batch of session.exportRows?.({ ...everything(), filters, columns }, call) ?? [])
      batches.push(batch);
    return batches;
  }

  const numbers = (batches: RowSet[]) =>
    batches.flatMap((rows) =>
      Array.from({ length: rows.rowCount }, (_, row) => Number(rowAt(rows, row).number)),
    );

  test('an export has every object once, past the paging limit', { timeout: 1_800_000 }, async () => {
    const batches = await exportAll([]);
    expect(numbers(batches).sort((a, b) => a - b)).toEqual(
      Array.from({ length: objectCount }, (_, index) => index),
    );
    expect(Math.max(...batches.map(({ rowCount }) => rowCount))).toBeLessThanOrEqual(1000);
  });

  test('a filtered export has the matching objects, once each', { timeout: 1_800_000 }, async () => {
    const found = numbers(await exportAll([{ column: 'third', operator: 'equals', value: 1 }]));
    const expected = Array.from({ length: objectCount }, (_, index) => index).filter(
      (number) => number % 3 === 1,
    );
    expect(found.sort((a, b) => a - b)).toEqual(expected);
  });

  test('an export brings the vectors when they are asked for', async () => {
    const [first] = await exportAll([], ['number', 'vector']);
    const row = rowAt(first as RowSet, 0);
    expect(row.vector).toEqual([row.number, 1]);
  });

  test('a cancelled export stops', async () => {
    const stop = new AbortController();
    const read = async () => {
      for await (const _ of session.exportRows?.(everything(), { signal: stop.signal }) ?? []) stop.abort();
    };
    await expect(read()).rejects.toMatchObject({ code: 'cancelled' });
  });
});
