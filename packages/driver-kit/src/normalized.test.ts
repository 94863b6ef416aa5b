import { expect, test } from 'vitest';
import { normalized } from './normalized.ts';

// If all marks of a letter were sorted, this test would take minutes.
test.each(['\u0301', '\uFF9E\u0301\u0301'])('a letter keeps its first 30 marks: %j', (marks) => {
  const text = normalized(`a${marks.repeat(100_000)}b`, 'NFKD');
  expect(text).toHaveLength(32);
  expect(text).toMatch(/^a\p{M}{30}b$/u);
});

test('a text with few marks is normalized as usual', () => {
  for (const form of ['NFC', 'NFKC', 'NFKD'] as const) {
    for (const text of ['é', 'e\u0301', 'ガ', 'ｶﾞ', 'ﬁ', ''])
      expect(normalized(text, form)).toBe(text.normalize(form));
  }
});
