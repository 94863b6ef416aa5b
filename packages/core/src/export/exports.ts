import { randomUUID } from 'node:crypto';
import type { RowSet, TableDescription } from '@trestle/driver-kit';
import { AppError, isAppError } from '../errors.ts';
import { assertPartition } from '../imports/assert-partition.ts';
import type { Data, DataAccess, Exports, ProgramRights } from '../types.ts';
import { cutRows } from './cut-rows.ts';
import { onlyColumns } from './only-columns.ts';

interface Running {
  source: AsyncIterator<RowSet>;
  abort: AbortController;
  columns: string[];
  /** Batches that were read and not yet sent. */
  waiting: RowSet[];
  /** Undefined: a person exports. */
  rights: Pick<ProgramRights, 'assertOpen'> | undefined;
}

/** One read is one message over the control socket. The sender and the receiver have the whole message in memory. */
const mostBytes = 6 * 1024 * 1024;

export function createExports(data: Pick<Data, 'describe' | 'partitions' | 'count' | 'exportRows'>): Exports {
  const running = new Map<string, Running>();

  function end(id: string): void {
    const one = running.get(id);
    if (!one) return;
    running.delete(id);
    one.abort.abort();
    one.source.return?.().catch(() => {});
  }

  return {
    async begin(request, signal, rights) {
      const { connectionId, columns: asked, withVectors = false, ...wanted } = request;
      const access: DataAccess = { caller: { kind: 'person' }, connectionId, signal };
      const table = await data.describe(access, wanted.table);
      await assertPartition(data, access, { table, partition: wanted.partition, gives: 'gives no rows' });
      const columns = asked ?? columnsOf(table, withVectors);
      const { sort: _, ...counted } = wanted;
      const total = await data.count(access, counted).catch(orNull);
      const abort = new AbortController();
      const source = data.exportRows(
        { ...access, signal: abort.signal },
        { ...wanted, columns, exact: true },
      );
      const id = randomUUID();
      const one: Running = { source: source[Symbol.asyncIterator](), abort, columns, waiting: [], rights };
      running.set(id, one);
      return { id, table, columns, total };
    },
    async read(id) {
      const one = running.get(id);
      if (!one)
        throw new AppError({ code: 'not_found', message: 'This export has ended', hint: 'Run it again.' });
      try {
        one.rights?.assertOpen();
        if (one.waiting.length === 0) {
          const next = await one.source.next();
          // The read may have taken long. The user may have taken the rights away meanwhile.
          one.rights?.assertOpen();
          if (next.done) {
            end(id);
            return null;
          }
          one.waiting.push(...cutRows(onlyColumns(next.value, one.columns), mostBytes));
        }
      } catch (error) {
        end(id);
        throw error;
      }
      return one.waiting.shift()!;
    },
    end,
  };
}

function columnsOf({ columns }: TableDescription, withVectors: boolean): string[] {
  return columns
    .filter(({ hidden, deferred }) => !hidden && (withVectors || !deferred))
    .map(({ name }) => name);
}

/** A database that cannot count may still give its rows. If it cannot filter either, the first read says so. */
function orNull(error: unknown): null {
  if (isAppError(error) && error.code === 'unsupported') return null;
  throw error;
}
