import { expect, test } from 'vitest';
import { createSaveWarnings } from './save-warnings.ts';

const first = { id: 'a', status: 'applied' as const, warning: 'No vector' };
const second = { id: 'b', status: 'applied' as const, warning: 'No vector either' };

test('a row with a warning counts once, however often its outcome is read', () => {
  const warnings = createSaveWarnings();
  warnings.note('s1', [first]);
  warnings.note('s1', [first, { id: 'c', status: 'applied' }]);
  expect(warnings.take('s1')).toEqual(['No vector']);
  warnings.note('s2', [first]);
  warnings.note('s2', [first, second]);
  expect(warnings.take('s2')).toEqual(['No vector', 'No vector either']);
  expect(warnings.take('s2')).toEqual([]);
});

test('warnings of a save that another window ended do not count for the next save', () => {
  const warnings = createSaveWarnings();
  warnings.note('s1', [first]);
  expect(warnings.take('s2')).toEqual([]);
});
