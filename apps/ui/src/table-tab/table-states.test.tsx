import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { NoRows } from './table-states.tsx';

const nothing = () => {};
const page = {
  table: 'Notes',
  filtered: false,
  beyond: false,
  insertRefusal: undefined,
  onClearSearch: null,
  onClearFilters: nothing,
  onFirstPage: nothing,
  onInsert: nothing,
  onImport: undefined,
};

test('an empty tenant is not called an empty table: other tenants may have rows', () => {
  expect(renderToStaticMarkup(<NoRows {...page} partition={undefined} />)).toContain('Notes has no rows');
  const ofTenant = renderToStaticMarkup(<NoRows {...page} partition="zeta" />);
  expect(ofTenant).toContain('Tenant zeta has no rows');
  expect(ofTenant).not.toContain('Notes has no rows');
});
