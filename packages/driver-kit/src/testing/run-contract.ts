import { describe, expect, test } from 'vitest';
import type { RunOutcome } from '../index.ts';
import { browseAll, call, type Fixture, failure, keyOf, type Row, readRows } from './fixture.ts';
import { needs } from './needs.ts';
import type { ContractTarget } from './target.ts';

export function describeRun(fixture: Fixture, target: ContractTarget): void {
  const { queries } = target;
  if (!queries) {
    describeNoLanguage(fixture, target);
    return;
  }

  describe('run', () => {
    test('a read runs under the lowest ceiling', async () => {
      const text = queries.read(fixture.table, 3);
      expect(await fixture.session.classify(text, call())).toEqual({
        effect: 'read',
        summary: expect.stringMatching(/./),
        tables: [fixture.table],
      });
      const outcome = await fixture.session.run({ text, ceiling: 'read', limit: 1000 }, call());
      expect(outcome.effect).toBe('read');
      expect(rowsIn(outcome).rows.rowCount).toBeGreaterThanOrEqual(3);
      expect(rowsIn(outcome).truncated).toBe(false);
    });

    test('rows above the limit are left out, and the result is marked as truncated', async () => {
      const outcome = await fixture.session.run(
        { text: queries.read(fixture.table, 3), ceiling: 'read', limit: 2 },
        call(),
      );
      expect(rowsIn(outcome)).toMatchObject({ truncated: true, rows: { rowCount: 2 } });
    });

    test('the example query of the table runs', async () => {
      const text = fixture.description.exampleQuery;
      const outcome = await fixture.session.run({ text, ceiling: 'read', limit: 5 }, call());
      expect(outcome.results.length).toBeGreaterThan(0);
    });

    test('a write is classified without running, and refused under a read ceiling', async () => {
      needs(queries.write, 'the target has no query that writes');
      const table = await fixture.freshTable();
      const before = await snapshot(table);
      const text = queries.write(table, {
        ordinal: 2,
        title: 'Terra',
        key: keyOf(fixture.description, before[2]!),
      });
      expect(await fixture.session.classify(text, call())).toEqual({
        effect: 'write',
        summary: expect.stringMatching(/./),
        tables: [table],
      });
      const refused = await failure(
        fixture.session.run({ text, ceiling: 'read', limit: 10 }, call()),
        'above_ceiling',
      );
      expect(refused.needs).toBe('write');
      expect(await snapshot(table)).toEqual(before);
      expect((await fixture.session.run({ text, ceiling: 'write', limit: 10 }, call())).effect).toBe('write');
      const after = before.map((row) => (row.ordinal === 2 ? { ...row, title: 'Terra' } : row));
      expect(await snapshot(table)).toEqual(after);
    });

    test('a destructive statement is refused under lower ceilings, and if its loss is not the approved one', async () => {
      needs(queries.destroy, 'the target has no query that destroys');
      const table = await fixture.freshTable();
      const before = await snapshot(table);
      const text = queries.destroy(table);
      const classified = await fixture.session.classify(text, call());
      expect(classified).toMatchObject({
        effect: 'destroy',
        summary: expect.stringContaining(table),
      });
      const loss = await fixture.session.measure({ text }, call());
      expect(loss).toMatchObject({ tables: [{ table, rows: before.length }], cascades: false });
      for (const ceiling of ['read', 'write'] as const) {
        const refused = await failure(
          fixture.session.run({ text, ceiling, limit: 10 }, call()),
          'above_ceiling',
        );
        expect(refused.needs).toBe('destroy');
      }
      expect(await snapshot(table)).toEqual(before);
      const other = { ...loss, tables: [{ table, rows: before.length + 1 }] };
      for (const approved of [other, { ...loss, schema: 'another' }]) {
        await failure(
          fixture.session.run({ text, ceiling: 'destroy', limit: 10, approved }, call()),
          'loss_changed',
        );
      }
      expect(await snapshot(table)).toEqual(before);
      const ran = await fixture.session.run({ text, ceiling: 'destroy', limit: 10, approved: loss }, call());
      expect(ran.effect).toBe('destroy');
    });

    test('a write above its reach limit is refused, and the message has the number of rows', async () => {
      needs(queries.write, 'the target has no query that writes');
      const table = await fixture.freshTable();
      const before = await snapshot(table);
      const key = keyOf(fixture.description, before[2]!);
      const text = queries.write(table, { ordinal: 2, title: 'Terra', key });
      expect(await fixture.session.measure({ text }, call())).toMatchObject({ tables: [{ table, rows: 1 }] });
      expect(await snapshot(table)).toEqual(before);
      const refused = await failure(
        fixture.session.run({ text, ceiling: 'write', limit: 10, reach: 0 }, call()),
        'above_ceiling',
      );
      expect(refused).toMatchObject({ needs: 'destroy', message: expect.stringContaining('1 row') });
      expect(await snapshot(table)).toEqual(before);
      await fixture.session.run({ text, ceiling: 'write', limit: 10, reach: 1 }, call());
      expect((await snapshot(table))[2]).toMatchObject({ title: 'Terra' });
    });

    test('a write above its budget is refused with its number of rows, and a write within it reports them', async () => {
      needs(queries.write, 'the target has no query that writes');
      const table = await fixture.freshTable();
      const before = await snapshot(table);
      const key = keyOf(fixture.description, before[2]!);
      const text = queries.write(table, { ordinal: 2, title: 'Terra', key });
      const request = { text, ceiling: 'write', limit: 10, reach: 1 } as const;
      const written = { changed: 1, inserted: 0 };
      const none = { changed: 0, inserted: 0 };
      const refused = await failure(fixture.session.run({ ...request, budget: none }, call()), 'over_budget');
      expect(refused).toMatchObject({ written });
      expect(await snapshot(table)).toEqual(before);
      expect(await fixture.session.run({ ...request, budget: written }, call())).toMatchObject({ written });
    });

    test('empty and broken texts are errors', async () => {
      for (const text of ['', '  \n ']) {
        await failure(fixture.session.classify(text, call()), 'invalid_argument');
        await failure(
          fixture.session.run({ text, ceiling: 'destroy', limit: 1 }, call()),
          'invalid_argument',
        );
      }
      const { invalid } = queries;
      await failure(fixture.session.classify(invalid, call()), 'query_failed', 'invalid_argument');
      await failure(
        fixture.session.run({ text: invalid, ceiling: 'read', limit: 1 }, call()),
        'query_failed',
        'invalid_argument',
      );
    });
  });

  function snapshot(table: string): Promise<Row[]> {
    return readRows(fixture.session, browseAll(table, { sort: [{ column: 'ordinal', order: 'asc' }] }));
  }
}

/** A driver without a query language rejects `classify`, `measure` and `run` with `unsupported`. */
function describeNoLanguage(fixture: Fixture, target: ContractTarget): void {
  describe('run', () => {
    test('a driver without a query language refuses a statement', async () => {
      expect(target.manifest.editor.language).toBe('none');
      await failure(fixture.session.classify('anything', call()), 'unsupported');
      await failure(fixture.session.measure({ text: 'anything' }, call()), 'unsupported');
      await failure(
        fixture.session.run({ text: 'anything', ceiling: 'read', limit: 1 }, call()),
        'unsupported',
      );
    });
  });
}

function rowsIn(outcome: RunOutcome) {
  const result = outcome.results.find((candidate) => candidate.kind === 'rows');
  if (result?.kind !== 'rows') throw new Error('The query gave no rows');
  return result;
}
