import { AppError, type Core, type DataAccess } from '@trestle/core';
import { JobList } from '@trestle/core/testing/jobs';
import { type ExportRequest, packWire, type RowSet, rowSetFromCells } from '@trestle/driver-kit';
import { Hono } from 'hono';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDownloads } from './downloads.ts';
import type { ExportBody } from './export-routes.ts';
import { exportRoutes } from './export-routes.ts';

const column = { name: 'n', type: 'int', nativeType: 'int' } as const;
const body: ExportBody = {
  connectionId: 'c1',
  request: { table: 'plan ets', filters: [], match: 'all', sort: [], columns: ['n'] },
  rows: { kind: 'all' },
  format: 'csv',
  escapeFormulas: true,
  isInexactKnown: true,
};

/** Export routes on a core that exports the rows of `source`. `seen` records how the export ended. */
function routes(source: (request: ExportRequest) => AsyncGenerator<RowSet>) {
  const seen = { aborted: false, ended: false };
  const exportRows = async function* (access: DataAccess, request: ExportRequest) {
    access.signal.addEventListener('abort', () => {
      seen.aborted = true;
    });
    try {
      yield* source(request);
    } finally {
      seen.ended = true;
    }
  };
  const describe = async () => ({ mixed: true });
  const downloads = createDownloads();
  const jobs = new JobList({ events: { emit: () => {} }, log: pino({ level: 'silent' }) });
  const data = { exportRows, describe, count: async () => 3 };
  const app = new Hono()
    .route('/download', downloads.routes)
    .route('/', exportRoutes({ data, jobs } as unknown as Core, downloads));
  const begin = (given: unknown = body) => app.request('/', { method: 'POST', body: packWire(given) });
  const outcome = (id: string) => jobs.get(id).outcome;
  return { app, seen, begin, outcome, jobs };
}

function batch(...numbers: number[]): RowSet {
  return rowSetFromCells(
    [column],
    numbers.map((number) => [number]),
  );
}

test('an export is started, downloaded once as a file, and reports how it ended', async () => {
  const { app, begin, outcome, seen, jobs } = routes(async function* () {
    yield batch(1, 2);
    yield batch(3);
  });
  const { id, file } = await (await begin()).json();
  expect(outcome(id)).toBe(null);
  const answer = await app.request(file);
  expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''plan_ets.csv");
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(await answer.text()).toBe('n\r\n1\r\n2\r\n3\r\n');
  await expect.poll(() => outcome(id)).not.toBe(null);
  const words = 'Exported 3 rows to the browser’s downloads';
  expect(jobs.get(id)).toMatchObject({
    progress: { done: 3, total: 3 },
    outcome: { how: 'complete', words },
  });
  expect(seen.ended).toBe(true);
  expect((await app.request(file)).status).toBe(404);
});

test('an export that cannot run is refused before its file starts', async () => {
  // biome-ignore lint/correctness/useYield: the source fails before its first rows
  const { begin } = routes(async function* () {
    throw new AppError({ code: 'filter_unrunnable', message: 'Filter on n: no' });
  });
  const answer = await begin();
  expect(answer.status).toBe(422);
  expect(await answer.json()).toEqual({ error: { code: 'filter_unrunnable', message: 'Filter on n: no' } });
  expect((await begin({ ...body, format: 'xml' })).status).toBe(400);
});

test('an export that nobody fetches ends as cancelled', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { begin, outcome, seen } = routes(async function* () {
    for (;;) yield batch(1);
  });
  const { id } = await (await begin()).json();
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => outcome(id)).toEqual({ how: 'cancelled', words: 'Export cancelled' });
  await expect.poll(() => seen).toEqual({ aborted: true, ended: true });
});

test('rows are read at the speed of the download, and a cancel stops the export', async () => {
  let produced = 0;
  const { app, begin, outcome, seen, jobs } = routes(async function* () {
    for (;;) yield batch(++produced);
  });
  const { id, file } = await (await begin()).json();
  const reader = (await app.request(file)).body!.getReader();
  for (let read = 0; read < 20; read++) await reader.read();
  expect(produced).toBeLessThan(25);
  jobs.cancel(id);
  await expect(drain(reader)).rejects.toThrow('cancelled');
  expect(outcome(id)).toMatchObject({
    how: 'cancelled',
    words: expect.stringMatching(/^Export cancelled after \d+ rows; the file is not complete$/),
  });
  expect(seen).toEqual({ aborted: true, ended: true });
});

test('a browser that cancels the download ends the export', async () => {
  const { app, begin, outcome, seen } = routes(async function* () {
    for (;;) yield batch(1);
  });
  const { id, file } = await (await begin()).json();
  const reader = (await app.request(file)).body!.getReader();
  await reader.read();
  await reader.cancel();
  await expect.poll(() => outcome(id)).toMatchObject({ how: 'cancelled' });
  await expect.poll(() => seen).toEqual({ aborted: true, ended: true });
});

test('an error during the download aborts the download, and the outcome contains the error', async () => {
  const { app, begin, outcome } = routes(async function* () {
    yield batch(1);
    throw new AppError({ code: 'connection_failed', message: 'Connection failed: reset' });
  });
  const { id, file } = await (await begin()).json();
  await expect((await app.request(file)).text()).rejects.toThrow('reset');
  await expect
    .poll(() => outcome(id))
    .toEqual({
      how: 'failed',
      words: 'The export failed after 1 row; the file is not complete',
      error: { code: 'connection_failed', message: 'Connection failed: reset' },
    });
});

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (;;) if ((await reader.read()).done) return;
}

test('before a file is written, its values that do not come back are named, and the user may go on', async () => {
  const { app, begin } = routes(async function* () {
    yield rowSetFromCells([column], [[1], ['x']]);
  });
  const { isInexactKnown: _, ...unknown } = body;
  expect(await (await begin(unknown)).json()).toEqual({
    inexact: [
      'CSV does not keep 1 value of the column n exactly (1 text).',
      'An import of the file may read them as values of another type. JSON and JSON lines keep them.',
    ],
  });
  expect(await (await begin({ ...unknown, format: 'parquet' })).json()).toMatchObject({
    inexact: [{}, {}].map(() => expect.any(String)),
  });
  const { file } = await (await begin()).json();
  expect(await (await app.request(file)).text()).toBe('n\r\n1\r\nx\r\n');
  const json = await (await begin({ ...unknown, format: 'jsonl' })).json();
  expect(await (await app.request(json.file)).text()).toBe('{"n":1}\n{"n":{"$text":"x"}}\n');
  const parquet = await (await begin({ ...body, format: 'parquet' })).json();
  expect((await app.request(parquet.file)).status).toBe(200);
});
