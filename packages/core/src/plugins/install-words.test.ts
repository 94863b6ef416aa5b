import { expect, test } from 'vitest';
import { installWords } from './install-words.ts';

test('a download is told by its size, a wait by the connections in its way', () => {
  const words = (step: Parameters<typeof installWords>[0], waitsFor: string[] = []) =>
    installWords(step, { received: 100_000, size: 2_345_678, waitsFor });
  expect(words('download')).toBe('Downloading 100 kB of 2.3 MB');
  expect(words('load')).toBe('Trying the driver in its own process');
  expect(words('wait', ['Prod'])).toBe('Waits until “Prod” is closed');
  expect(words('wait', ['Prod', 'Test'])).toBe('Waits until “Prod”, “Test” are closed');
});
