import { expect, test, vi } from 'vitest';
import * as api from '../data/api/api.ts';
import { stagedStore } from './staged-store.ts';
import { tableSave } from './table-save.ts';

vi.mock('../data/api/api.ts', async (load) => ({
  ...(await load<typeof api>()),
  api: {
    records: {
      get: { query: async () => null },
      write: { mutate: async () => ({ written: true, version: 1 }) },
    },
  },
  unsettledSaves: vi.fn(async () => []),
  acknowledgeSave: vi.fn(async () => {}),
  startSave: vi.fn(),
  lookAtChanges: vi.fn(),
}));

test('if an automatic check is running, the check that the user asks for follows it', async () => {
  const staged = stagedStore('c', 'planets', undefined);
  const insert = { id: 's1', kind: 'insert' as const, row: 'new-1', values: { name: 'Vulcan' } };
  staged.change((edits) => ({ ...edits, steps: [insert], unknown: ['new-1'] }));
  const automatic = Promise.withResolvers<never[]>();
  const look = vi.mocked(api.lookAtChanges);
  look.mockReturnValueOnce(automatic.promise);
  look.mockResolvedValueOnce([{ id: 'new-1', status: 'applied', key: { id: 9 } }]);

  const save = tableSave('c', 'planets', undefined);
  save.onConnected();
  save.onConnected();
  const asked = save.lookAgain();
  automatic.resolve([]);
  await asked;
  expect(look.mock.calls.map(([, { recent }]) => recent)).toEqual([true, false]);
  expect(staged.get().unknown).toEqual([]);
});

test('if the app refuses new rows because of an ended save, the app forgets that save, so the next try is sent', async () => {
  const staged = stagedStore('c', 'moons', undefined);
  const insert = { id: 's1', kind: 'insert' as const, row: 'new-1', values: { name: 'Io' } };
  const save = tableSave('c', 'moons', undefined);
  await vi.waitFor(() => expect(api.unsettledSaves).toHaveBeenCalledWith('c', { table: 'moons' }));
  staged.change((edits) => ({ ...edits, steps: [insert], unknown: ['new-1'] }));
  const ended = { id: 'earlier', startedAt: '', running: false, outcomes: [] };
  vi.mocked(api.unsettledSaves).mockResolvedValueOnce([ended]);
  const refusal = new api.ApiError({ code: 'conflict', message: 'An earlier save sent some of these rows' });
  vi.mocked(api.startSave).mockRejectedValueOnce(refusal);

  await save.start({ table: 'moons', changes: [{ kind: 'insert', id: 'new-1', values: { name: 'Io' } }] });
  expect(save.state.getState().error).toBe(refusal);
  expect(vi.mocked(api.acknowledgeSave).mock.calls).toContainEqual(['c', 'earlier']);
});

test('the app does not forget a save that another window started during the request for ended saves', async () => {
  const staged = stagedStore('c', 'stars', undefined);
  const asked = Promise.withResolvers<Awaited<ReturnType<typeof api.unsettledSaves>>>();
  vi.mocked(api.unsettledSaves).mockReturnValueOnce(asked.promise);
  tableSave('c', 'stars', undefined);
  await vi.waitFor(() => expect(api.unsettledSaves).toHaveBeenCalledWith('c', { table: 'stars' }));
  staged.change((edits) => ({ ...edits, saving: { id: 'theirs', total: 1, at: Date.now(), sent: [] } }));
  const ended = (id: string) => ({ id, startedAt: '', running: false, outcomes: [] });
  asked.resolve([ended('theirs'), ended('older')]);
  await vi.waitFor(() => expect(api.acknowledgeSave).toHaveBeenCalledWith('c', 'older'));
  expect(vi.mocked(api.acknowledgeSave).mock.calls).not.toContainEqual(['c', 'theirs']);
});
