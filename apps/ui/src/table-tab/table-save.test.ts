import { expect, test, vi } from 'vitest';
import * as api from '../shared/api.ts';
import { stagedStore } from './staged-store.ts';
import { tableSave } from './table-save.ts';

vi.mock('../shared/api.ts', async (load) => ({
  ...(await load<typeof api>()),
  api: { records: { write: { mutate: async () => ({ written: true, version: 1 }) } } },
  unsettledSaves: async () => [],
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
