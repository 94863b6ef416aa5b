import { setImmediate } from 'node:timers/promises';
import { logBegun } from '../storage/rescue.ts';
import type { ActivityCheck, ActivityEntry } from '../types.ts';
import type { ActivityRows, KeyPeriod } from './activity-rows.ts';
import type { Anchor } from './anchor.ts';
import { genesis, isSame, type Link, rowHash, startSeal } from './chain.ts';

const batch = 1000;

interface ChainToVerify {
  rows: ActivityRows;
  anchor: Anchor | null;
  /** By key id. Keys that are missing from the secrets are not here. */
  keys: Map<string, string>;
  /** The newest row that this process knows to be sealed. It may be newer than the anchor. Null if there is no key. */
  head: Link | null;
}

/** Checks the log, oldest row first, up to the first problem. */
export async function verifyChain({ rows, anchor, keys, head }: ChainToVerify): Promise<ActivityCheck> {
  let checked = 0;
  let begun: string | undefined;
  const fail = (problem: string): ActivityCheck => ({ ok: false, checked, problem });
  const periods = rows.keyPeriods();
  const start = rows.start();
  if (!anchor) {
    const untouched = rows.last() === null && start === null && head === null;
    return untouched ? { ok: true, checked } : fail('The secrets do not contain the newest hash of the log.');
  }
  const startKey = keys.get((start ? start.keyId : periods[0]?.id) ?? '');
  if (startKey === undefined) return fail(lostKey);
  if (start && !isSame(start.seal, startSeal(startKey, start)))
    return fail('The start mark of the log was changed.');
  let before: Link = start ?? genesis(startKey);
  let anchorSeen = anchor.count < before.id || (anchor.count === before.id && anchor.hash === before.hash);
  for (;;) {
    const next = rows.after(before.id, batch);
    for (const row of next) {
      const key = keys.get(periodOf(periods, row.id)?.id ?? '');
      if (key === undefined) return fail(lostKey);
      if (row.hash === null || !isSame(row.hash, rowHash(key, before, row)))
        return fail(brokenAt(row.id, before.id));
      if (checked === 0 && row.action === logBegun) begun = begunAfter(before.id, row);
      before = { id: row.id, hash: row.hash };
      anchorSeen ||= row.id === anchor.count && isSame(anchor.hash, row.hash);
      checked++;
    }
    if (next.length < batch) break;
    await setImmediate();
  }
  const newest = Math.max(anchor.count, head?.id ?? 0);
  if (before.id < newest)
    return fail(
      `Rows are missing at the end: the log had reached row ${newest}, and ends at row ${before.id}.`,
    );
  return anchorSeen
    ? { ok: true, checked, ...(begun !== undefined && { begun }) }
    : fail(`Row ${anchor.count} does not match the hash that is stored with the secrets.`);
}

const lostKey = 'A key of the log is missing, so its rows cannot be checked.';

function begunAfter(before: number, { at, detail }: ActivityEntry): string {
  const lost = before === 0 ? '' : ` Rows 1 to ${before} are not in the new log.`;
  return `The log started again at ${at}: ${detail}.${lost}`;
}

function periodOf(periods: KeyPeriod[], row: number): KeyPeriod | undefined {
  return periods.findLast(({ firstRow }) => firstRow <= row);
}

function brokenAt(id: number, before: number): string {
  if (id > before + 2) return `Rows ${before + 1} to ${id - 1} are missing.`;
  return id === before + 2
    ? `Row ${before + 1} is missing.`
    : `Row ${id} was changed or is not in its place.`;
}
