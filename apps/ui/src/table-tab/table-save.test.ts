import { type Command, noEdits, type StagedEdits } from '@trestle/core/staged-edits';
import { packWire } from '@trestle/driver-kit';
import { expect, test, vi } from 'vitest';
import * as api from '../data/api/api.ts';
import * as toasts from '../data/messages/toast.tsx';
import { stagedStore } from '../data/staged/staged-store.ts';
import { tableSave } from './table-save.ts';

vi.mock('../data/api/api.ts', async (load) => ({
  ...(await load<typeof api>()),
  syncStaged: vi.fn(),
  startSave: vi.fn(),
}));

const insert = { id: 's1', kind: 'insert' as const, row: 'new-1', values: { name: 'Io' } };
const edits: StagedEdits = { ...noEdits, steps: [insert] };
const change = { kind: 'insert' as const, id: 'new-1', values: { name: 'Io' } };

/** The app's answers: at first the whole list, then the given commands. */
function answer(commands: Command[]) {
  let waiting = commands;
  vi.mocked(api.syncStaged).mockImplementation(async (_, { since }) => {
    const revision = since === null ? 1 : 2;
    if (since === null) return { revision, applied: 0, whole: packWire(edits) };
    const told = waiting.map((command) => ({ command }));
    waiting = [];
    return { revision, applied: 0, commands: told };
  });
}

test('a save that the app refuses, because the edits are others, has not started', async () => {
  answer([]);
  const save = tableSave('c', 'moons', undefined);
  vi.mocked(api.startSave).mockImplementationOnce(async function* () {
    yield await Promise.reject(new api.ApiError({ code: 'conflict', message: 'Another window changed' }));
  });
  expect(await save.start({ table: 'moons', changes: [change] })).toBe(false);
  expect(save.state.getState()).toEqual({ error: null, starting: null, cancelling: false });
});

test('the outcomes of any save show as saved rows, and its warnings are shown once, when it ends', async () => {
  const outcomes = [{ id: 'new-1', status: 'applied' as const, key: { id: 9 }, warning: 'No vector' }];
  answer([
    { kind: 'begin', save: 's', rows: ['new-1'], at: 1 },
    { kind: 'settle', save: 's', outcomes },
    { kind: 'end', save: 's' },
  ]);
  const shown = vi.spyOn(toasts, 'showToast').mockImplementation(() => {});
  const save = tableSave('c', 'stars', undefined);
  const staged = stagedStore('c', 'stars', undefined);
  await staged.flush();
  await staged.flush();
  expect(staged.get().steps).toEqual([]);
  expect([...save.saved.getState().rows.values()]).toMatchObject([{ row: 'new-1', key: { id: 9 } }]);
  expect(shown.mock.calls.map(([{ title }]) => title)).toEqual(['1 row saved with a warning']);
});
