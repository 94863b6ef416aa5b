import type { Change } from '@trestle/driver-kit';
import type { Step } from '../staged-edits.ts';

/** Steps that stage these changes. The id of each change is the name of its row. */
export function stepsFor(changes: Change[]): Step[] {
  return changes.map((change): Step => {
    const id = crypto.randomUUID();
    if (change.kind === 'insert') return { id, kind: 'insert', row: change.id, values: change.values };
    const { id: row, key, expected = {} } = change;
    if (change.kind === 'delete') return { id, kind: 'delete', rows: [{ row, key, seen: expected }] };
    const cells = Object.entries(change.values).map(([column, cell]) => {
      const from = Object.hasOwn(expected, column) ? { from: expected[column]! } : {};
      return { row, key, column, cell, ...from };
    });
    return { id, kind: 'edit', cells };
  });
}
