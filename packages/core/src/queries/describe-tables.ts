import type { LinkCall, LinkSession } from '@trestle/driver-host';
import { driverErrorDetails, type TableDescription, type TableSummary } from '@trestle/driver-kit';
import type { Mask } from '../masking/mask.ts';
import type { Data } from '../types.ts';
import type { Admitted } from './call-runner.ts';

/** One table as the caller may see it. */
export async function describeOne(
  session: LinkSession,
  table: string,
  call: LinkCall,
  mask: Mask,
): Promise<TableDescription> {
  return maskDescription(session, await session.describeTable(table, call), call, mask);
}

/**
 * The first tables as the caller may see them. A driver that can describe several tables at once is asked once. If
 * data is masked for the caller, each table may need more requests.
 */
export async function describeAll(
  { session, call, maskOfTable }: Admitted,
  request: { limit: number },
): ReturnType<Data['describeAll']> {
  const described = await session.use(call.signal, ({ session: link }) =>
    link.describeTables ? link.describeTables(request, call) : describeEach(link, request, call),
  );
  const tables: TableDescription[] = [];
  for (const table of described.tables) {
    const mask = await maskOfTable(table.name);
    tables.push(
      await session.use(call.signal, ({ session: link }) => maskDescription(link, table, call, mask)),
    );
  }
  return { tables, total: described.total };
}

async function describeEach(session: LinkSession, { limit }: { limit: number }, call: LinkCall) {
  const all = await session.listTables(call);
  const tables: TableDescription[] = [];
  let gone = 0;
  for (const summary of all.slice(0, limit)) {
    try {
      tables.push(await session.describeTable(summary.name, call));
    } catch (error) {
      const { code, message } = driverErrorDetails(error);
      if (code === 'query_failed') tables.push(undescribed(summary, message));
      // The table was dropped after it was listed.
      else if (code === 'not_found') gone++;
      else throw error;
    }
  }
  return { tables, total: all.length - gone };
}

/** One broken view, for example a view of a dropped table, must not make the whole schema unreadable. */
function undescribed(summary: TableSummary, reason: string): TableDescription {
  const comment = `Cannot be described: ${reason}`;
  return {
    ...summary,
    comment,
    columns: [],
    key: [],
    indexes: [],
    foreignKeys: [],
    exampleQuery: '',
    notes: [],
  };
}

/**
 * A column of a view, and a computed column, is masked if its source column is masked. Only the driver knows the
 * source. It marks the masked columns of a page, so this function reads a page of one row.
 */
async function maskDescription(
  session: LinkSession,
  description: TableDescription,
  call: LinkCall,
  mask: Mask,
): Promise<TableDescription> {
  if (!mask.hidesColumns) return mask.description(description);
  // Names every visible column: vectors are read only if they are named.
  const columns = description.columns.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const request = {
    table: description.name,
    columns,
    filters: [],
    match: 'all' as const,
    sort: [],
    limit: 1,
    offset: 0,
  };
  try {
    const { rows } = await session.browse({ ...request, ...mask.request }, call);
    return mask.description(description, rows.columns);
  } catch (error) {
    const { code, message } = driverErrorDetails(error);
    // A table with partitions has no page without the name of a partition.
    if (code === 'invalid_argument') return mask.description(description);
    // `refused`: for example, a view computes with a guarded column. `query_failed`: the view itself is broken.
    if (code !== 'refused' && code !== 'query_failed') throw error;
    return mask.description({ ...description, notes: [...description.notes, mask.sentence(message)] });
  }
}
