import { expect, test } from 'vitest';
import { checkWords, connectionWords, isFiltered, setParts, sizeOf } from './activity-words.ts';

test('an entry shows its duration and its number of rows, and leaves out a part that is unknown', () => {
  expect(sizeOf({ durationMs: 12.4, rows: 1 })).toBe('12 ms · 1 row');
  expect(sizeOf({ durationMs: 1234, rows: 1200 })).toBe('1.2 s · 1,200 rows');
  expect(sizeOf({ durationMs: null, rows: null })).toBe('');
});

test('the check of the log says in words what it found', () => {
  expect(checkWords({ ok: true, checked: 1200 })).toBe(
    '1,200 rows checked: none was changed, removed or moved.',
  );
  expect(checkWords({ ok: true, checked: 2, begun: 'The log started again.' })).toBe(
    '2 rows checked: none was changed, removed or moved. The log started again.',
  );
  expect(checkWords({ ok: true, checked: 0 })).toBe('The log is empty, and was not emptied by hand.');
  expect(checkWords({ ok: false, checked: 1, problem: 'Row 2 was changed' })).toBe(
    'Row 2 was changed (1 row passed the check).',
  );
});

test('a part of the filter that is empty or undefined is not set', () => {
  expect(setParts({ tokenName: 'a&b', text: '', outcome: undefined })).toEqual({ tokenName: 'a&b' });
  expect(isFiltered({ text: '' })).toBe(false);
  expect(isFiltered({ outcome: 'denied' })).toBe(true);
});

test('a connection counts as deleted only if the list of connections is loaded', () => {
  expect(connectionWords('a', [{ id: 'a', name: 'Library' }])).toBe('Library');
  expect(connectionWords('b', [])).toBe('a deleted connection');
  expect(connectionWords('a', undefined)).toBeNull();
  expect(connectionWords(null, [])).toBeNull();
});
