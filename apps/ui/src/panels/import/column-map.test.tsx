import type { TableDescription } from '@trestle/driver-kit';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ColumnMap } from './column-map.tsx';
import type { CheckedPlan, ImportedFile } from './import-api.ts';

test('an unmapped column named constructor shows as left out and without misfits, although every JavaScript object has a property of that name', () => {
  const file = { columns: ['constructor'], sample: [['x']], rows: 1 } as unknown as ImportedFile;
  const plan = { columns: {}, map: {} } as CheckedPlan;
  const description = { columns: [] as TableDescription['columns'] } as TableDescription;
  const html = renderToStaticMarkup(
    <ColumnMap file={file} plan={plan} description={description} onChange={() => {}} />,
  );
  expect(html).toContain('data-left-out');
  expect(html).not.toContain('1 of 1');
});
