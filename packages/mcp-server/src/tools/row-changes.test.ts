import type { Core } from '@trestle/core';
import type { ChangeOutcome } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { applyRowChanges } from './row-changes.ts';
import type { ToolCall } from './tool.ts';

test('a row that is stored with a warning counts as stored, and the client reads the warning', async () => {
  const outcomes: ChangeOutcome[] = [
    { id: '0', status: 'applied', key: { id: 7 } },
    { id: '1', status: 'applied', key: { id: 8 }, warning: 'Stored, but not indexed' },
  ];
  const connection = { id: 'c', name: 'Shop' };
  const column = { name: 'title', type: 'text', nativeType: 'text', nullable: true, inKey: false };
  const core = {
    connections: { get: () => connection, visibleTo: () => [connection] },
    data: {
      describe: async () => ({ name: 't', key: ['id'], columns: [column] }),
      async *applyChanges() {
        yield { sent: ['0', '1'], outcomes };
      },
    },
  } as unknown as Core;
  const { signal } = new AbortController();
  const caller = { kind: 'person' } as const;
  const call = {
    ...{ core, caller, signal, report: () => {}, exportsFolder: '', openTable: undefined },
    accessTo: (connectionId: string) => ({ caller, connectionId, signal }),
  } as unknown as ToolCall;
  const { text } = await applyRowChanges(
    call,
    { connection_id: 'c', table: 't' },
    { insert: [{ title: 'a' }, { title: 'b' }] },
  );
  expect(text).toMatch(/^2 inserted\./);
  expect(text).toContain('row 1 warning: Stored, but not indexed');
  expect(text).toContain('row 0: id 7');
});
