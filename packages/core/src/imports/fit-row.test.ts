import type { ColumnDescription, TableDescription } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { fitRow } from './fit-row.ts';
import type { ImportPlan } from './plan-import.ts';
import type { SourceRow } from './source-row.ts';

function fitted(key: string, values: [string, string][]) {
  const column = { name: key, type: 'text', nullable: true } as ColumnDescription;
  const plan = {
    table: { key: [key] } as TableDescription,
    columns: new Map([[key, column]]),
    missingId: null,
  };
  const row = { values: new Map(values) } as unknown as SourceRow;
  return fitRow(row, plan as unknown as ImportPlan, { format: 'csv', digest: '' });
}

test.each(['constructor', '__proto__', 'id'])(
  'a row without a value for its id column %s is refused, and one with a value is accepted',
  (key) => {
    expect(fitted(key, [])).toMatchObject({ ok: false, problem: `${key}: the row has no id` });
    const row = fitted(key, [[key, 'x']]);
    expect(row.ok && Object.entries(row.values)).toEqual([[key, 'x']]);
  },
);
