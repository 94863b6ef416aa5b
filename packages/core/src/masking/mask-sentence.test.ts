import { expect, test } from 'vitest';
import { maskSentence } from './mask-values.ts';

test('a masked sentence keeps the words that do not match, unless a match spans several words', () => {
  expect(maskSentence('value "a@b.example" is not unique', ['email'])).toBe('value ••• is not unique');
  expect(maskSentence('value +49 30 1234567 is bad', ['phone'])).toBe('•••');
  expect(maskSentence('no user ada@localhost', ['email'])).toBe('no user •••');
  expect(maskSentence("(phone)=('4155552671') exists", ['phone'])).toBe('••• exists');
  expect(maskSentence('no user ada@localhost', ['phone'])).toBe('no user ada@localhost');
  expect(maskSentence('no such table: users', ['email', 'card', 'phone'])).toBe('no such table: users');
});
