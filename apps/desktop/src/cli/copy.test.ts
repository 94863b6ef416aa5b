import type { CopyReport } from '@trestle/core';
import { expect, test } from 'vitest';
import { isWhole } from './copy.ts';

const whole: CopyReport = {
  copied: 2,
  existing: 1,
  failed: 0,
  unknown: 0,
  total: 3,
  isNew: true,
  unavailable: [],
  ended: 'complete',
  inTarget: 3,
  compared: 3,
  different: [],
  problems: [],
};

test('a copy is not whole if it was cancelled, if rows or tenants may be missing, or if a compared row differs', () => {
  expect(isWhole(whole)).toBe(true);
  const less: Partial<CopyReport>[] = [
    { unavailable: ['cold'] },
    { failed: 1 },
    { unknown: 1 },
    { different: ['a'] },
    { inTarget: 2 },
    { ended: 'cancelled' },
  ];
  for (const one of less) expect(isWhole({ ...whole, ...one }), JSON.stringify(one)).toBe(false);
});
