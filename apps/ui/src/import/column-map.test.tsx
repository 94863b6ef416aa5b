import type { TableDescription } from '@trestle/driver-kit';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ColumnMap } from './column-map.tsx';
import type { CheckedPlan, ImportedFile } from './import-api.ts';

test('a column of the file named constructor is left out and has no misfits, although every object has that property', () => {
  const file = { columns: ['constructor'], sample: [['x']], rows: 1 } as unknown as ImportedFile;
  const plan = { columns: {}, map: {} } as CheckedPlan;
  const description = { columns: [] as TableDescription['columns'] } as TableDescription;
  const html = renderToStaticMarkup(
    <ColumnMap file={file} plan={plan} description={description} onChange={() => {}} />,
  );
  expect(html).toContain('data-left-out');
  expect(html).not.toContain('1 of 1');
});
