import { expect, test } from 'vitest';
import { createTableStore, persisted } from './table-store.ts';

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
