import { expect, test } from 'vitest';
import { exceeds, lowest, strongest } from './effect.ts';

test('a ceiling allows every effect up to itself', () => {
  const effects = ['read', 'write', 'destroy'] as const;
  const admitted = effects.map((ceiling) => effects.filter((effect) => !exceeds(effect, ceiling)));
  expect(admitted).toEqual([['read'], ['read', 'write'], ['read', 'write', 'destroy']]);
});

test('`lowest` finds the weakest of several effects, and `strongest` the strongest', () => {
  expect(lowest('write', 'destroy', 'read')).toBe('read');
  expect(strongest('read', 'destroy', 'write')).toBe('destroy');
});
