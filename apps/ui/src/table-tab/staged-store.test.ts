import { expect, test, vi } from 'vitest';
import type * as api from '../data/api/api.ts';
import { noEdits, stage, undo } from './staged-edits.ts';
import { discardStaged, stagedStore } from './staged-store.ts';

vi.mock('../data/api/api.ts', async (load) => ({
  ...(await load<typeof api>()),
  api: { records: { write: { mutate: async () => ({ written: true, version: 1 }) } } },
}));

test('a deleted table loses its undone edits too, in all partitions', () => {
  const insert = { id: 's1', kind: 'insert' as const, row: 'new-1', values: {} };
  const notes = [undefined, 'acme'].map((partition) => stagedStore('c', 'Notes', partition));
  const other = stagedStore('c', 'Notes 2', undefined);
  for (const { change } of [...notes, other]) change((now) => undo(stage(now, insert), 's1'));
  discardStaged('c', 'Notes');
  expect(notes.map(({ get }) => get())).toEqual([noEdits, noEdits]);
  expect(other.get().undone).toEqual([insert]);
});
