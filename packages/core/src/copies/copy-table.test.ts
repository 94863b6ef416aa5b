import { type Change, type RowSet, rowSetFromCells, type TableDescription } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import type { Data } from '../types.ts';
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

/** Two tables of which the second one is empty. */
function copied(batches: AsyncGenerator<RowSet>) {
  const sent: Change[] = [];
  const data = {
    describe: async () => described,
    tables: async () => [{ name: 'Old' }, { name: 'New' }],
    count: async () => 2,
    exportRows: () => batches,
    async *importRows(_access: unknown, { changes }: { changes: Change[] }) {
      // The answer comes later than the end of the export.
      await new Promise((done) => setTimeout(done, 20));
      sent.push(...changes);
      yield { sent: [], outcomes: changes.map(({ id }) => ({ id, status: 'applied' as const })) };
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
    done: copyTable({
      ...{ data, request, signal },
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
