import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, type Core, type ImportBatch, type ImportedRow } from '@trestle/core';
import type { TableDescription } from '@trestle/driver-kit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDownloads } from './downloads.ts';
import { ImportFiles } from './import-files.ts';
import { importRoutes } from './import-routes.ts';

const column = (name: string, inKey: boolean) => ({
  name,
  type: 'text',
  nativeType: 'TEXT',
  nullable: true,
  inKey,
});
const table = {
  name: 'Pet',
  kind: 'table',
  key: ['id'],
  columns: [column('id', true), column('name', false)],
} as unknown as TableDescription;

const downloads = createDownloads();

/** The routes on a core that passes each batch of rows to `send`. */
function routes(
  send: (rows: ImportedRow[]) => Promise<ImportBatch>,
  end: (id: string) => void = () => {},
  report: (error: unknown) => void = () => {},
  begin: (request: unknown, signal: AbortSignal) => Promise<unknown> = async () => ({ id: 'import', table }),
) {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-imports-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const core = {
    data: { describe: async () => table },
    imports: {
      begin,
      send: (_id: string, rows: ImportedRow[]) => send(rows),
      end,
    },
  } as unknown as Core;
  const routes = importRoutes(core, downloads, new ImportFiles(() => join(folder, 'imports')), report);
  return Object.assign(routes, { kept: () => readdirSync(join(folder, 'imports')) });
}

async function lastFrame(response: Response) {
  const lines = (await response.text()).trim().split('\n');
  return JSON.parse(lines.at(-1)!) as { report?: Record<string, unknown>; error?: unknown };
}

test('the preview of a file shows numbers as the file has them', async () => {
  const app = routes(async () => ({ outcomes: [] }));
  const body = '{"id":"1","size":-0.0,"name":9007199254740993}\n';
  const file = await app.request('/file?name=pets.jsonl', { method: 'POST', body });
  expect(await file.json()).toMatchObject({ sample: [['1', '-0.0', '9007199254740993']] });
});

test('a second import of the same file waits for the first, and both report their failed rows', async () => {
  const first = Promise.withResolvers<void>();
  const sending = Promise.withResolvers<void>();
  let under = 0;
  let most = 0;
  const app = routes(async (rows) => {
    most = Math.max(most, ++under);
    sending.resolve();
    await first.promise;
    under--;
    return { outcomes: rows.map(({ id }) => ({ id, status: 'failed' as const, problem: 'no' })) };
  });
  const file = await app.request('/file?name=pets.csv', {
    method: 'POST',
    body: 'id,name\n1,Laika\n2,Félicette\n',
  });
  const { id } = (await file.json()) as { id: string };
  const body = JSON.stringify({
    id,
    connectionId: 'c',
    table: 'Pet',
    map: { id: 'id', name: 'name' },
    existing: 'skip',
  });
  const begin = () =>
    app.request('/run', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const one = await begin();
  await sending.promise;
  const other = begin();
  // Time in which the second import could wrongly begin to send: `most` would be 2.
  await new Promise((done) => setTimeout(done, 100));
  first.resolve();
  expect((await lastFrame(one)).report).toMatchObject({ failed: 2 });
  expect((await lastFrame(await other)).report).toMatchObject({ failed: 2, ended: 'complete' });
  expect(most).toBe(1);
});

test('a file whose import is running is kept, even if many other files arrive', async () => {
  const first = Promise.withResolvers<void>();
  const sending = Promise.withResolvers<void>();
  const app = routes(async (rows) => {
    sending.resolve();
    await first.promise;
    return { outcomes: rows.map(({ id }) => ({ id, status: 'failed' as const, problem: 'no' })) };
  });
  const add = async (name: string) => {
    const answer = await app.request(`/file?name=${name}`, { method: 'POST', body: 'id,name\n1,Laika\n' });
    return ((await answer.json()) as { id: string }).id;
  };
  const id = await add('running.csv');
  const body = JSON.stringify({
    id,
    connectionId: 'c',
    table: 'Pet',
    existing: 'skip',
    map: { id: 'id', name: 'name' },
  });
  const headers = { 'content-type': 'application/json' };
  const running = await app.request('/run', { method: 'POST', headers, body });
  await sending.promise;
  const others: string[] = [];
  for (let other = 0; other < 9; other++) others.push(await add(`${other}.csv`));
  first.resolve();
  expect((await lastFrame(running)).report).toMatchObject({ failed: 1 });
  expect((await app.request(`/${id}/failed`, { method: 'POST' })).status).toBe(200);
  expect((await app.request(`/${id}/retry`, { method: 'POST' })).status).toBe(200);
  expect((await app.request(`/${others[0]}/retry`, { method: 'POST' })).status).toBe(422);
});

test('an import whose columns do not fit the table is ended in the core, and so is an import that ran', async () => {
  const ended: string[] = [];
  const app = routes(
    async (rows) => ({ outcomes: rows.map(({ id }) => ({ id, status: 'stored' as const })) }),
    (id) => ended.push(id),
  );
  const file = await app.request('/file?name=pets.csv', { method: 'POST', body: 'id,name\n1,Laika\n' });
  const { id } = (await file.json()) as { id: string };
  const run = (map: object) =>
    app.request('/run', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, connectionId: 'c', table: 'Pet', existing: 'skip', map }),
    });
  expect((await run({ id: 'no such column' })).status).toBe(422);
  expect(ended).toEqual(['import']);
  await lastFrame(await run({ id: 'id', name: 'name' }));
  expect(ended).toEqual(['import', 'import']);
});

