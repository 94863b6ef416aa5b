import { expect, test } from 'vitest';
import { readLevels } from './connection-flags.ts';

test('--color accepts a known name, a hexadecimal color or an empty text, and refuses an unknown name', () => {
  expect(readLevels({ color: 'teal' })).toEqual({ color: 'teal' });
  expect(readLevels({ color: '#12aBff' })).toEqual({ color: '#12aBff' });
  expect(readLevels({ color: '' })).toEqual({ color: null });
  expect(() => readLevels({ color: 'banana' })).toThrow('--color is one of red');
});
