import { expect, test, vi } from 'vitest';
import { createTableStore, persistChanges, persisted } from './table-store.ts';

test('a new tab starts with the page size of the settings, without filters and without a sort order', () => {
  const state = createTableStore(undefined, 500).getState();
  expect(state).toMatchObject({ pageSize: 500, offset: 0, filters: [], sort: [] });
});

test('the stored state of a tab is plain JSON and is restored completely', () => {
  const store = createTableStore(undefined, 200);
  store.setState({
    filters: [{ column: 'mass', operator: 'between', value: ['1', '2'] }],
    match: 'any',
    sort: [{ column: 'name', order: 'desc' }],
    offset: 400,
    partition: 'tenant-a',
    scroll: { top: 520, left: 30 },
  });
  const kept = persisted(store.getState());
  expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
  expect(createTableStore(kept, 100).getState()).toEqual(store.getState());
});

test('`persistChanges` stores a state that was changed before the call, and each later change', () => {
  const store = createTableStore({ offset: 200 }, 100);
  const persist = vi.fn();
  persistChanges(store, persist)();
  expect(persist).not.toHaveBeenCalled();
  const filters = [{ column: 'id', operator: 'equals' as const, value: 3 }];
  store.setState({ filters });
  persistChanges(store, persist);
  expect(persist).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ filters, offset: 200 }));
  store.setState({ offset: 0 });
  expect(persist).toHaveBeenLastCalledWith(expect.objectContaining({ filters, offset: 0 }));
});

test('a change of the partition scrolls to the top, and a change to the map does not', () => {
  const scroll = { top: 520, left: 30 };
  const store = createTableStore({ partition: 'acme', scroll }, 100);
  store.setState({ shows: 'map' });
  expect(store.getState().scroll).toEqual(scroll);
  store.setState({ partition: 'globex' });
  expect(store.getState().scroll).toEqual({ top: 0, left: 30 });
});
