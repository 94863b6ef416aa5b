import { describe, expect, test } from 'vitest';
import type { ExportRequest } from '../index.ts';
import {
  ascending,
  browseAll,
  call,
  type Fixture,
  failure,
  ordinals,
  type Row,
  readRows,
  rowsOf,
  takes,
} from './fixture.ts';
import { needs } from './needs.ts';
import { plainTable } from './sample.ts';

export function describeExport(fixture: Fixture): void {
  describe('export', () => {
    test('holds the same rows as the pages', async () => {
      needs(fixture.session.exportRows, 'the driver has no exportRows');
      const sort = [{ column: 'ordinal', order: 'asc' as const }];
      const pages = await readRows(fixture.session, browseAll(fixture.table, { sort }));
      expect(await collect({ table: fixture.table, filters: [], match: 'all', sort })).toEqual(pages);
    });

    test('takes filters, sort and columns', async () => {
      needs(fixture.session.exportRows, 'the driver has no exportRows');
      needs(
        takes(fixture.description, 'ordinal', 'less_than'),
        'the filter less_than does not run on ordinal',
      );
      const rows = await collect({
        table: fixture.table,
        filters: [{ column: 'ordinal', operator: 'less_than', value: 5 }],
        match: 'all',
        sort: [{ column: 'ordinal', order: 'desc' }],
        columns: ['ordinal'],
      });
      expect(ordinals(rows)).toEqual([4, 3, 2, 1, 0]);
      expect(Object.keys(rows[0]!).sort()).toEqual(
        [...new Set(['ordinal', ...fixture.description.key])].sort(),
      );
    });

    test('an empty result still has its columns', async () => {
      needs(fixture.session.exportRows, 'the driver has no exportRows');
      needs(takes(fixture.description, 'ordinal', 'equals'), 'the filter equals does not run on ordinal');
      const request: ExportRequest = {
        table: fixture.table,
        filters: [{ column: 'ordinal', operator: 'equals', value: -5 }],
        match: 'all',
        sort: [],
      };
      const batches = await Array.fromAsync(fixture.session.exportRows(request, call()));
      expect(batches.map((batch) => batch.rowCount)).toEqual([0]);
      expect(batches[0]!.columns.length).toBeGreaterThan(0);
    });

    test('each row of a large table comes once, and an export can be stopped between two batches', async () => {
      needs(fixture.session.exportRows, 'the driver has no exportRows');
      const table = await fixture.createTable(plainTable('ContractMany', 2500));
      const request: ExportRequest = { table, filters: [], match: 'all', sort: [] };
      expect(ascending(ordinals(await collect(request)))).toEqual(
        Array.from({ length: 2500 }, (_, index) => index),
      );
      const controller = new AbortController();
      const batches = fixture.session
        .exportRows(request, { signal: controller.signal })
        [Symbol.asyncIterator]();
      const first = await batches.next();
      expect(first.done).toBe(false);
      controller.abort();
      await failure(drain(batches), 'cancelled');
      await expect(fixture.session.listTables(call())).resolves.toBeDefined();
    });

    test('a request that cannot run fails before the first batch', async () => {
      needs(fixture.session.exportRows, 'the driver has no exportRows');
      const filters = [{ column: 'ordinal', operator: 'equals' as const, value: 'abc' }];
      const first = (request: ExportRequest) =>
        fixture.session.exportRows!(request, call())[Symbol.asyncIterator]().next();
      await failure(first({ table: fixture.table, filters, match: 'all', sort: [] }), 'filter_unrunnable');
      await failure(first({ table: 'NoSuchTable', filters: [], match: 'all', sort: [] }), 'not_found');
    });
  });

  async function collect(request: ExportRequest): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const batch of fixture.session.exportRows!(request, call())) rows.push(...rowsOf(batch));
    return rows;
  }
}

async function drain(iterator: AsyncIterator<unknown>): Promise<void> {
  while (!(await iterator.next()).done);
}
