import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDriverLink } from './link.ts';
import { openScriptLink } from './testing/script-link.ts';
import { scriptLinkOptions } from './testing/script-options.ts';
import { copyDriver, temporaryDirectory } from './testing/temporary.ts';

const waits = 'await new Promise(() => {})';
const hint = 'The next request starts it again. Its last output is in the log.';

test('kill -9 during a call: a clear error, and the next call opens a new process', async () => {
  for (const concurrency of ['parallel', 'serial'] as const) {
    const link = await openScriptLink({ concurrency, fields: { apiKey: 'kept' } });
    const { pid } = link;
    const running = link.run(waits);
    const message = 'The Script driver stopped unexpectedly (signal SIGKILL).';
    process.kill(pid!, 'SIGKILL');
    await expect(running).rejects.toMatchObject({ code: 'driver_crashed', message, hint });
    expect(link.pid).toBeUndefined();
    expect(await link.run('return [memory.calls, fields.apiKey]')).toEqual([1, 'kept']);
    expect(link.pid).not.toBe(pid);
    expect(link.exits).toEqual([{ expected: false, message }]);
  }
});

test('every running call of a process that exits fails with its exit code', async () => {
  const link = await openScriptLink();
  const running = [link.run(waits), link.run(waits), link.run('process.exit(7)')];
  const outcomes = await Promise.allSettled(running);
  const message = 'The Script driver stopped unexpectedly (exit code 7).';
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toMatchObject(
    Array.from({ length: 3 }, () => ({ code: 'driver_crashed', message })),
  );
});

test('an uncaught exception ends the process, and the log has its message', async () => {
  const link = await openScriptLink();
  await expect(
    link.run(`setTimeout(() => { throw new Error('out of order') }); ${waits}`),
  ).rejects.toMatchObject({
    message: 'The Script driver stopped unexpectedly (exit code 1).',
  });
  expect(link.log).toContainEqual({ level: 'warn', message: 'Error: out of order' });
});

test('a driver that runs out of memory ends only its own process', async () => {
  const link = await openScriptLink();
  await expect(
    link.run('const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()))'),
  ).rejects.toMatchObject({
    code: 'driver_crashed',
    message: 'The Script driver stopped unexpectedly (out of memory).',
  });
  expect(await link.run('return 1')).toBe(1);
});

test('a process that has died is replaced on the next call, not before', async () => {
  const link = await openScriptLink({ fields: { connect: 'log({ level: "info", message: "connecting" })' } });
  await expect(link.run('process.exit(3)')).rejects.toMatchObject({ code: 'driver_crashed' });
  await delay(200);
  expect(link.log.filter((entry) => entry.message === 'connecting')).toHaveLength(1);
  expect(await Promise.all([link.run('return 1'), link.run('return 2')])).toEqual([1, 2]);
  expect(link.log.filter((entry) => entry.message === 'connecting')).toHaveLength(2);
});

test('a driver that crashes whenever it connects fails each call, and is started only once per call', async () => {
  const driverDirectory = await copyDriver(join(await temporaryDirectory(), 'driver'));
  const connect = `
    log({ level: 'info', message: 'connecting' });
    if (process.getBuiltinModule('fs').existsSync('broken')) process.exit(9);`;
  const link = await openScriptLink({ driverDirectory, fields: { connect } });
  await writeFile(join(driverDirectory, 'broken'), '');
  process.kill(link.pid!, 'SIGKILL');
  await expect.poll(() => link.pid, { timeout: 10_000 }).toBeUndefined();
  for (let round = 0; round < 3; round++) {
    await expect(link.run('return 1')).rejects.toMatchObject({
      code: 'driver_crashed',
      message: 'The Script driver stopped unexpectedly (exit code 9).',
    });
  }
  await delay(200);
  expect(link.log.filter((entry) => entry.message === 'connecting')).toHaveLength(4);
  await rm(join(driverDirectory, 'broken'));
  expect(await link.run('return 1')).toBe(1);
});

