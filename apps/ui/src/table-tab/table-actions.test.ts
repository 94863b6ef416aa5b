import { expect, test } from 'vitest';
import { tableActions } from './table-actions.ts';
import { createTableStore } from './table-store.ts';
import type { Table } from './use-table.ts';

test('a tenant is shown after its activation, unless the user has chosen another one meanwhile', () => {
  const store = createTableStore(undefined, 100);
  const table = { props: { store }, view: { asked: { search: null } }, staged: { counts: { total: 0 } } };
  const { showActivated } = tableActions(table as unknown as Table);
  showActivated('acme');
  expect(store.getState().partition).toBe('acme');
  store.setState({ partition: 'globex' });
  showActivated('acme');
  expect(store.getState().partition).toBe('globex');
});
