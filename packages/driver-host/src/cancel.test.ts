import { expect, test } from 'vitest';
import { openScriptLink } from './testing/script-link.ts';

const abortable = `
  memory.started = true;
  await new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => { memory.aborted = true; reject(new Error('aborted')); });
  });`;
const ignoresCancel = 'await new Promise(() => {})';
const spins = 'for (;;);';

test('a cancel rejects the call and aborts its signal in the driver, which survives', async () => {
  const link = await openScriptLink();
  const { pid } = link;
  const controller = new AbortController();
  const running = link.run(abortable, { signal: controller.signal });
  expect(await link.run('return memory.started')).toBe(true);
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: 'cancelled', message: 'The request was cancelled.' });
  expect(await link.run('return memory.aborted')).toBe(true);
  expect(link.pid).toBe(pid);
  expect(link.exits).toEqual([]);
});

test('a call whose signal is already aborted does not start', async () => {
  for (const concurrency of ['parallel', 'serial'] as const) {
    const link = await openScriptLink({ concurrency });
    await expect(link.run('return 1', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(await link.run('return memory.calls')).toBe(1);
  }
});

test('a missed deadline gives an error that names the deadline in seconds, and cancels the call in the driver', async () => {
  const link = await openScriptLink();
  await expect(link.run(abortable, { timeoutMs: 50 })).rejects.toMatchObject({
    code: 'timeout',
    message: 'The Script driver did not finish within 0.05 seconds.',
  });
  expect(await link.run('return memory.aborted')).toBe(true);
});

test('a driver that ignores a cancel is stopped, its other calls fail, and the next call opens a new process', async () => {
  const link = await openScriptLink({ timing: { graceMs: 100 } });
  const { pid } = link;
  const bystander = link.run(ignoresCancel);
  bystander.catch(() => {});
  await expect(link.run(ignoresCancel, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' });
  await expect(bystander).rejects.toMatchObject({
    code: 'driver_crashed',
    message: 'The Script driver was stopped because it no longer responded.',
  });
  expect(link.pid).toBeUndefined();
  expect(await link.run('return memory.calls')).toBe(1);
  expect(link.pid).not.toBe(pid);
  expect(link.exits).toEqual([
    { expected: false, message: 'The Script driver was stopped because it no longer responded.' },
  ]);
});

test('a call that spins forever is rejected at its deadline, and its process is stopped', async () => {
  const link = await openScriptLink({ timing: { graceMs: 100 } });
  await expect(link.run(spins, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'timeout' });
  await expect.poll(() => link.pid, { timeout: 10_000 }).toBeUndefined();
  expect(await link.run('return memory.calls')).toBe(1);
});

test('a driver that spins in a call without a deadline is stopped by the heartbeat', async () => {
  const link = await openScriptLink({ timing: { heartbeatMs: 500, missedHeartbeats: 3 } });
  await expect(link.run(spins)).rejects.toMatchObject({
    code: 'driver_crashed',
    message: 'The Script driver was stopped because it no longer responded.',
  });
});

test('serial: calls run one at a time, in order', async () => {
  const link = await openScriptLink({ concurrency: 'serial' });
  const text = `
    const before = memory.inside ?? 0;
    memory.inside = before + 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
    memory.inside--;
    return [before, memory.calls];`;
  const answers = await Promise.all(Array.from({ length: 5 }, () => link.run(text)));
  expect(answers).toEqual([1, 2, 3, 4, 5].map((turn) => [0, turn]));
});

test('serial: cancelling the running call ends the process, and waiting calls continue in a new one', async () => {
  const link = await openScriptLink({ concurrency: 'serial', fields: { apiKey: 'kept' } });
  const { pid } = link;
  const controller = new AbortController();
  const running = link.run(`log({ level: 'info', message: 'begun' }); ${spins}`, {
    signal: controller.signal,
  });
  const waiting = [link.run('return fields.apiKey'), link.run('return memory.calls')];
  await expect.poll(() => link.log, { timeout: 10_000 }).toEqual([{ level: 'info', message: 'begun' }]);
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  expect(await Promise.all(waiting)).toEqual(['kept', 2]);
  expect(link.pid).not.toBe(pid);
  expect(link.exits).toEqual([{ expected: true, message: 'The request was cancelled.' }]);
});

test('serial: a deadline ends the process; time spent waiting for a turn does not count', async () => {
  const link = await openScriptLink({ concurrency: 'serial' });
  const spinning = link.run(spins, { timeoutMs: 2100 });
  const waiting = link.run('return memory.calls', { timeoutMs: 2000 });
  await expect(spinning).rejects.toMatchObject({
    code: 'timeout',
    message: 'The Script driver did not finish within 2.1 seconds.',
  });
  expect(await waiting).toBe(1);
});

test('serial: cancelling a call that waits removes it and nothing else', async () => {
  const link = await openScriptLink({ concurrency: 'serial' });
  const { pid } = link;
  const controller = new AbortController();
  const running = link.run('await new Promise((resolve) => setTimeout(resolve, 50)); return "done"');
  const removed = link.run('memory.ran = true', { signal: controller.signal });
  const last = link.run('return [memory.calls, memory.ran ?? false]');
  controller.abort();
  await expect(removed).rejects.toMatchObject({ code: 'cancelled' });
  expect(await running).toBe('done');
  expect(await last).toEqual([2, false]);
  expect(link.pid).toBe(pid);
});
