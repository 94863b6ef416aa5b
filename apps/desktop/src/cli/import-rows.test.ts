import { AppError, type ImportedRow } from '@trestle/core';
import { unpackWire } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { packRows } from './import-rows.ts';
import { AppGone } from './with-core.ts';

const rows = ['1', '2', '3', '4'].map((id) => ({ id, values: { text: 'x'.repeat(5 * 1024 * 1024) } }));

/** Sends the rows, which need two messages. The message with the number `fails` is rejected with `error`. */
async function sent(
  fails: number,
  error: Error = new AppError({ code: 'connection_failed', message: 'Gone' }),
) {
  let messages = 0;
  const { outcomes, stopped } = await packRows(rows, async (packed) => {
    if (++messages === fails) throw error;
    const batch = unpackWire(Buffer.from(packed, 'base64')) as ImportedRow[];
    return { outcomes: batch.map(({ id }) => ({ id, status: 'stored' as const })) };
  });
  return { outcomes: outcomes.map(({ id, status }) => [id, status]), stopped: stopped?.message };
}

test('if the second half of a large batch fails, the first keeps its outcomes; if the first fails, the second is not sent', async () => {
  const stored = [
    ['1', 'stored'],
    ['2', 'stored'],
  ];
  const [third, fourth] = ['3', '4'].map((id) => [id, 'stored']);
  expect(await sent(0)).toEqual({ outcomes: [...stored, third, fourth], stopped: undefined });
  const lost = (...ids: string[]) => ids.map((id) => [id, 'unknown']);
  expect(await sent(2)).toEqual({ outcomes: [...stored, ...lost('3', '4')], stopped: 'Gone' });
  expect(await sent(1)).toEqual({ outcomes: lost('1', '2'), stopped: 'Gone' });
  const gone = new AppGone({ code: 'internal', message: 'Trestle stopped meanwhile' });
  expect(await sent(2, gone)).toEqual({ outcomes: stored, stopped: 'Trestle stopped meanwhile' });
  await expect(sent(2, new TypeError('A fault'))).rejects.toThrow('A fault');
});
