import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Call, Session } from '../index.ts';
import { browseAll, call, type Fixture, failure } from './fixture.ts';
import { save } from './save.ts';
import type { ContractTarget } from './target.ts';

export function describeLifecycle(fixture: Fixture, target: ContractTarget): void {
  describe('lifecycle', () => {
    test('a call whose signal is already aborted is cancelled', async () => {
      for (const [name, work] of calls(fixture.session, { signal: AbortSignal.abort() })) {
        const error = await failure(work, 'cancelled');
        expect(error.code, name).toBe('cancelled');
      }
    });

    test('a running call stops when its signal is aborted, and the session stays usable', async () => {
      if (!target.interrupts || target.queries?.slow === undefined) return;
      const controller = new AbortController();
      const request = { text: target.queries.slow, ceiling: 'read' as const, limit: 10 };
      const running = failure(fixture.session.run(request, { signal: controller.signal }), 'cancelled');
      // Long enough for the call to begin. The outcome does not depend on it.
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
      for (const [, work] of calls(session, call())) {
        await failure(work, 'connection_failed', 'cancelled', 'driver_crashed');
      }
    });

    test('a session lists a table that was created after it connected', async () => {
      if (target.readsTablesOnce) return;
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

  function calls(session: Session, given: Call): [string, Promise<unknown>][] {
    const { table } = fixture;
    const text = target.queries?.read(table, 1);
    const list: [string, Promise<unknown> | undefined][] = [
      ['health', session.health(given)],
      ['listTables', session.listTables(given)],
      ['describeTable', session.describeTable(table, given)],
      ['browse', session.browse(browseAll(table), given)],
      ['count', session.count({ table, filters: [], match: 'all' }, given)],
      ['classify', text === undefined ? undefined : session.classify(text, given)],
      ['run', text === undefined ? undefined : session.run({ text, ceiling: 'read', limit: 1 }, given)],
      ['applyChanges', session.applyChanges && save(session, { table, changes: [] }, given)],
      ['settleChanges', session.settleChanges?.({ table, changes: [] }, given)],
      ['previewChanges', session.previewChanges?.({ table, changes: [] }, given)],
      ['readCells', session.readCells?.({ table, keys: [], columns: ['title'] }, given)],
      ['showRequest', session.showRequest?.({ kind: 'browse', request: browseAll(table) }, given)],
      ['editorSchema', session.editorSchema?.(given)],
      ['exportRows', session.exportRows && firstBatch(session, given)],
    ];
    const begun = list.filter((entry): entry is [string, Promise<unknown>] => entry[1] !== undefined);
    // The calls are awaited one by one. A call that fails before its turn would be an unhandled rejection.
    for (const [, work] of begun) work.catch(() => {});
    return begun;
  }

  async function firstBatch(session: Session, given: Call): Promise<unknown> {
    const rows = session.exportRows!({ table: fixture.table, filters: [], match: 'all', sort: [] }, given);
    return rows[Symbol.asyncIterator]().next();
  }
}
