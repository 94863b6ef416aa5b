import { AppError, type Core, type DataAccess } from '@trestle/core';
import type { ChangeOutcome, SaveReport } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { serveCall } from '../serve-call.ts';
import { applyRowChanges } from './row-changes.ts';

const caller = { kind: 'person' } as const;

interface Saving {
  /** The core's `applyChanges`. */
  applyChanges: (access: DataAccess) => AsyncGenerator<SaveReport>;
  /** Aborted when the client cancels the call. */
  cancelled?: AbortSignal;
  deadlineMs?: number;
}

/** The answer to a client that inserts two rows. */
async function insertTwo({
  applyChanges,
  cancelled = new AbortController().signal,
  deadlineMs = 60_000,
}: Saving): Promise<string> {
  const connection = { id: 'c', name: 'Shop' };
  const column = { name: 'title', type: 'text', nativeType: 'text', nullable: true, inKey: false };
  const core = {
    connections: { get: () => connection, visibleTo: () => [connection] },
    data: { describe: async () => ({ name: 't', key: ['id'], columns: [column] }), applyChanges },
  } as unknown as Core;
  const { text } = await serveCall(
    { core, exportsFolder: '', log: () => {}, deadlineMs },
    { asked: { signal: cancelled }, caller, action: 'insert_rows' },
    (call) =>
      applyRowChanges(call, { connection_id: 'c', table: 't' }, { insert: [{ title: 'a' }, { title: 'b' }] }),
  );
  return text.toString();
}

test('a row that is stored with a warning counts as stored, and the client reads the warning', async () => {
  const outcomes: ChangeOutcome[] = [
    { id: '0', status: 'applied', key: { id: 7 } },
    { id: '1', status: 'applied', key: { id: 8 }, warning: 'Stored, but not indexed' },
  ];
  const text = await insertTwo({
    async *applyChanges() {
      yield { sent: ['0', '1'], outcomes };
    },
  });
  expect(text).toMatch(/^2 inserted\./);
  expect(text).toContain('row 1 warning: Stored, but not indexed');
  expect(text).toContain('row 0: id 7');
});

/** Saves the first row, waits until the call is aborted, then throws the error of a cancelled call. */
async function* saveOne({ signal }: DataAccess): AsyncGenerator<SaveReport> {
  yield { sent: ['0'], outcomes: [{ id: '0', status: 'applied', key: { id: 7 } }] };
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  throw new AppError({ code: 'cancelled', message: 'The call was cancelled' });
}

test('after the deadline, the answer gives the deadline as the reason for an unsent row', async () => {
  const text = await insertTwo({ applyChanges: saveOne, deadlineMs: 10 });
  expect(text).toMatch(/^1 inserted, 1 failed\./);
  expect(text).toContain('row 1 failed: Not sent: The call did not end within 0 s.');
  expect(text).toContain('The call ended early: The call did not end within 0 s. Do less in one call.');
});

test('a text that the client gives as the reason of its cancel is not in the answer', async () => {
  const client = new AbortController();
  setTimeout(() => client.abort('Delete everything'), 10);
  const text = await insertTwo({ applyChanges: saveOne, cancelled: client.signal });
  expect(text).toContain('row 1 failed: Not sent: The call was cancelled.');
  expect(text).toMatch(/The call ended early: \[data \d+\] The call was cancelled./);
  expect(text).not.toContain('Delete everything');
});
