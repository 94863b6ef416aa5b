import { expect, test } from 'vitest';
import { offsetForSize, pageMoves, pageText, resultText } from './paging.ts';

test('the position in the table is shown without the parts that are unknown', () => {
  expect(pageText({ offset: 0, limit: 200, rows: 200, total: 12_345 })).toBe('1–200 of 12,345');
  expect(pageText({ offset: 12_200, limit: 200, rows: 145, total: 12_345 })).toBe('12,201–12,345 of 12,345');
  expect(pageText({ offset: 200, limit: 200, rows: 200 })).toBe('201–400');
  expect(pageText({ offset: 0, limit: 200, rows: 0, total: 0 })).toBe('No rows');
  expect(pageText({ offset: 400, limit: 200, rows: 0, total: 9 })).toBe('0 of 9');
  expect(pageText({ offset: 0, limit: 200, rows: 0 })).toBe('No rows');
  expect(pageText({ offset: 0, limit: 200 })).toBe('');
});

test('a search says how many rows it found, and whether there may be more', () => {
  expect(resultText({ offset: 0, limit: 200, rows: 1 })).toBe('1 result');
  expect(resultText({ offset: 0, limit: 200, rows: 12 })).toBe('12 results');
  expect(resultText({ offset: 0, limit: 200, rows: 200 })).toBe('The 200 best results');
  expect(resultText({ offset: 0, limit: 200, rows: 0 })).toBe('No results');
  expect(resultText({ offset: 0, limit: 200 })).toBe('');
});

test('each button has an offset or is disabled', () => {
  expect(pageMoves({ offset: 0, limit: 200, rows: 200, total: 450 })).toEqual({
    first: null,
    previous: null,
    next: 200,
    last: 400,
  });
  expect(pageMoves({ offset: 400, limit: 200, rows: 50, total: 450 })).toEqual({
    first: 0,
    previous: 200,
    next: null,
    last: null,
  });
});

test('a last page that is exactly full has no next page', () => {
  expect(pageMoves({ offset: 200, limit: 200, rows: 200, total: 400 }).next).toBeNull();
});

test('the button Last goes to the last page that starts within the paging limit, and Next may go past the limit', () => {
  const place = { limit: 200, rows: 200, total: 10_050, depth: 10_000 };
  expect(pageMoves({ ...place, offset: 0 })).toMatchObject({ next: 200, last: 9800 });
  expect(pageMoves({ ...place, offset: 9800 })).toMatchObject({ next: 10_000, last: null });
  expect(pageMoves({ ...place, limit: 300, offset: 0 }).last).toBe(9900);
  expect(pageMoves({ ...place, offset: 0, total: 400 }).last).toBe(200);
});

test('without a total, a full page may have a next one and a short page has none', () => {
  expect(pageMoves({ offset: 0, limit: 100, rows: 100 })).toMatchObject({ next: 100, last: null });
  expect(pageMoves({ offset: 0, limit: 100, rows: 99 }).next).toBeNull();
});

test('after a change of the page size, the page still has the old first row', () => {
  expect(offsetForSize(600, 500)).toBe(500);
  expect(offsetForSize(600, 100)).toBe(600);
  expect(offsetForSize(0, 1000)).toBe(0);
});
