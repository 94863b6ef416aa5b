import { expect, test } from 'vitest';
import { sentences } from './sentences.ts';

test('each text becomes one sentence, also if it is one already or has no hint after it', () => {
  expect(sentences('The driver stopped.', 'Try again.')).toBe('The driver stopped. Try again.');
  expect(sentences('The file is gone', 'Choose another')).toBe('The file is gone. Choose another.');
  expect(sentences('The file is gone', undefined)).toBe('The file is gone.');
});
