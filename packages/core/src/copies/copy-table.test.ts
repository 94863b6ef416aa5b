import {
  type Change,
  type ChangeOutcome,
  type Insert,
  type RowSet,
  rowSetFromCells,
  type TableDescription,
  weigh,
} from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import type { Data } from '../types.ts';
import type { CopyCursor } from './copy-cursor.ts';
import { copyTable } from './copy-table.ts';

const columns = ['id', 'note'].map((name) => ({
  name,
  type: 'text' as const,
  nativeType: 'TEXT',
  nullable: true,
  inKey: name === 'id',
  operators: [],
}));
const described = { name: 'Old', kind: 'table', key: ['id'], columns } as unknown as TableDescription;
const batch = (...rows: (string | null)[][]) => rowSetFromCells(columns, rows);

/** Copies the batches into an existing table. `outcomeOf` returns the outcome of each row. */
function copied(
  batches: AsyncGenerator<RowSet>,
  rights?: { assertOpen(): void },
  outcomeOf: (values: Insert['values']) => Partial<ChangeOutcome> = () => ({}),
) {
  const sent: Change[] = [];
  const sizes: number[] = [];
  const data = {
    describe: async () => described,
    tables: async () => [{ name: 'Old' }, { name: 'New' }],
    count: async () => 2,
    exportRows: () => batches,
    async *importRows(_access: unknown, { changes }: { changes: Change[] }) {
      // The answer arrives after the export has read its next batch, or has ended or failed.
      await new Promise((done) => setTimeout(done, 20));
      sent.push(...changes);
      sizes.push(weigh(changes));
      const outcomes = (changes as Insert[]).map(({ id, values }) => ({
        ...{ id, status: 'applied' },
        ...outcomeOf(values),
      }));
      yield { sent: [], outcomes };
    },
    readCells: async () => batch(),
  } as unknown as Data;
  const request = {
    from: { connectionId: 'c', table: 'Old' },
    to: { connectionId: 'c', table: 'New' },
    goOn: true,
  };
  const { signal } = new AbortController();
  return {
    sent,
    sizes,
    done: copyTable({
      ...{ data, request, signal },
      ...(rights && { rights }),
      isSerial: false,
      cursor: null,
      onProgress: () => {},
      onCursor: () => {},
    }),
  };
}

test('NULL is copied as NULL: a column that is left out would get its default', async () => {
  const { sent, done } = copied(
    (async function* () {
      yield batch(['a', null], ['b', '']);
    })(),
  );
  expect(await done).toMatchObject({ ended: 'complete', copied: 2 });
  expect(sent).toMatchObject([{ values: { id: 'a', note: null } }, { values: { id: 'b', note: '' } }]);
});

/** Stores a row only if its note is NULL or names a stored row, as Weaviate does with references. */
function refersByNote() {
  const stored = new Set<unknown>([null]);
  return ({ id, note }: Insert['values']): Partial<ChangeOutcome> => {
    if (stored.has(note)) stored.add(id);
    else return { status: 'failed', error: { code: 'invalid_argument', message: `no ${note}` } };
    return {};
  };
}

test('a row that refers to a later row is stored after it, also in a chain of references', async () => {
  const { sent, done } = copied(
    (async function* () {
      yield batch(['a', 'b'], ['b', 'c']);
      yield batch(['c', 'd'], ['d', null]);
    })(),
    undefined,
    refersByNote(),
  );
  expect(await done).toMatchObject({ ended: 'complete', copied: 4, failed: 0, problems: [] });
  expect(sent).toHaveLength(4 + 3 + 2 + 1);
});

test('a row that stays refused is reported once, and the others are stored', async () => {
  const { sent, done } = copied(
    (async function* () {
      yield batch(['a', 'b'], ['b', null], ['c', 'missing']);
    })(),
    undefined,
    refersByNote(),
  );
  expect(await done).toMatchObject({ copied: 2, failed: 1, problems: ['c: no missing'] });
  expect(sent).toHaveLength(3 + 2 + 1);
});