test('if the disk is full at the end of an import, the file of failed rows is closed, and the next import runs', async () => {
  const app = routes(async (rows) => ({
    outcomes: rows.map(({ id }) => ({ id, status: 'failed' as const, problem: 'no' })),
  }));
  const text = '[{"id":"1","name":"Laika"}]';
  const file = await app.request('/file?name=pets.json', { method: 'POST', body: text });
  const { id } = (await file.json()) as { id: string };
  const body = JSON.stringify({ id, connectionId: 'c', table: 'Pet', existing: 'skip' });
  const headers = { 'content-type': 'application/json' };
  const run = async () => lastFrame(await app.request('/run', { method: 'POST', headers, body }));
  const { close, isOpen } = await fullDiskFor(/^\n\]\n$/);
  expect((await run()).report).toMatchObject({
    failed: 1,
    ended: 'stopped',
    error: { code: 'storage_failed', message: expect.stringContaining('ENOSPC') },
  });
  expect(isOpen()).toBe(false);
  close();
  expect((await run()).report).toMatchObject({ failed: 1, ended: 'complete' });
});

test('an unexpected error during an import is logged, because the window does not show its details', async () => {
  const reported: unknown[] = [];
  const app = routes(
    async () => {
      throw new TypeError('no such method');
    },
    undefined,
    (error) => reported.push(error),
  );
  const file = await app.request('/file?name=pets.csv', { method: 'POST', body: 'id,name\n1,Laika\n' });
  const { id } = (await file.json()) as { id: string };
  const body = JSON.stringify({ id, connectionId: 'c', table: 'Pet', existing: 'skip' });
  const run = await app.request('/run', {
    ...{ method: 'POST', body, headers: { 'content-type': 'application/json' } },
  });
  await expect(run.text()).rejects.toThrow();
  expect(reported).toMatchObject([{ message: 'no such method' }]);
});

test('if the disk is full when a failed row is written, the import stops and reports the rows that were stored', async () => {
  const app = routes(async (rows) => ({
    outcomes: rows.map(({ id, values }) =>
      values.id === '1'
        ? { id, status: 'stored' as const }
        : { id, status: 'failed' as const, problem: 'no' },
    ),
  }));
  const text = 'id,name\n1,Laika\n2,Belka\n';
  const file = await app.request('/file?name=pets.csv', { method: 'POST', body: text });
  const { id } = (await file.json()) as { id: string };
  const body = JSON.stringify({ id, connectionId: 'c', table: 'Pet', existing: 'skip' });
  const headers = { 'content-type': 'application/json' };
  const { isOpen } = await fullDiskFor(/Belka/);
  const { report } = await lastFrame(await app.request('/run', { method: 'POST', headers, body }));
  expect(report).toMatchObject({
    stored: 1,
    failed: 1,
    ended: 'stopped',
    error: { code: 'storage_failed', message: expect.stringContaining('ENOSPC') },
  });
  expect(isOpen()).toBe(false);
});

