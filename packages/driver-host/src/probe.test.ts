import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriverLogEntry } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { probeDriver } from './index.ts';
import { scriptLinkOptions } from './testing/script-options.ts';
import { temporaryDirectory } from './testing/temporary.ts';

const good = 'export const driver = { async connect() { throw new Error("not asked to") } };';

/** Probes a folder whose entry file contains `source`. With null, the folder has no entry file. */
async function probe(source: string | null, call: { signal?: AbortSignal; timeoutMs?: number } = {}) {
  const driverDirectory = await temporaryDirectory();
  if (source !== null) await writeFile(join(driverDirectory, 'driver.js'), source);
  const log: DriverLogEntry[] = [];
  const options = scriptLinkOptions({ driverDirectory }, { log: (entry) => log.push(entry) });
  await probeDriver(options, { signal: new AbortController().signal, timeoutMs: 20_000, ...call });
  return log;
}

test('a driver is imported and not connected, and its output is logged', async () => {
  expect(await probe(`console.log(process.pid); ${good}`)).toEqual([
    { level: 'info', message: expect.stringMatching(/^\d+$/) },
  ]);
});

test('a probe leaves no process', async () => {
  const [entry] = await probe(`console.log(process.pid); setInterval(() => {}, 1000); ${good}`);
  expect(() => process.kill(Number(entry?.message), 0)).toThrow('ESRCH');
});

test.each([
  ['no entry file', null, 'internal', /Cannot find module/],
  ['no export named driver', 'export const other = 1;', 'unsupported', /no export named driver/],
  ['a driver without connect', 'export const driver = {};', 'unsupported', /no export named driver/],
  ['a syntax error', 'export const = 1;', 'internal', /Unexpected token/],
  ['an exception while it loads', 'throw new Error("on purpose")', 'internal', /^on purpose$/],
  ['an exit while it loads', 'process.exit(0)', 'driver_crashed', /exit code 0/],
  [
    'a read outside its folder',
    'process.getBuiltinModule("fs").readFileSync("/etc/hosts")',
    'internal',
    /restricted/,
  ],
])('the probe rejects: %s', async (_name, source, code, message) => {
  await expect(probe(source)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

test('a driver that spins or never finishes loading runs into the deadline, and a cancel ends the probe', async () => {
  for (const source of ['for (;;);', 'await new Promise(() => setInterval(() => {}, 1000));']) {
    await expect(probe(source, { timeoutMs: 500 })).rejects.toMatchObject({ code: 'timeout' });
    const signal = AbortSignal.timeout(200);
    await expect(probe(source, { signal })).rejects.toMatchObject({ code: 'cancelled' });
  }
  await expect(probe(good, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
});
