import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Call, driverErrorDetails, type Session } from '../index.ts';
import { browseAll, call, type Fixture, failure } from './fixture.ts';
import { needs } from './needs.ts';
import type { ContractTarget } from './target.ts';

export function describeLifecycle(fixture: Fixture, target: ContractTarget): void {
  describe('lifecycle', () => {
    test('a call whose signal is already aborted is cancelled', async () => {
      for (const [name, code] of await codes(fixture.session, { signal: AbortSignal.abort() })) {
        expect(code, name).toBe('cancelled');
      }
    });

    test('a running call stops when its signal is aborted, and the session stays usable', async () => {
      needs(target.interrupts, 'the driver does not stop a running call');
      needs(target.queries?.slow !== undefined, 'the target has no slow query');
      const controller = new AbortController();
      const request = { text: target.queries.slow, ceiling: 'read' as const, limit: 10 };
      const running = failure(fixture.session.run(request, { signal: controller.signal }), 'cancelled');
      // Time for the call to begin. If the call begins later, the test passes too.
      await delay(200);
      controller.abort();
      await running;
      await expect(fixture.session.browse(browseAll(fixture.table), call())).resolves.toBeDefined();
    });

    test('a closed session refuses calls, and can be closed twice', async () => {
      const session = await fixture.database.connect();
      await session.health(call());
      await session.close();
      await session.close();
      for (const [name, code] of await codes(session, call())) {
        expect(['connection_failed', 'cancelled', 'driver_crashed'], name).toContain(code);
      }
    });

    test('a session lists a table that was created after the session connected', async () => {
      needs(!target.readsTablesOnce, 'a session sees only the tables that existed when it connected');
      const session = await fixture.database.connect();
      try {
        const table = await fixture.freshTable();
        const tables = await session.listTables(call());
        expect(tables.map((entry) => entry.name)).toContain(table);
      } finally {
        await session.close();
      }
    });
  });

  /** Makes the calls of `calls` that the driver supports. Returns the error code of each, or 'none' if it succeeds. */
  async function codes(session: Session, given: Call): Promise<[method: string, code: string][]> {
    const begun = Object.entries(calls(session, given)).map(([method, work]) =>
      work?.then(
        (): [string, string] => [method, 'none'],
        (error: unknown): [string, string] => [method, driverErrorDetails(error).code],
      ),
    );
    return (await Promise.all(begun)).filter((entry) => entry !== undefined);
  }

  function calls(session: Session, given: Call): Record<string, Promise<unknown> | undefined> {
    const { table } = fixture;
    const text = target.queries?.read(table, 1);
    const all = { table, filters: [], match: 'all' as const };
    const none = { table, changes: [] };
    return {
      health: session.health(given),
      listTables: session.listTables(given),
      describeTable: session.describeTable(table, given),
      describeTables: session.describeTables?.({ limit: 1 }, given),
      describeStructure: session.describeStructure?.(table, given),
      listPartitions: session.listPartitions?.(table, given),
      browse: session.browse(browseAll(table), given),
      count: session.count(all, given),
      search: session.search?.({ ...all, mode: 'keyword', text: 'Mars', limit: 1 }, given),
      classify: text === undefined ? undefined : session.classify(text, given),
      measure: text === undefined ? undefined : session.measure({ text }, given),
      run: text === undefined ? undefined : session.run({ text, ceiling: 'read', limit: 1 }, given),
      applyChanges: first(session.applyChanges?.({ ...none, rowTimeoutMs: 30_000 }, given)),
      importRows: first(session.importRows?.({ ...none, rowTimeoutMs: 30_000 }, given)),
      settleChanges: session.settleChanges?.(none, given),
      previewChanges: session.previewChanges?.(none, given),
      readCells: session.readCells?.({ table, keys: [], columns: ['title'] }, given),
      showRequest: session.showRequest?.({ kind: 'browse', request: browseAll(table) }, given),
      convertStatement: session.convertStatement?.('', given),
      designForm: session.designForm?.(given),
      readDesign: session.readDesign?.({ table }, given),
      planDesign: session.planDesign?.({ design: emptyDesign }, given),
      nextStep: session.nextStep?.({ act: { kind: 'create', design: emptyDesign }, state: null }, given),
      editorSchema: session.editorSchema?.(given),
      changeMark: session.changeMark?.(table, given),
      exportRows: first(session.exportRows?.({ ...all, sort: [] }, given)),
      sampleRows: first(session.sampleRows?.({ ...all, rows: 1 }, given)),
    };
  }
}

function first(items: AsyncIterable<unknown> | undefined): Promise<unknown> | undefined {
  return items?.[Symbol.asyncIterator]().next();
}

const emptyDesign = { name: '', fields: {}, parts: {} };
