import { randomUUID } from 'node:crypto';
import { amount, type Change, type TableDescription } from '@trestle/driver-kit';
import { savedWithin } from '../access/saved-within.ts';
import { AppError, type AppErrorDetails, appErrorDetails, isAppError } from '../errors.ts';
import type { Data, ImportBatch, Imports, ImportTarget, ProgramRights } from '../types.ts';
import { assertPartition } from './assert-partition.ts';
import { type Means, sendRows } from './send-rows.ts';

interface Running {
  target: ImportTarget;
  table: TableDescription;
  replaced: number;
  rights: ProgramRights | undefined;
}

/**
 * Rows are looked up and stored by id. Sending a batch again cannot duplicate rows, so batches need no journal. The
 * exception is an import with `newIds`: the database numbers rows without an id, and a second import adds those again.
 */
export function createImports(
  data: Pick<Data, 'describe' | 'importRows' | 'applyChanges' | 'readCells' | 'partitions'>,
): Imports {
  const running = new Map<string, Running>();
  const underWay: { one: Running; place: string; batch: Promise<ImportBatch> }[] = [];

  /**
   * Waits for the batches that other imports have sent to the same table. Weaviate checks and stores a batch in two
   * requests: two imports of one file would both find a row missing, and both count it as stored.
   */
  function inTurn(one: Running, work: () => Promise<ImportBatch>): Promise<ImportBatch> {
    const { connectionId, table, partition } = one.target;
    const place = JSON.stringify([connectionId, table, partition]);
    const others = underWay.filter((other) => other.place === place && other.one !== one);
    const batch = Promise.allSettled(others.map((other) => other.batch)).then(work);
    const entry = { one, place, batch };
    underWay.push(entry);
    return batch.finally(() => underWay.splice(underWay.indexOf(entry), 1));
  }

  return {
    async begin(target, signal, rights) {
      const { connectionId } = target;
      const isProgram = rights !== undefined;
      const access = { caller: { kind: 'person' } as const, isProgram, connectionId, signal };
      const table = await data.describe(access, target.table);
      await assertPartition(data, access, { table, partition: target.partition, gives: 'takes no rows' });
      const id = randomUUID();
      running.set(id, { target, table, replaced: 0, rights });
      return { id, table };
    },
    async send(id, rows, signal) {
      const one = running.get(id);
      // None of these rows was sent. So this error and the refusal below are returned: if they were thrown, the rows
      // would count as sent without an answer.
      if (!one) return { outcomes: [], stopped: appErrorDetails(hasEnded()) };
      const refused = refusal(one.rights);
      if (refused) return { outcomes: [], stopped: refused };
      const { connectionId, replace, ...place } = one.target;
      const isProgram = one.rights !== undefined;
      const access = { caller: { kind: 'person' } as const, isProgram, connectionId, signal };
      const at = { table: place.table, ...(place.partition !== undefined && { partition: place.partition }) };
      const exact = true;
      const means: Means = {
        key: one.table.key,
        replace,
        insert: (changes: Change[]) => data.importRows(access, { ...at, changes, exact }),
        apply: (changes: Change[]) => {
          // The inserts before this update may have taken long. The user may have taken the rights away meanwhile.
          one.rights?.assertOpen();
          assertWithin(one.replaced + changes.length, one.rights?.mostReplaced());
          one.replaced += changes.length;
          return savedWithin(
            { budget: one.rights, call: { signal }, waitForUser: (wait) => wait() },
            changes,
            () => data.applyChanges(access, { ...at, changes, exact }),
          );
        },
        find: (keys) => data.readCells(access, { ...at, keys, columns: one.table.key }),
      };
      return inTurn(one, () => sendRows(rows, means));
    },
    end(id) {
      running.delete(id);
    },
  };
}

function hasEnded(): AppError {
  return new AppError({ code: 'not_found', message: 'This import has ended', hint: 'Run it again.' });
}

/** The reason why the program may not send another batch. Undefined if it may. */
function refusal(rights: ProgramRights | undefined): AppErrorDetails | undefined {
  try {
    rights?.assertOpen();
    return undefined;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return appErrorDetails(error);
  }
}

function assertWithin(replaced: number, most: number | undefined): void {
  if (most === undefined || replaced <= most) return;
  throw new AppError({
    code: 'refused',
    message: `The import would replace more than ${amount(most, 'row')}, the reach limit of this connection`,
    hint: 'Import it in the window, or type the administrator passphrase at a terminal.',
  });
}
