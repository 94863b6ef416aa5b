import {
  type ChangeSet,
  type Insert,
  type RowSet,
  rowSetFromCells,
  type TableDescription,
} from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import type { Data } from '../types.ts';
import type { CopyCursor } from './copy-cursor.ts';
import { copyTable } from './copy-table.ts';

const column = {
  name: 'id',
  type: 'int',
  nativeType: 'int',
  nullable: false,
  inKey: true,
  operators: [],
} as const;
const description = {
  name: 'from',
  kind: 'table',
  columns: [column],
  key: ['id'],
  definition: 'CREATE',
} as unknown as TableDescription;

/** Two tables of numbers. `take` decides the outcome of each row that is not stored yet. */
function tables(count: number, take: (id: number) => 'store' | 'refuse' | 'gone' | 'silent' = () => 'store') {
  const stored = new Set<number>();
  const begunAfter: unknown[] = [];
  let isMade = false;
  const rowsOf = (ids: number[]): RowSet =>
    rowSetFromCells(
      [column],
      ids.map((id) => [id]),
    );
  const data = {
    describe: async () => description,
    tables: async () => (isMade ? [{ name: 'to', kind: 'table' }] : []),
    createTable: async () => {
      isMade = true;
    },
    count: async (_access: unknown, { table }: { table: string }) => (table === 'from' ? count : stored.size),
    async *exportRows(_access: unknown, { after }: { after?: { id: number } }) {
      begunAfter.push(after?.id ?? null);
      for (let first = (after?.id ?? 0) + 1; first <= count; first += 10)
        yield rowsOf(Array.from({ length: Math.min(10, count - first + 1) }, (_, step) => first + step));
    },
    async *importRows(_access: unknown, { changes }: ChangeSet) {
      const outcomes = changes.map((change) => {
        const id = Number((change as Insert).values.id);
        if (stored.has(id)) return { id: change.id, status: 'skipped', existing: true };
        const fate = take(id);
        if (fate === 'store' || fate === 'silent') stored.add(id);
        if (fate === 'silent')
          return { id: change.id, status: 'unknown', error: { code: 'timeout', message: fate } };
        if (fate === 'store') return { id: change.id, status: 'applied' };
        const code = fate === 'gone' ? 'connection_failed' : 'query_failed';
        return { id: change.id, status: 'failed', error: { code, message: fate } };
      });
      yield { sent: [], outcomes };
    },
    readCells: async (_access: unknown, { keys }: { keys: { id: number }[] }) =>
      rowsOf(keys.map(({ id }) => id)),
  } as unknown as Data;
  let cursor: CopyCursor | null = null;
  const copy = (goOn: boolean, isSerial = false) =>
    copyTable({
      data,
      request: { from: { connectionId: 'a', table: 'from' }, to: { connectionId: 'b', table: 'to' }, goOn },
      isSerial,
      cursor: goOn ? cursor : null,
      signal: new AbortController().signal,
      onProgress: () => {},
      onCursor(now) {
        cursor = structuredClone(now);
      },
    });
  return { copy, stored, begunAfter, cursor: () => cursor };
}

test('a copy whose server goes away stops, and continues after the last stored batch', async () => {
  let isGone = true;
  const { copy, begunAfter, stored } = tables(100, (id) => (id > 40 && isGone ? 'gone' : 'store'));
  expect(await copy(false)).toMatchObject({
    ended: 'stopped',
    copied: 40,
    error: { code: 'connection_failed' },
  });
  isGone = false;
  expect(await copy(true)).toMatchObject({
    ended: 'complete',
    copied: 100,
    existing: 0,
    failed: 0,
    inTarget: 100,
    different: [],
  });
  expect(begunAfter).toEqual([null, 40]);
  expect(stored.size).toBe(100);
});

test('after a kill, rows that were stored and not noted count as copied, and not as existing before', async () => {
  for (const killedAt of [0, 40]) {
    let isGone = true;
    const { copy, stored } = tables(100, (id) => (id > killedAt && isGone ? 'gone' : 'store'));
    await copy(false);
    isGone = false;
    for (let id = killedAt + 1; id <= killedAt + 7; id++) stored.add(id);
    expect(await copy(true)).toMatchObject({ copied: 100, existing: 0, failed: 0, inTarget: 100 });
  }
});

test('a row without an answer does not count as failed, and is found when the copy continues', async () => {
  let isSilent = true;
  const { copy, begunAfter, stored } = tables(60, (id) => (id === 25 && isSilent ? 'silent' : 'store'));
  expect(await copy(false)).toMatchObject({
    ended: 'complete',
    copied: 59,
    failed: 0,
    unknown: 1,
    problems: ['25: silent'],
  });
  isSilent = false;
  expect(await copy(true)).toMatchObject({ ended: 'complete', failed: 0, unknown: 0, inTarget: 60 });
  expect(begunAfter).toEqual([null, 20]);
  expect(stored.size).toBe(60);
});

test('a copy that continues retries a refused row, although rows after it are stored', async () => {
  let isRefused = true;
  const { copy, begunAfter } = tables(60, (id) => (id === 25 && isRefused ? 'refuse' : 'store'));
  expect(await copy(false)).toMatchObject({ ended: 'complete', copied: 59, failed: 1, inTarget: 59 });
  isRefused = false;
  expect(await copy(true)).toMatchObject({ ended: 'complete', failed: 0, inTarget: 60, different: [] });
  expect(begunAfter).toEqual([null, 20]);
});

test('a cursor that counted more rows than the target has is ignored', async () => {
  const { copy, stored, begunAfter } = tables(50);
  await copy(false);
  stored.clear();
  expect(await copy(true)).toMatchObject({ ended: 'complete', copied: 50, inTarget: 50 });
  expect(begunAfter).toEqual([null, null]);
});

test('a copy from a driver with serial `concurrency` starts a new read for each batch', async () => {
  const { copy, begunAfter } = tables(25);
  expect(await copy(false, true)).toMatchObject({ ended: 'complete', copied: 25, inTarget: 25 });
  expect(begunAfter).toEqual([null, 10, 20, 25]);
});

test('the compared rows are spread over the table, also if the copy was interrupted', async () => {
  let isGone = true;
  const { copy, cursor } = tables(20_000, (id) => (id > 10_000 && isGone ? 'gone' : 'store'));
  expect(await copy(false)).toMatchObject({ ended: 'stopped', copied: 10_000 });
  isGone = false;
  expect(await copy(true)).toMatchObject({ ended: 'complete', compared: 50, different: [] });
  const ids = cursor()!.keys.map(({ id }) => Number(id));
  expect(new Set(ids).size).toBe(50);
  expect(ids.filter((id) => id <= 10_000).length).toBeGreaterThan(5);
  expect(ids.filter((id) => id > 10_000).length).toBeGreaterThan(5);
});

test('a table without a key is refused', async () => {
  const { copy } = tables(1);
  Object.assign(description, { key: [] });
  await expect(copy(false)).rejects.toThrow(AppError);
  Object.assign(description, { key: ['id'] });
});
