import { expect, test } from 'vitest';
import { tableActions } from './table-actions.ts';
import { createTableStore } from './table-store.ts';

test('a tenant is shown after its activation, unless the user has chosen another one meanwhile', () => {
  const store = createTableStore(undefined, 100);
  const { showActivated } = tableActions({
    tab: { store, table: 'Notes' },
    view: { asked: { search: null } },
    staging: { staged: { counts: { total: 0 } } },
  } as unknown as Parameters<typeof tableActions>[0]);
  showActivated('acme');
  expect(store.getState().partition).toBe('acme');
  store.setState({ partition: 'globex' });
  showActivated('acme');
  expect(store.getState().partition).toBe('globex');
});
