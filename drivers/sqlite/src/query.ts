import type { Handle } from './handle.ts';
import { type Fragment, toText } from './sql.ts';
import type { Stored } from './values.ts';

export function queryRows(handle: Handle, query: Fragment): Stored[][] {
  return handle.db.prepare(toText(query)).all(...query.values) as unknown as Stored[][];
}

export function iterateRows(handle: Handle, query: Fragment): IterableIterator<Stored[]> {
  return handle.db.prepare(toText(query)).iterate(...query.values) as unknown as IterableIterator<Stored[]>;
}
