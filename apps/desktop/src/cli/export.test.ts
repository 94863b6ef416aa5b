import { expect, onTestFinished, test, vi } from 'vitest';
import { keptOpen } from './export.ts';
import type { Ask } from './with-core.ts';

test('a slow write asks the app every 20 seconds to keep the export open, until the write ends', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const asked: unknown[] = [];
  const ask = (async (...call: unknown[]) => asked.push(call)) as unknown as Ask;
  const written = Promise.withResolvers<void>();
  const writing = keptOpen(ask, 'e1', written.promise);
  vi.advanceTimersByTime(59_000);
  expect(asked).toEqual([
    ['exports.keepOpen', 'e1'],
    ['exports.keepOpen', 'e1'],
  ]);
  written.resolve();
  await writing;
  vi.advanceTimersByTime(59_000);
  expect(asked).toHaveLength(2);
});
