import { expect, test } from 'vitest';
import { interrupted } from './ask-core.ts';

test('`release` removes the listener for Ctrl-C', () => {
  const before = process.listenerCount('SIGINT');
  const { signal, release } = interrupted();
  process.emit('SIGINT', 'SIGINT');
  expect(signal.aborted).toBe(true);
  const next = interrupted();
  release();
  next.release();
  expect(process.listenerCount('SIGINT')).toBe(before);
});
