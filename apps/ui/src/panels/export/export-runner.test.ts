import { expect, test } from 'vitest';
import type { ExportBody, ExportProgress } from './export-api.ts';
import { createExportRunner, type RunningExport } from './export-runner.ts';

const body = (connectionId: string) => ({ connectionId }) as ExportBody;
const count = () => Promise.resolve(3);

/** A runner whose exports end when the test says so. The export `held` waits at its start until it is cancelled. */
function runnerOf() {
  const shown: (RunningExport | null)[] = [];
  const begun: string[] = [];
  const asked: string[] = [];
  const cancelled: string[] = [];
  let answer: ExportProgress = { state: 'running', rows: 1 };
  const runner = createExportRunner(
    {
      async begin({ connectionId }, signal) {
        if (connectionId === 'held')
          await new Promise((_, reject) => signal.addEventListener('abort', reject));
        begun.push(connectionId);
        return { id: connectionId, file: `/${connectionId}` };
      },
      async progress(id) {
        asked.push(id);
        return answer;
      },
      async cancel(id) {
        cancelled.push(id);
      },
      download: () => {},
      pause: () => new Promise((resolve) => setTimeout(resolve)),
    },
    (current) => shown.push(current),
  );
  return {
    ...runner,
    begun,
    asked,
    cancelled,
    last: () => shown.at(-1),
    end(state: ExportProgress) {
      answer = state;
    },
  };
}

test('a second export is refused while the first runs, and the first keeps its progress', async () => {
  const runner = runnerOf();
  expect(runner.start(body('first'), count)).toBe(true);
  expect(runner.start(body('second'), count)).toBe(false);
  await expect.poll(() => runner.asked.length).toBeGreaterThan(1);
  expect(runner.start(body('second'), count)).toBe(false);
  expect(runner.begun).toEqual(['first']);
  expect(new Set(runner.asked)).toEqual(new Set(['first']));
  expect(runner.last()).toEqual({ state: 'running', rows: 1, total: 3 });
  runner.cancel();
  expect(runner.cancelled).toEqual(['first']);
  runner.end({ state: 'done', rows: 3 });
  await expect.poll(runner.last).toEqual({ state: 'done', rows: 3, total: 3 });
  expect(runner.start(body('second'), count)).toBe(true);
  await expect.poll(() => runner.begun).toEqual(['first', 'second']);
});

test('a failed export is shown with its reason, and can be tried again', async () => {
  const runner = runnerOf();
  runner.end({
    state: 'failed',
    rows: 2,
    error: { code: 'connection_failed', message: 'The server is gone' },
  });
  runner.start(body('first'), count);
  await expect
    .poll(runner.last)
    .toMatchObject({ state: 'failed', rows: 2, error: { message: 'The server is gone' } });
  runner.end({ state: 'done', rows: 3 });
  runner.tryAgain();
  await expect.poll(runner.last).toEqual({ state: 'done', rows: 3, total: 3 });
  expect(runner.begun).toEqual(['first', 'first']);
});

test('an export can be cancelled before the app has answered, and then another one can start', async () => {
  const runner = runnerOf();
  runner.start(body('held'), count);
  runner.cancel();
  await expect.poll(runner.last).toEqual({ state: 'cancelled', rows: 0, total: 3 });
  expect(runner.start(body('next'), count)).toBe(true);
});

test('a closed tab asks for no more progress', async () => {
  const runner = runnerOf();
  runner.start(body('first'), count);
  await expect.poll(() => runner.asked.length).toBeGreaterThan(0);
  runner.leave();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const asked = runner.asked.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(runner.asked).toHaveLength(asked);
});