test('large refused rows are tried again in pieces, and only as many as the memory limit allows', async () => {
  const large = 'x'.repeat(1024 * 1024);
  const { sent, sizes, done } = copied(
    (async function* () {
      for (let number = 0; number < 100; number++) yield batch([String(number), large]);
    })(),
    undefined,
    refersByNote(),
  );
  expect(await done).toMatchObject({ ended: 'complete', copied: 0, failed: 100 });
  const retried = sent.length - 100;
  expect(retried).toBeGreaterThan(50);
  expect(retried).toBeLessThan(64);
  expect(Math.max(...sizes)).toBeLessThan(10 * 1024 * 1024);
});

test('if the source fails, rows that were already sent are in the report', async () => {
  const { sent, done } = copied(
    (async function* () {
      yield batch(['a', 'x']);
      throw new AppError({ code: 'connection_failed', message: 'No server' });
    })(),
  );
  expect(await done).toMatchObject({ ended: 'stopped', copied: 1, error: { message: 'No server' } });
  expect(sent).toHaveLength(1);
});

test('a copy whose rights are taken away stops before its next batch, and reports the rows that were copied', async () => {
  let isOpen = true;
  const { sent, done } = copied(
    (async function* () {
      yield batch(['a', 'x']);
      yield batch(['b', 'x']);
      isOpen = false;
      yield batch(['c', 'x']);
    })(),
    {
      assertOpen() {
        if (!isOpen) throw new AppError({ code: 'forbidden', message: 'Closed' });
      },
    },
  );
  expect(await done).toMatchObject({ ended: 'stopped', copied: 2, error: { message: 'Closed' } });
  expect(sent).toHaveLength(2);
});

/** A table with the tenants north and south, with three rows each. A test changes the state between two copies. */
function tenants(state: {
  /** Tenants that cannot be read. */
  closed: string[];
  /** Rows that the target refuses. */
  refused: string[];
  /** The tenants of the target. Null: there is no target yet. */
  target: string[] | null;
  /** At this row, the target no longer answers. */
  gone?: string;
}) {
  const stored: string[] = [];
  const made: string[][] = [];
  const read: { partition: string; after: { id: string } | undefined }[] = [];
  const rowsOf = (tenant: string) => ['1', '2', '3'].map((id) => `${tenant}${id}`);
  const data = {
    describe: async () => ({ ...described, partitioned: true, definition: '{}' }),
    tables: async () => [{ name: 'Old' }, ...(state.target ? [{ name: 'New' }] : [])],
    partitions: async (_access: unknown, table: string) =>
      (table === 'Old' ? ['north', 'south'] : state.target!).map((name) =>
        state.closed.includes(name) ? { name, unavailable: 'The tenant is cold' } : { name },
      ),
    async createTable(_access: unknown, { partitions }: { partitions: string[] }) {
      made.push(partitions);
      state.target = partitions;
    },
    count: async (_access: unknown, { table, partition }: { table: string; partition: string }) =>
      table === 'Old' ? 3 : stored.filter((id) => id.startsWith(partition)).length,
    async *exportRows(_access: unknown, { partition, after }: { partition: string; after?: { id: string } }) {
      read.push({ partition, after });
      for (const id of rowsOf(partition)) if (!after || id > after.id) yield batch([id, 'x']);
    },
    async *importRows(_access: unknown, { changes }: { changes: Change[] }) {
      const outcomes = changes.map((change) => {
        const id = String((change as Insert).values.id);
        if (id === state.gone) throw new AppError({ code: 'connection_failed', message: 'No server' });
        if (state.refused.includes(id))
          return { id: change.id, status: 'failed', error: { code: 'query_failed', message: 'no' } };
        if (stored.includes(id)) return { id: change.id, status: 'skipped', existing: true };
        stored.push(id);
        return { id: change.id, status: 'applied' };
      });
      yield { sent: [], outcomes };
    },
    readCells: async () => batch(),
  } as unknown as Data;
  let cursor: CopyCursor | null = null;
  const copy = (goOn: boolean) =>
    copyTable({
      data,
      request: { from: { connectionId: 'c', table: 'Old' }, to: { connectionId: 'c', table: 'New' }, goOn },
      isSerial: false,
      cursor: goOn ? cursor : null,
      signal: new AbortController().signal,
      onProgress: () => {},
      onCursor: (now) => {
        cursor = structuredClone(now);
      },
    });
  return { copy, stored, made, read, state };
}

