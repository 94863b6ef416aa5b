import { cutCell, maxCellBytes } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { longTextNote } from './long-text.ts';

test('a copy of the whole text is promised only if all of it was read', () => {
  expect(longTextNote('x'.repeat(12_000))).toBe('12,000 characters. Copy gives all of them.');
  expect(longTextNote(String(cutCell('x'.repeat(maxCellBytes + 1))))).toContain(
    'only its beginning was read',
  );
});
