import { getEventListeners } from 'node:events';
import type { DriverError } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { redactReport } from './protocol.ts';
import { redactor } from './redact.ts';
import { openScriptLink } from './testing/script-link.ts';

const call = () => ({ signal: new AbortController().signal });

test('a session has the required methods and the optional methods of its driver', async () => {
  const link = await openScriptLink();
  expect(link.capabilities).toEqual(['applyChanges', 'exportRows']);
  expect(Object.keys(link.session).sort()).toEqual(
    [
      'server',
      'health',
      'listTables',
      'describeTable',
      'browse',
      'count',
      'classify',
      'measure',
      'run',
      'close',
      'exportRows',
      'applyChanges',
    ].sort(),
  );
  expect(link.session.server).toEqual({ product: 'Script', version: '1.0' });
  expect(await link.session.listTables(call())).toEqual([{ name: 'planets', kind: 'table' }]);
});

test('values cross the link unchanged, and a view of a large buffer is sent without the rest of the buffer', async () => {
  const link = await openScriptLink();
  const request = { table: 'planets', filters: [], match: 'all', sort: [], limit: 2, offset: 0 } as const;
  const { rows } = await link.session.browse({ ...request, filters: [], sort: [] }, call());
  expect(rows.values).toEqual([
    { kind: 'cells', cells: [9007199254740993n, new Uint8Array([1, 2, 3])] },
    {
      kind: 'vectors',
      dimensions: 2,
      floats: new Float32Array([0.5, 1.5, -2.5, 3.5]),
      present: new Uint8Array([1, 1]),
    },
  ]);
  const vectors = rows.values[1];
  if (vectors?.kind !== 'vectors') throw new Error('no vector column');
  expect(vectors.floats).toBeInstanceOf(Float32Array);
  // The driver's array is a view of four numbers in a buffer of sixteen million bytes. Only the four may be sent.
  expect(vectors.floats.buffer.byteLength).toBeLessThan(100_000);
});

test('an answer of more than 64 MB is refused inside the driver’s process, which survives', async () => {
  const link = await openScriptLink();
  await expect(link.run("return 'x'.repeat(70_000_000)")).rejects.toMatchObject({
    code: 'query_failed',
    message: 'The answer is larger than 64 MB',
  });
  await expect(link.run('return Array(9_000_000).fill(0)')).rejects.toMatchObject({ code: 'query_failed' });
  expect(await link.run("return 'still here'")).toBe('still here');
});

test('an error keeps its code, message and hint, and loses stack, cause and secrets', async () => {
  const link = await openScriptLink({ fields: { apiKey: 'trestle-secret' } });
  const error = await link.session.describeTable('moons', call()).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    name: 'DriverError',
    code: 'not_found',
    message: 'There is no table moons, said •••',
    hint: 'Pick another.',
  });
  expect(error).not.toHaveProperty('cause');
  expect((error as Error).stack).not.toContain('driver.js');
});

test('a secret at the place where a long error is cut is removed whole', async () => {
  const link = await openScriptLink({ fields: { apiKey: 'trestle-secret' } });
  const error = await link
    .run(`
      const message = 'y'.repeat(19_990) + fields.apiKey;
      throw Object.assign(new Error(message), {
        name: 'DriverError', code: 'query_failed', hint: 'y'.repeat(1_990) + fields.apiKey,
      });
    `)
    .catch((reason: DriverError) => reason);
  expect(error).toMatchObject({ message: `${'y'.repeat(19_990)}•••`, hint: `${'y'.repeat(1_990)}•••` });
  const message = `${'y'.repeat(19_990)}trestle-secret`;
  const conflict = { code: 'conflict', message } as const;
  const failed = { id: '0', status: 'failed', error: conflict, warning: message } as const;
  const report = redactReport({ sent: [], outcomes: [failed] }, redactor(['trestle-secret']));
  expect(JSON.stringify(report)).not.toContain('trestle');
});

test('an error of the driver that is no DriverError arrives with the code internal', async () => {
  const link = await openScriptLink();
  await expect(link.run('null.x')).rejects.toMatchObject({
    code: 'internal',
    message: "Cannot read properties of null (reading 'x')",
  });
  await expect(link.run('return () => {}')).rejects.toMatchObject({ code: 'internal' });
});

test('the driver’s logs and prints are forwarded, without its secrets and up to a limit', async () => {
  const link = await openScriptLink({ fields: { apiKey: 'trestle-secret' } });
  await link.run(`
    log({ level: 'info', message: 'connected with ' + fields.apiKey });
    console.log('Bearer ' + encodeURIComponent(fields.apiKey));
    console.error(fields.apiKey);
    log({ level: 'info', message: 'y'.repeat(1990) + fields.apiKey });
    console.error('y'.repeat(1990) + fields.apiKey);
    for (let line = 0; line < 1000; line++) console.log('x'.repeat(3000));
  `);
  await expect.poll(() => link.log.length, { timeout: 10_000 }).toBe(200);
  await link.close();
  expect(link.log.slice(0, 1)).toEqual([{ level: 'info', message: 'connected with •••' }]);
  expect(link.log).toContainEqual({ level: 'info', message: 'Bearer •••' });
  expect(link.log).toContainEqual({ level: 'warn', message: '•••' });
  // A secret at the place where a long line is cut is removed whole.
  expect(JSON.stringify(link.log)).not.toContain('trestle');
  expect(link.log.length).toBeLessThan(300);
  expect(link.log.at(-1)?.message).toMatch(
    /^The driver wrote more than 200 log entries in 10 seconds\. Left out: \d+$/,
  );
  expect(Math.max(...link.log.map((entry) => entry.message.length))).toBe(2000);
});

test('five thousand calls and an export on one signal leave no abort listener on that signal', async () => {
  for (const concurrency of ['parallel', 'serial'] as const) {
    const link = await openScriptLink({ concurrency });
    const { signal } = new AbortController();
    for (let round = 0; round < 50; round++) {
      await Promise.all(
        Array.from({ length: 100 }, () => link.session.count({} as never, { signal, timeoutMs: 60_000 })),
      );
    }
    for await (const _ of link.session.exportRows!(
      { table: 't', filters: [], match: 'all', sort: [] },
      { signal },
    ));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  }
});
