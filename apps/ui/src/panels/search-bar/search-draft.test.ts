import type { SearchSupport } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import {
  needsVector,
  newSearchDraft,
  readSearch,
  searchDetail,
  searchNear,
  searchTitle,
} from './search-draft.ts';

const support: SearchSupport = {
  modes: [
    { mode: 'near_text', refusal: 'No module' },
    { mode: 'near_vector' },
    { mode: 'near_object' },
    { mode: 'keyword' },
    { mode: 'hybrid' },
  ],
  targetVectors: [],
};
const named = { ...support, targetVectors: ['small', 'large'] };
const draft = { ...newSearchDraft(support), mode: 'hybrid' } as const;

test('a new search starts in the first preferred mode that is not refused', () => {
  expect(newSearchDraft(support).mode).toBe('keyword');
  expect(newSearchDraft({ ...support, modes: [{ mode: 'near_text' }] }).mode).toBe('near_text');
});

test('the problem of a search in a refused mode is the refusal', () => {
  expect(readSearch({ ...draft, mode: 'near_text', text: 'x' }, support)).toEqual({
    ok: false,
    problem: 'No module',
  });
});

test('a hybrid search has an alpha, and a search near a vector names its target vector', () => {
  expect(readSearch({ ...draft, text: ' moon ' }, support)).toEqual({
    ok: true,
    search: { mode: 'hybrid', text: 'moon', alpha: 0.75 },
  });
  expect(readSearch({ ...draft, mode: 'keyword', text: 'moon' }, named)).toEqual({
    ok: true,
    search: { mode: 'keyword', text: 'moon' },
  });
  expect(readSearch({ ...draft, mode: 'near_vector', vector: '[1, -2]' }, named)).toEqual({
    ok: true,
    search: { mode: 'near_vector', vector: [1, -2], targetVector: 'small' },
  });
  const one = { ...support, targetVectors: ['small'] };
  expect(readSearch({ ...draft, mode: 'near_vector', vector: '[1]' }, one)).toMatchObject({
    search: { targetVector: 'small' },
  });
});

test('if no module makes the vector from text, a hybrid search needs a vector beside the text', () => {
  const brought = { ...support, broughtVectors: [''] };
  expect(needsVector(draft, support)).toBe(false);
  expect(needsVector(draft, brought)).toBe(true);
  expect(readSearch({ ...draft, text: 'moon' }, brought)).toMatchObject({ ok: false });
  expect(readSearch({ ...draft, text: 'moon', vector: '[1, 2]' }, brought)).toEqual({
    ok: true,
    search: { mode: 'hybrid', text: 'moon', vector: [1, 2], alpha: 0.75 },
  });
  const some = { ...named, broughtVectors: ['large'] };
  expect(needsVector(draft, some)).toBe(false);
  expect(needsVector({ ...draft, targetVector: 'large' }, some)).toBe(true);
  const open = { ...some, modes: [{ mode: 'near_text' as const }] };
  const nearText = { ...draft, mode: 'near_text' as const, text: 'moon', targetVector: 'large' };
  expect(readSearch(nearText, open)).toMatchObject({ ok: false });
});

test('if the chosen target vector no longer exists, the search uses the first one', () => {
  expect(searchNear('u1', { ...draft, targetVector: 'large' }, named).targetVector).toBe('large');
  expect(searchNear('u1', { ...draft, targetVector: 'gone' }, named).targetVector).toBe('small');
});

test.each(['', '1, 2', '[1, "2"]', '{}', '[]'])('%j is not a vector', (vector) => {
  expect(readSearch({ ...draft, mode: 'near_vector', vector }, support)).toMatchObject({ ok: false });
});

test('the results say what was searched and how they are sorted', () => {
  expect(searchTitle({ mode: 'keyword', text: 'moon' })).toBe('Search results for “moon”');
  expect(searchTitle({ mode: 'near_vector', vector: [1, 2] })).toBe(
    'Search results for a vector of 2 dimensions',
  );
  expect(searchDetail({ mode: 'hybrid', text: 'moon', alpha: 0.5, targetVector: 'small' })).toBe(
    'hybrid · alpha 0.50 · by small · best score first',
  );
});
