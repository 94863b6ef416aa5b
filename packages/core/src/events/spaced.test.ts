import { expect, onTestFinished, test, vi } from 'vitest';
import { spaced } from './spaced.ts';

test('the first change is reported immediately, and later changes of the interval together', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const report = vi.fn();
  const change = spaced(report, 1000);
  for (let batch = 0; batch < 5; batch++) change();
  expect(report).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1000);
  expect(report).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  expect(report).toHaveBeenCalledTimes(2);
  change();
  expect(report).toHaveBeenCalledTimes(3);
});