/** Makes each write of a matching text fail, as on a full disk, until `close` is called or the test ends. */
async function fullDiskFor(text: RegExp) {
  const probe = await open(import.meta.filename);
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const full: FileHandle[] = [];
  const { appendFile } = handles;
  const spy = vi.spyOn(handles, 'appendFile').mockImplementation(function (this: FileHandle, data, options) {
    if (!text.test(String(data))) return appendFile.call(this, data, options);
    full.push(this);
    return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }));
  });
  onTestFinished(() => spy.mockRestore());
  return { close: () => spy.mockRestore(), isOpen: () => full.length !== 1 || full[0]!.fd !== -1 };
}

test('two imports of a file that begin at the same moment store no row twice', async () => {
  const stored: string[] = [];
  const app = routes(async (rows) => {
    await new Promise((done) => setImmediate(done));
    stored.push(...rows.map(({ values }) => String(values.name)));
    return { outcomes: rows.map(({ id }) => ({ id, status: 'stored' as const })) };
  });
  const file = await app.request('/file?name=pets.csv', { method: 'POST', body: 'name\nLaika\n' });
  const { id } = (await file.json()) as { id: string };
  const body = JSON.stringify({ id, connectionId: 'c', table: 'Pet', existing: 'skip', newIds: true });
  const headers = { 'content-type': 'application/json' };
  const both = [0, 1].map(() => app.request('/run', { method: 'POST', headers, body }));
  const ended = await Promise.all(both.map(async (one) => (await lastFrame(await one)).report?.ended));
  expect(ended).toEqual(['cancelled', 'complete']);
  expect(stored).toEqual(['Laika']);
});

test('the failed rows of a file can be saved if its long name has characters above U+FFFF', async () => {
  const app = routes(async (rows) => ({
    outcomes: rows.map(({ id }) => ({ id, status: 'failed' as const, problem: 'no' })),
  }));
  const name = encodeURIComponent(`a${'𠮷'.repeat(90)}.csv`);
  const file = await app.request(`/file?name=${name}`, { method: 'POST', body: 'id,name\n1,Laika\n' });
  const { id } = (await file.json()) as { id: string };
  const body = JSON.stringify({ id, connectionId: 'c', table: 'Pet', existing: 'skip' });
  const headers = { 'content-type': 'application/json' };
  await lastFrame(await app.request('/run', { method: 'POST', headers, body }));
  const offered = (await (await app.request(`/${id}/failed`, { method: 'POST' })).json()) as { file: string };
  const answer = await downloads.routes.request(offered.file.replace('/download', ''));
  expect(answer.headers.get('content-disposition')).toMatch(/-failed\.csv$/);
  await answer.text();
});

test('if the database does not answer when an import begins, Cancel ends the import', async () => {
  const begun = Promise.withResolvers<void>();
  const app = routes(
    async () => ({ outcomes: [] }),
    undefined,
    undefined,
    (_request, signal) =>
      new Promise((_done, fail) => {
        signal.addEventListener('abort', () =>
          fail(new AppError({ code: 'cancelled', message: 'Cancelled' })),
        );
        begun.resolve();
      }),
  );
  const file = await app.request('/file?name=pets.csv', { method: 'POST', body: 'id,name\n1,Laika\n' });
  const { id } = (await file.json()) as { id: string };
  const body = JSON.stringify({ id, connectionId: 'c', table: 'Pet', existing: 'skip' });
  const run = app.request('/run', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await begun.promise;
  await app.request(`/${id}/cancel`, { method: 'POST' });
  expect(await (await run).json()).toMatchObject({ error: { code: 'cancelled' } });
});

test('if the window is done with a file during its import, the failed rows are not kept', async () => {
  const answer = Promise.withResolvers<void>();
  const sending = Promise.withResolvers<void>();
  const app = routes(async (rows) => {
    sending.resolve();
    await answer.promise;
    return { outcomes: rows.map(({ id }) => ({ id, status: 'failed' as const, problem: 'no' })) };
  });
  const file = await app.request('/file?name=pets.csv', { method: 'POST', body: 'id,name\n1,Laika\n' });
  const { id } = (await file.json()) as { id: string };
  const body = JSON.stringify({ id, connectionId: 'c', table: 'Pet', existing: 'skip', map: { id: 'id' } });
  const headers = { 'content-type': 'application/json' };
  const run = await app.request('/run', { method: 'POST', headers, body });
  await sending.promise;
  await app.request(`/${id}/forget`, { method: 'POST' });
  answer.resolve();
  expect((await lastFrame(run)).report).toMatchObject({ failed: 1 });
  expect(app.kept()).toEqual([]);
});
