import { expect, test } from 'vitest';
import { mcpLimits, problemOf, statementTimeout } from './number-settings.ts';

test('a text that is not a whole number within the bounds gets a message with the bounds', () => {
  expect(problemOf(statementTimeout, '30')).toBeUndefined();
  for (const text of ['', '0', '301', '1.5', '-1', '1e2', 'ten']) {
    expect(problemOf(statementTimeout, text)).toBe('A whole number between 1 and 300');
  }
  expect(problemOf(mcpLimits[0]!, '2000000')).toBe('A whole number between 1 and 1,000,000');
});
