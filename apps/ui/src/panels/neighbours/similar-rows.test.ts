import { expect, test } from 'vitest';
import { titledRow } from './similar-rows.ts';

test.each([
  ['Moon', 'Moon'],
  ['', '7'],
  [null, '7'],
  ['x'.repeat(301), `${'x'.repeat(300)}…`],
])('a row with the title %j is called %s', (title, shown) => {
  expect(titledRow({ key: { id: 7 }, title, distance: 0.5 })).toEqual({
    id: '7',
    key: { id: 7 },
    title: shown,
    distance: 0.5,
  });
});
