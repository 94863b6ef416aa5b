import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, type Core, type DetailedJob, type ImportBatch, type ImportedRow } from '@trestle/core';
import { JobList } from '@trestle/core/testing/jobs';
import type { TableDescription } from '@trestle/driver-kit';
import { pino } from 'pino';
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
  begin: (request: unknown, signal: AbortSignal) => Promise<unknown> = async () => ({ id: 'import', table }),
) {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-imports-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const jobs = new JobList({ events: { emit: () => {} }, log: pino({ level: 'silent' }) });
  const core = {
    jobs,
    data: { describe: async () => table },
    imports: {
      begin,
      send: (_id: string, rows: ImportedRow[]) => send(rows),
      end,
    },
  } as unknown as Core;
  const routes = importRoutes(core, downloads, new ImportFiles(() => join(folder, 'imports')));
  return Object.assign(routes, {
    kept: () => readdirSync(join(folder, 'imports')),
    jobs,
    /** The job that a request started, when it has ended. */
    async ended(response: Response) {
      const { job } = (await response.json()) as { job: string };
      await vi.waitFor(() => expect(jobs.get(job).outcome).not.toBe(null));
      return jobs.get(job) as DetailedJob<'import'>;
    },
  });
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
  expect((await app.ended(one)).detail.report).toMatchObject({ failed: 2 });
  expect((await app.ended(await other)).detail.report).toMatchObject({ failed: 2, ended: 'complete' });
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
  expect((await app.ended(running)).detail.report).toMatchObject({ failed: 1 });
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
  const refused = await app.ended(await run({ id: 'no such column' }));
  expect(refused).toMatchObject({ outcome: { how: 'failed' }, detail: { report: null } });
  expect(ended).toEqual(['import']);
  await app.ended(await run({ id: 'id', name: 'name' }));
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
  const run = async () =>
    (await app.ended(await app.request('/run', { method: 'POST', headers, body }))).detail;
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
  const { report } = (await app.ended(await app.request('/run', { method: 'POST', headers, body }))).detail;
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
  const ended = await Promise.all(both.map(async (one) => (await app.ended(await one)).detail.report?.ended));
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
  await app.ended(await app.request('/run', { method: 'POST', headers, body }));
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
  const run = await app.request('/run', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await begun.promise;
  app.jobs.cancel(app.jobs.list()[0]!.id);
  expect((await app.ended(run)).outcome).toMatchObject({ how: 'cancelled' });
});

test('if the window is done with a file during its import, the failed rows are kept until the job is dismissed', async () => {
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
  expect((await app.ended(run)).detail.report).toMatchObject({ failed: 1 });
  expect(app.kept()).toHaveLength(2);
  app.jobs.forget();
  await vi.waitFor(() => expect(app.kept()).toEqual([]));
});
