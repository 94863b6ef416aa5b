import { pino } from 'pino';
import { expect, test } from 'vitest';
import { closeWithin, createCloser } from './closer.ts';

const log = pino({ level: 'silent' });

test('closes in the opposite order, once, and goes on past a failure', async () => {
  const closer = createCloser();
  const closed: string[] = [];
  closer.add('first', () => void closed.push('first'));
  closer.add('broken', () => Promise.reject(new Error('stuck')));
  closer.add('last', async () => void closed.push('last'));
  expect(await Promise.all([closer.close(log), closer.close(log)])).toEqual([false, false]);
  expect(closed).toEqual(['last', 'first']);
});

test('a part that hangs does not keep the app from ending', async () => {
  const closer = createCloser();
  closer.add('hanging', () => new Promise(() => {}));
  const waiting = setTimeout(() => {}, 60_000);
  expect(await closeWithin(closer, 5, log)).toBe(false);
  clearTimeout(waiting);
});
