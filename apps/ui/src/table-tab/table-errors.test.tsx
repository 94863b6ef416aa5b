import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TableErrors } from './table-errors.tsx';
import type { TableView } from './use-table-view.ts';

test('the error of a search is shown above the rows only if there is no search box', () => {
  const view = { error: new Error('No such vector'), fault: 'search', shown: {}, reload: () => {} };
  const shown = (hasSearchBox: boolean) =>
    renderToStaticMarkup(
      <TableErrors view={view as unknown as TableView} hasSearchBox={hasSearchBox} onExport={undefined} />,
    );
  expect(shown(true)).toBe('');
  expect(shown(false)).toContain('No such vector');
});
