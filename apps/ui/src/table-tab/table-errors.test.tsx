import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TableErrors } from './table-errors.tsx';
import type { Table } from './use-table.ts';

test('the error of a search is shown above the rows only if there is no search box', () => {
  const view = { error: new Error('No such vector'), fault: 'search', shown: {}, reload: () => {} };
  const shown = (search: object | null) =>
    renderToStaticMarkup(<TableErrors table={{ view, search } as unknown as Table} />);
  expect(shown({})).toBe('');
  expect(shown(null)).toContain('No such vector');
});
