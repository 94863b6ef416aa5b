import { randomUUID } from 'node:crypto';
import { isDriverError } from '@trestle/driver-kit';
import type { CollectionReader } from './collection-reader.ts';

/**
 * The number of objects and the time of the latest change. Null if the server refuses the query. Two changes within one
 * millisecond have the same time, so the mark of a collection that has just changed is never used again.
 */
export async function changeMark(reader: CollectionReader): Promise<string | null> {
  try {
    const [latest] = await reader.find({
      columns: [],
      facts: ['changedAt'],
      sort: [{ path: '_lastUpdateTimeUnix', order: 'desc' }],
      limit: 1,
    });
    const changedAt = latest ? String(latest.changedAt) : 'never';
    const count = await reader.count(null);
    const isRecent = Math.abs(Date.now() - Number(changedAt)) < restlessMs;
    return JSON.stringify([count, changedAt, isRecent ? randomUUID() : null]);
  } catch (error) {
    if (isDriverError(error) && error.code === 'query_failed') return null;
    throw error;
  }
}

/** Longer than the clocks of this machine and the server usually differ. */
const restlessMs = 1_000;
