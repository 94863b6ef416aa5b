import { expect, test } from 'vitest';
import { expiryOf } from './token-expiry.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['30d', '2026-01-31T00:00:00.000Z'],
  ['12h', '2026-01-01T12:00:00.000Z'],
  ['2026-02-03', '2026-02-03T00:00:00.000Z'],
  ['2026-02-03T04:05:06+01:00', '2026-02-03T03:05:06.000Z'],
])('%s is an expiry', (text, expected) => {
  expect(expiryOf(text, now)).toBe(expected);
});

test.each(['45', '12', '1/2/2030', 'tomorrow', '2030-99-01'])('%s is refused as an expiry', (text) => {
  expect(() => expiryOf(text, now)).toThrow(`not "${text}"`);
});