test('a tenant that could not be read is copied when the copy continues', async () => {
  const { copy, made, state, stored } = tenants({ closed: ['south'], refused: [], target: null });
  expect(await copy(false)).toMatchObject({ copied: 3, unavailable: ['south'] });
  expect(made).toEqual([['north', 'south']]);
  state.closed = [];
  expect(await copy(true)).toMatchObject({ ended: 'complete', copied: 6, unavailable: [], inTarget: 6 });
  expect(stored).toHaveLength(6);
});

test('if a copied tenant can no longer be read, the copy still continues at its cursor', async () => {
  const { copy, read, state, stored } = tenants({ closed: [], refused: [], target: null, gone: 'south3' });
  expect(await copy(false)).toMatchObject({ ended: 'stopped', copied: 5 });
  Object.assign(state, { closed: ['north'], gone: '' });
  const before = read.length;
  expect(await copy(true)).toMatchObject({
    ...{ ended: 'complete', copied: 6, existing: 0, unavailable: ['north'] },
  });
  expect(read.slice(before)).toEqual([{ partition: 'south', after: { id: 'south2' } }]);
  expect(stored).toHaveLength(6);
  // The target lost the rows of south, so the copy begins again.
  stored.splice(0, stored.length, 'north1', 'north2', 'north3');
  expect(await copy(true)).toMatchObject({ copied: 3, inTarget: 3 });
  expect(stored).toHaveLength(6);
});

test('a target that lacks a tenant of the source is refused once, not row by row', async () => {
  const { copy, stored } = tenants({ closed: [], refused: [], target: ['north'] });
  await expect(copy(true)).rejects.toThrow('New has no tenant south');
  expect(stored).toEqual([]);
});

test('rows of a tenant that is read again are counted once', async () => {
  const { copy, state } = tenants({ closed: [], refused: ['north2'], target: null });
  expect(await copy(false)).toMatchObject({ copied: 5, existing: 0, failed: 1 });
  state.refused = [];
  expect(await copy(true)).toMatchObject({ copied: 6, existing: 0, failed: 0, total: 6, inTarget: 6 });
});

test('if a copy reads an earlier tenant again, the rows of the interrupted tenant are counted once', async () => {
  const { copy, state } = tenants({ closed: [], refused: ['north2'], target: null, gone: 'south3' });
  expect(await copy(false)).toMatchObject({ ended: 'stopped', copied: 4, failed: 1 });
  state.refused = [];
  state.gone = '';
  expect(await copy(true)).toMatchObject({ copied: 6, existing: 0, total: 6, inTarget: 6 });
});

test('rows copied before an interruption are counted once, even if a later row of their tenant fails', async () => {
  const { copy, state } = tenants({ closed: [], refused: [], target: null, gone: 'north2' });
  expect(await copy(false)).toMatchObject({ ended: 'stopped', copied: 1 });
  Object.assign(state, { refused: ['north3'], gone: '' });
  expect(await copy(true)).toMatchObject({ ended: 'complete', failed: 1 });
  state.refused = [];
  expect(await copy(true)).toMatchObject({ copied: 6, existing: 0, total: 6, inTarget: 6 });
});

test('a copy of a table whose rows were deleted meanwhile says why it has fewer', async () => {
  const { done } = copied(
    (async function* () {
      yield batch(['a', null]);
    })(),
  );
  expect(await done).toMatchObject({
    copied: 1,
    total: 2,
    problems: ['Old had 2 rows when the copy began, and 1 were left to read: others deleted rows meanwhile'],
  });
});
