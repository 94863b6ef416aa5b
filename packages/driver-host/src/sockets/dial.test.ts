import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { dial } from './dial.ts';

test('a lookup that takes too long is not reported as a server that does not answer', async () => {
  // Lookups run on the same few threads as this work, so the lookup waits.
  const busy = Array.from({ length: 16 }, () => promisify(pbkdf2)('word', 'salt', 20_000, 32, 'sha512'));
  const events: unknown[] = [];
  const dialled = dial(
    { host: 'localhost', port: 1 },
    { signal: new AbortController().signal, timeoutMs: 1, onEvent: (event) => events.push(event) },
  );
  const message = 'Connection failed: the host of localhost:1 could not be looked up in time';
  await expect(dialled).rejects.toMatchObject({
    code: 'connection_failed',
    message,
    hint: 'Check the network.',
  });
  expect(events).toEqual([
    { stage: 'resolve', state: 'begun' },
    { stage: 'resolve', state: 'failed', reason: 'timed_out', message },
  ]);
  await Promise.all(busy);
});
