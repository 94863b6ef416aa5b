import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createCloser } from './closer.ts';

const log = pino({ level: 'silent' });
const long = 60_000;

test('closes each part once, the last opened first, and continues after a failure', async () => {
  const closer = createCloser();
  const closed: string[] = [];
  closer.add('first', () => void closed.push('first'));
  closer.add('broken', () => Promise.reject(new Error('stuck')));
  closer.add('last', async () => void closed.push('last'));
  expect(await Promise.all([closer.close(log, long), closer.close(log, long)])).toEqual([false, false]);
  expect(closed).toEqual(['last', 'first']);
});

test('a part that hangs does not keep other parts from closing', async () => {
  const closer = createCloser();
  const closed: string[] = [];
  closer.add('first', () => void closed.push('first'));
  closer.add('hanging too', () => new Promise(() => {}));
  closer.add('hanging', () => new Promise(() => {}));
  expect(await closer.close(log, 5)).toBe(false);
  expect(closed).toEqual(['first']);
});

test('a part that is opened after closing has begun is closed at once, and its opener gets an error', async () => {
  const closer = createCloser();
  await closer.close(log, long);
  let closed = false;
  const late = () => {
    closed = true;
  };
  expect(() => closer.add('late', late)).toThrow(expect.objectContaining({ code: 'cancelled' }));
  expect(closed).toBe(true);
});

test('after a part used up the time, a part that closes at once is not reported as late', async () => {
  const lines: string[] = [];
  const closer = createCloser();
  closer.add('first', () => {});
  closer.add('second', async () => {});
  closer.add('hanging', () => new Promise(() => {}));
  await closer.close(pino({ base: null }, { write: (line: string) => void lines.push(line) }), 5);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['hanging did not close in time']);
});
