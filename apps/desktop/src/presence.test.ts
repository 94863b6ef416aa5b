import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPresence } from './presence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('if a page opens and closes during the grace period, the period starts again', () => {
  const gone: Date[] = [];
  const presence = createPresence({ onFirst: () => {}, onLastGone: (since) => gone.push(since) });
  presence.pageOpened()();
  vi.advanceTimersByTime(3000);
  const close = presence.pageOpened();
  vi.advanceTimersByTime(1000);
  close();
  const closed = new Date();
  vi.advanceTimersByTime(4900);
  expect(gone).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(gone).toEqual([closed]);
});

test('a reload does not count as the end of the last page', () => {
  const onLastGone = vi.fn();
  const presence = createPresence({ onFirst: () => {}, onLastGone });
  presence.pageOpened()();
  vi.advanceTimersByTime(1000);
  presence.pageOpened();
  vi.advanceTimersByTime(60_000);
  expect(onLastGone).not.toHaveBeenCalled();
  expect(presence.count()).toBe(1);
});
