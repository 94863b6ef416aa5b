import { expect, test } from 'vitest';
import { movedTag, readTag, tagKind, tagsIn } from './tag-list.ts';

test('a flat list of one kind is read as tags, and so is an empty text if its column has a list type', () => {
  expect(tagsIn('["a", "b"]', 'text[]')).toEqual(['a', 'b']);
  expect(tagsIn('[1, 2.5]', undefined)).toEqual([1, 2.5]);
  expect(tagsIn('', 'text[]')).toEqual([]);
  for (const text of ['', '[]', '{}', '[1, "a"]', '[null]', '[[1]]', '[{}]', '["a"', '7'])
    expect(tagsIn(text, undefined), text).toBeNull();
});

test('a list that was emptied is still a list, whatever the name of its type is', () => {
  for (const text of ['', '[]']) expect(tagsIn(text, 'JSON', { wasList: true }), text).toEqual([]);
  expect(tagsIn('{}', 'JSON', { wasList: true })).toBeNull();
});

test('the entries of a list decide its kind; for an empty list, the name of its type does', () => {
  expect(tagKind([1], 'text[]')).toBe('number');
  expect([tagKind([], 'int[]'), tagKind([], 'boolean[]'), tagKind([], 'text[]')]).toEqual([
    'number',
    'boolean',
    'text',
  ]);
});

test('an entry is read by the kind of its list', () => {
  expect(readTag('7', 'text')).toEqual({ ok: true, tag: '7' });
  expect(readTag('7', 'number')).toEqual({ ok: true, tag: 7 });
  expect(readTag('seven', 'number')).toEqual({ ok: false, problem: 'Expected a number such as 3.14' });
  expect(readTag('9007199254740993', 'number').ok).toBe(false);
});

test('an entry moves past its neighbours', () => {
  expect(movedTag(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(movedTag(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
});

test('a long list is edited as JSON, unless it grew long in its editor', () => {
  const list = (length: number) => JSON.stringify(Array.from({ length }, (_, at) => at));
  expect(tagsIn(list(500), 'number[]')).toHaveLength(500);
  expect(tagsIn(list(501), 'number[]')).toBeNull();
  expect(tagsIn(list(501), 'number[]', { wasList: true })).toHaveLength(501);
});
