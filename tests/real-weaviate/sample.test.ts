import { randomUUID } from 'node:crypto';
import { type RowSet, rowAt, type Session } from '@trestle/driver-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

const total = 12_000;
const wanted = 1200;

describeOnWeaviate('a sample of rows', ({ port }) => {
  const suffix = randomUUID().slice(0, 8);
  const spread = `Spread${suffix}`;
  const numbered = `Numbered${suffix}`;
  let session: Session;

  beforeAll(async () => {
    session = await connect(port);
    const numberedId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    for (const [collection, idOf] of [
      [spread, () => randomUUID()],
      [numbered, numberedId],
    ] as const) {
      await rest(port, 'POST', '/schema', {
        class: collection,
        vectorizer: 'none',
        vectorIndexType: 'flat',
        shardingConfig: { desiredCount: 3 },
        properties: [{ name: 'number', dataType: ['int'] }],
      });
      for (let start = 0; start < total; start += 2000) {
        const objects = Array.from({ length: 2000 }, (_, index) => ({
          class: collection,
          id: idOf(start + index),
          properties: { number: start + index },
          vector: [start + index, 1],
        }));
        await rest(port, 'POST', '/batch/objects', { objects });
      }
    }
  }, 600_000);

  afterAll(async () => {
    for (const collection of [spread, numbered]) await rest(port, 'DELETE', `/schema/${collection}`);
    await session.close();
  });

  async function sample(request: { table: string; rows: number; filtered?: number }) {
    const { filtered, ...rest } = request;
    const filters =
      filtered === undefined ? [] : [{ column: 'number', operator: 'less_than' as const, value: filtered }];
    const asked = { ...rest, filters, match: 'all' as const, columns: ['number', 'vector'] };
    const batches: RowSet[] = await Array.fromAsync(session.sampleRows!(asked, call));
    return batches.flatMap((rows) => Array.from({ length: rows.rowCount }, (_, at) => rowAt(rows, at)));
  }

  /**
   * Expects about the same count in each tenth of the numbers (within five standard deviations), no row twice, and the
   * right vectors.
   */
  function expectFair(rows: Record<string, unknown>[], of: number) {
    const numbers = rows.map(({ number }) => Number(number));
    expect(new Set(numbers).size).toBe(numbers.length);
    const tenths = new Array<number>(10).fill(0);
    for (const number of numbers) tenths[Math.floor((number * 10) / of)]!++;
    const each = rows.length / 10;
    for (const count of tenths) expect(Math.abs(count - each)).toBeLessThan(5 * Math.sqrt(each));
    for (const { number, vector } of rows) expect(vector).toEqual([number, 1]);
  }

  test('comes from random places if the uuids are random, and is spread evenly over the rows', async () => {
    const first = await sample({ table: spread, rows: wanted });
    expectFair(first, total);
    expect(first.length).toBeGreaterThan(wanted * 0.9);
    expect(first.length).toBeLessThanOrEqual(wanted);
    const second = await sample({ table: spread, rows: wanted });
    const known = new Set(first.map(({ number }) => number));
    // Each sample has about a tenth of the rows, so two samples share about a tenth of their rows.
    expect(second.filter(({ number }) => known.has(number)).length).toBeLessThan(wanted / 2);
  });

  test('is spread evenly if the uuids are close together', async () => {
    const rows = await sample({ table: numbered, rows: wanted });
    expect(rows).toHaveLength(wanted);
    expectFair(rows, total);
  });

  test('is spread evenly with a filter, and has all rows of the table if more rows are requested', async () => {
    const rows = await sample({ table: spread, rows: 500, filtered: 4000 });
    expect(rows).toHaveLength(500);
    expectFair(rows, 4000);
    expect(await sample({ table: spread, rows: total * 2 })).toHaveLength(total);
  });
});
