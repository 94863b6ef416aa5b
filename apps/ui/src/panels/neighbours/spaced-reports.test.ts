import { expect, test, vi } from 'vitest';
import { spacedReports } from './spaced-reports.ts';

test('the latest report is forwarded after the interval or by a flush, and none after a stop', () => {
  vi.useFakeTimers();
  try {
    const passed: number[] = [];
    const reports = spacedReports<number>(100, (report) => passed.push(report));
    for (const report of [1, 2, 3]) reports.add(report);
    expect(passed).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(passed).toEqual([3]);
    reports.add(4);
    reports.flush();
    expect(passed).toEqual([3, 4]);
    reports.add(5);
    reports.stop();
    reports.add(6);
    vi.advanceTimersByTime(1000);
    expect(passed).toEqual([3, 4]);
  } finally {
    vi.useRealTimers();
  }
});
