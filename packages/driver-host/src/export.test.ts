import type { ExportRequest, RowSet } from '@trestle/driver-kit';
import { describe, expect, test } from 'vitest';
import type { LinkCall } from './index.ts';
import { openScriptLink, type ScriptLink } from './testing/script-link.ts';

const call = (): LinkCall => ({ signal: new AbortController().signal });
const request = (table: string): ExportRequest => ({ table, filters: [], match: 'all', sort: [] });

describe.each(['parallel', 'serial'] as const)('a %s driver', (concurrency) => {
  test('streams every batch in order', async () => {
    const link = await openScriptLink({ concurrency });
    expect(await batches(link, request('planets'), call())).toEqual([0, 1, 2]);
  });

  test('shortens vectors in its process if the request says so', async () => {
    const link = await openScriptLink({ concurrency });
    const asked = { ...request('long vectors'), shortVectors: { dimensions: 16, unit: false } };
    const [rows] = await Array.fromAsync(link.session.exportRows!(asked, call()));
    expect(firstCell(rows!)).toBe(JSON.stringify({ filters: [], match: 'all', sort: [] }));
    expect(rows!.values[1]).toMatchObject({ kind: 'vectors', dimensions: 16 });
    const [whole] = await Array.fromAsync(link.session.exportRows!(request('long vectors'), call()));
    expect(whole!.values[1]).toMatchObject({ kind: 'vectors', dimensions: 1000 });
  });

  test('gives batches in order and, if it is parallel, makes none before the reader asks', async () => {
    const link = await openScriptLink({ concurrency });
    const ahead: number[] = [];
    const produced = concurrency === 'parallel' ? () => link.run('return memory.produced') : undefined;
    let read = 0;
    for await (const rows of link.session.exportRows!(request('endless'), call())) {
      expect(firstCell(rows)).toBe(read++);
      if (produced) ahead.push(Number(await produced()) - read);
      if (read === 20) break;
    }
    expect(Math.max(0, ...ahead)).toBe(0);
    if (produced) expect(await link.run('return [memory.produced, memory.returned]')).toEqual([20, true]);
  });

  test('ends a stream whose batch cannot be sent', async () => {
    const link = await openScriptLink({ concurrency });
    await expect(batches(link, request('unsendable'), call())).rejects.toMatchObject({ code: 'internal' });
    // A serial driver's stream has its own process, which has exited.
    if (concurrency === 'parallel')
      expect(await link.run('return [memory.aborted, memory.returned]')).toEqual([true, true]);
  });

  test('passes on an error in the middle of a stream', async () => {
    const link = await openScriptLink({ concurrency });
    await expect(batches(link, request('broken'), call())).rejects.toMatchObject({
      message: 'The cursor is gone',
    });
    expect(await link.run('return 1')).toBe(1);
  });

  test('fails the stream if a batch does not arrive within the deadline', async () => {
    const link = await openScriptLink({ concurrency, timing: { graceMs: 100 } });
    await expect(batches(link, request('spinning'), { ...call(), timeoutMs: 200 })).rejects.toMatchObject({
      code: 'timeout',
    });
    expect(await link.run('return 1')).toBe(1);
  });

  test('fails the stream with cancelled if the reader cancels while it waits for a batch', async () => {
    const link = await openScriptLink({ concurrency, timing: { graceMs: 100 } });
    const controller = new AbortController();
    const stream = link.session.exportRows!(request('stuck'), { signal: controller.signal })[
      Symbol.asyncIterator
    ]();
    expect((await stream.next()).done).toBe(false);
    const waiting = stream.next();
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test('fails a running stream and a new one with connection_failed after the link is closed', async () => {
    const link = await openScriptLink({ concurrency });
    const stream = link.session.exportRows!(request('endless'), call())[Symbol.asyncIterator]();
    await stream.next();
    await link.close();
    await expect(stream.next()).rejects.toMatchObject({ code: 'connection_failed' });
    await expect(batches(link, request('planets'), call())).rejects.toMatchObject({
      code: 'connection_failed',
    });
  });
});

test('a cancel between two batches reaches the driver while the reader is busy', async () => {
  const link = await openScriptLink();
  const controller = new AbortController();
  const stream = link.session.exportRows!(request('endless'), { signal: controller.signal })[
    Symbol.asyncIterator
  ]();
  await stream.next();
  controller.abort();
  expect(await link.run('return [memory.aborted, memory.returned]')).toEqual([true, true]);
  await expect(stream.next()).rejects.toMatchObject({ code: 'cancelled' });
});

test('if the process dies during a stream, the stream fails with the reason', async () => {
  const link = await openScriptLink();
  const stream = link.session.exportRows!(request('stuck'), call())[Symbol.asyncIterator]();
  await stream.next();
  const waiting = stream.next();
  process.kill(link.pid!, 'SIGKILL');
  await expect(waiting).rejects.toMatchObject({
    code: 'driver_crashed',
    message: 'The Script driver stopped unexpectedly (signal SIGKILL).',
  });
});

test('serial: an export has its own process, so it does not block a call, and continues when a call times out', async () => {
  const link = await openScriptLink({ concurrency: 'serial' });
  const stream = link.session.exportRows!(request('endless'), call())[Symbol.asyncIterator]();
  await stream.next();
  expect(await link.run('return memory.produced')).toBe(0);
  await expect(link.run('for (;;);', { timeoutMs: 100 })).rejects.toMatchObject({ code: 'timeout' });
  expect(firstCell((await stream.next()).value)).toBe(1);
  await stream.return?.();
  const message = 'The request was cancelled.';
  await expect.poll(() => link.exits, { timeout: 10_000 }).toEqual([{ expected: true, message }]);
});

async function batches(link: ScriptLink, request: ExportRequest, call: LinkCall): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const rows of link.session.exportRows!(request, call)) read.push(firstCell(rows));
  return read;
}

function firstCell(rows: RowSet): unknown {
  const values = rows.values[0];
  return values?.kind === 'cells' ? values.cells[0] : undefined;
}
