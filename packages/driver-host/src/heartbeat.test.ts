import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Heartbeat } from './heartbeat.ts';
import { defaultTiming } from './timing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a busy driver gets a ping at each beat, and counts as hung after three pings without an answer', () => {
  const seen: string[] = [];
  const heartbeat = startHeartbeat(seen, () => true);
  vi.advanceTimersByTime(2 * defaultTiming.heartbeatMs);
  heartbeat.answered();
  vi.advanceTimersByTime(3 * defaultTiming.heartbeatMs);
  expect(seen).toEqual(['ping', 'ping', 'ping', 'ping', 'ping']);
  vi.advanceTimersByTime(defaultTiming.heartbeatMs);
  expect(seen.at(-1)).toBe('hung');
  heartbeat.stop();
});

test('an idle driver is left alone, and the count starts again with its next work', () => {
  const seen: string[] = [];
  let busy = true;
  const heartbeat = startHeartbeat(seen, () => busy);
  vi.advanceTimersByTime(3 * defaultTiming.heartbeatMs);
  busy = false;
  vi.advanceTimersByTime(10 * defaultTiming.heartbeatMs);
  busy = true;
  vi.advanceTimersByTime(3 * defaultTiming.heartbeatMs);
  expect(seen).toEqual(Array.from({ length: 6 }, () => 'ping'));
  heartbeat.stop();
});

function startHeartbeat(seen: string[], busy: () => boolean): Heartbeat {
  return new Heartbeat(defaultTiming, {
    busy,
    ping: () => seen.push('ping'),
    onHung: () => seen.push('hung'),
  });
}
