import type { SaveReport, SaveRequest } from '@trestle/driver-kit';
import { describe, expect, test } from 'vitest';
import { openScriptLink, type ScriptLink } from './testing/script-link.ts';

/**
 * The script driver usually reports a row twice: when it sends the row, and when it has the outcome. The name of the
 * table selects the behaviour of the driver.
 */
const request = (table: string, rows = 3, rowTimeoutMs = 30_000): SaveRequest => ({
  table,
  rowTimeoutMs,
  changes: Array.from({ length: rows }, (_, row) => ({ kind: 'insert', id: `${row}`, values: {} })),
});

describe.each(['parallel', 'serial'] as const)('a %s driver', (concurrency) => {
  test('reports each row when it is sent and when it is applied', async () => {
    const link = await openScriptLink({ concurrency });
    const { seen, error } = await follow(link, request('planets'));
    expect(seen).toEqual(['sent 0', 'applied 0', 'sent 1', 'applied 1', 'sent 2', 'applied 2']);
    expect(error).toBeUndefined();
  });

  test('sends no more rows after a cancel, and still reports the rows that it sent', async () => {
    const link = await openScriptLink({ concurrency });
    const controller = new AbortController();
    const { seen, error } = await follow(link, request('planets', 100), controller.signal, (report) => {
      if (report.outcomes[0]?.id === '1') controller.abort();
    });
    expect(seen).toEqual(['sent 0', 'applied 0', 'sent 1', 'applied 1']);
    expect(error).toMatchObject({ code: 'cancelled' });
    expect(await link.run('return memory.calls')).toBe(1);
  });

  test('still reports the outcome of a row that was running at the cancel', async () => {
    const link = await openScriptLink({ concurrency });
    const controller = new AbortController();
    const { seen, error } = await follow(link, request('slow', 100), controller.signal, (report) => {
      if (report.sent[0] === '1') setTimeout(() => controller.abort(), 20);
    });
    expect(seen).toEqual(['sent 0', 'applied 0', 'sent 1', 'applied 1']);
    expect(error).toMatchObject({ code: 'cancelled' });
  });

  test('is stopped if it does not end the save after a cancel', async () => {
    const link = await openScriptLink({ concurrency, timing: { graceMs: 100 } });
    const controller = new AbortController();
    const { seen, error } = await follow(link, request('stuck', 3, 100), controller.signal, (report) => {
      if (report.sent[0] === '1') controller.abort();
    });
    expect(seen).toEqual(['sent 0', 'applied 0', 'sent 1']);
    const code = concurrency === 'serial' ? 'cancelled' : 'driver_crashed';
    expect(error).toMatchObject({ code });
    expect(await link.run('return memory.calls')).toBe(1);
  });

  test('fails the save if its process dies, and gets a new process at the next call', async () => {
    const link = await openScriptLink({ concurrency });
    const { seen, error } = await follow(link, request('stuck'), undefined, (report) => {
      if (report.sent[0] === '1') process.kill(link.pid!, 'SIGKILL');
    });
    expect(seen).toEqual(['sent 0', 'applied 0', 'sent 1']);
    expect(error).toMatchObject({ code: 'driver_crashed' });
    expect(await link.run('return memory.calls')).toBe(1);
  });
});

test('serial: other calls wait for the end of a save, and a row past its deadline ends the save', async () => {
  const link = await openScriptLink({ concurrency: 'serial' });
  const order: string[] = [];
  const saving = follow(link, request('stuck', 3, 200)).then(({ error }) => {
    order.push('save');
    return error;
  });
  const calling = link.run('return memory.calls').then(() => order.push('call'));
  expect(await saving).toMatchObject({ code: 'timeout' });
  await calling;
  expect(order).toEqual(['save', 'call']);
});

async function follow(
  link: ScriptLink,
  request: SaveRequest,
  signal: AbortSignal = new AbortController().signal,
  onReport: (report: SaveReport) => void = () => {},
) {
  const seen: string[] = [];
  try {
    for await (const report of link.session.applyChanges!(request, { signal })) {
      seen.push(...report.sent.map((id) => `sent ${id}`));
      seen.push(...report.outcomes.map(({ id, status }) => `${status} ${id}`));
      onReport(report);
    }
  } catch (error) {
    return { seen, error };
  }
  return { seen };
}