test('if a driver fails while it connects, or cannot start, the link rejects with the reason', async () => {
  const refuse = `throw Object.assign(new Error('Authentication failed: wrong key ' + fields.apiKey), {
    name: 'DriverError', code: 'authentication_failed', hint: 'Enter the key again.' })`;
  await expect(
    openScriptLink({ fields: { apiKey: 'trestle-secret', connect: refuse } }),
  ).rejects.toMatchObject({
    code: 'authentication_failed',
    message: 'Authentication failed: wrong key •••',
    hint: 'Enter the key again.',
  });
  await expect(openScriptLink({ fields: { connect: 'process.exit(5)' } })).rejects.toMatchObject({
    code: 'driver_crashed',
    message: 'The Script driver stopped unexpectedly (exit code 5).',
  });
  await expect(openScriptLink({ driverDirectory: '/nowhere' })).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringMatching(/^The Script driver could not be started: ENOENT/),
    hint: 'Restart Trestle. If that does not help, install the driver again.',
  });
  await expect(openScriptLink({ driverDirectory: '/nowhere', bundled: true })).rejects.toMatchObject({
    hint: 'Restart Trestle. If that does not help, install Trestle again.',
  });
});

test('connecting can be cancelled and has a deadline, even if the driver spins', async () => {
  await expect(openScriptLink({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  await expect(
    openScriptLink({ fields: { connect: 'for (;;);' }, signal: AbortSignal.timeout(200) }),
  ).rejects.toMatchObject({
    code: 'cancelled',
  });
  await expect(
    openScriptLink({ fields: { connect: 'for (;;);' }, connectTimeoutMs: 500 }),
  ).rejects.toMatchObject({
    code: 'timeout',
    message: 'The Script driver did not finish within 0.5 seconds.',
    hint: expect.stringContaining('that the database runs'),
  });
});

test('a connect that runs into its deadline leaves no process', async () => {
  const printed: string[] = [];
  const connect = 'console.log(process.pid); await new Promise(() => setInterval(() => {}, 1000));';
  const options = scriptLinkOptions({ fields: { connect } }, { log: ({ message }) => printed.push(message) });
  const opening = openDriverLink(options, { signal: new AbortController().signal, timeoutMs: 2_000 });
  await expect(opening).rejects.toMatchObject({ code: 'timeout' });
  expect(printed).toEqual([expect.stringMatching(/^\d+$/)]);
  expect(() => process.kill(Number(printed[0]), 0)).toThrow('ESRCH');
});

test('close lets the driver close its session, kills a driver that does not, and can be repeated', async () => {
  const closing = await openScriptLink({ fields: { close: 'log({ level: "info", message: "closing" })' } });
  const { pid } = closing;
  await Promise.all([closing.close(), closing.close(), closing.session.close()]);
  expect(closing.log).toEqual([{ level: 'info', message: 'closing' }]);
  expect(closing.exits).toEqual([{ expected: true, message: 'The connection is closed.' }]);
  expect(() => process.kill(pid!, 0)).toThrow('ESRCH');

  const refusing = await openScriptLink({ fields: { close: waits }, timing: { closeMs: 100 } });
  const running = refusing.run(waits);
  running.catch(() => {});
  const { pid: stubborn } = refusing;
  await refusing.close();
  await expect(running).rejects.toMatchObject({
    code: 'connection_failed',
    message: 'The connection is closed.',
  });
  expect(() => process.kill(stubborn!, 0)).toThrow('ESRCH');
  await expect(refusing.run('return 1')).rejects.toMatchObject({ code: 'connection_failed' });
});

test('close ends a serial driver in the middle of a call, and the waiting calls fail too', async () => {
  const link = await openScriptLink({ concurrency: 'serial' });
  const calls = [link.run('for (;;);'), link.run('return 1')];
  const outcomes = Promise.allSettled(calls);
  await link.close();
  expect((await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual([
    'connection_failed',
    'connection_failed',
  ]);
});
