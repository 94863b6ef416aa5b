import { expect, test } from 'vitest';
import { readLevels } from './connection-flags.ts';

test('a color is one of the names, a hexadecimal color or none', () => {
  expect(readLevels({ color: 'teal' })).toEqual({ color: 'teal' });
  expect(readLevels({ color: '#12aBff' })).toEqual({ color: '#12aBff' });
  expect(readLevels({ color: '' })).toEqual({ color: null });
  expect(() => readLevels({ color: 'banana' })).toThrow('--color is one of red');
});
