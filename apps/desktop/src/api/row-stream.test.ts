import { AppError, type Core, type DataAccess } from '@trestle/core';
import { packWire, type RowSet, readFrames, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { type RowFrame, rowStream } from './row-stream.ts';

const column = { name: 'n', type: 'int', nativeType: 'int' } as const;
const request = { table: 't', filters: [], match: 'all', columns: ['n'], limit: 4 };

/** Calls the route on a core whose rows come from `source`. Returns the frames of the answer. */
async function frames(source: () => AsyncGenerator<RowSet>, body: unknown = { connectionId: 'c', request }) {
  const seen = { ended: false };
  const exportRows = async function* (_: DataAccess) {
    try {
      yield* source();
    } finally {
      seen.ended = true;
    }
  };
  const app = rowStream({ data: { exportRows } } as unknown as Core);
  const response = await app.request('/', { method: 'POST', body: packWire(body) });
  if (!response.ok) return { status: response.status, frames: [], seen };
  return { status: 200, frames: (await Array.fromAsync(readFrames(response.body!))) as RowFrame[], seen };
}

function batch(...numbers: number[]): RowSet {
  return rowSetFromCells(
    [column],
    numbers.map((number) => [number]),
  );
}

test('rows arrive in the batches of the database, and the last frame says that there are no more rows', async () => {
  const answer = await frames(async function* () {
    yield batch(1, 2);
    yield batch(3);
  });
  expect(answer.frames).toEqual([{ rows: batch(1, 2) }, { rows: batch(3) }, { done: true, more: false }]);
});

test('at the limit the stream ends, and so does the read of the table', async () => {
  const answer = await frames(async function* () {
    for (;;) yield batch(1, 2, 3);
  });
  expect(answer.frames).toHaveLength(3);
  expect(answer.frames.at(-1)).toEqual({ done: true, more: true });
  expect(answer.seen.ended).toBe(true);
});

test('if a table has exactly as many rows as the limit, the last frame says that there are no more rows', async () => {
  const answer = await frames(async function* () {
    yield batch(1, 2);
    yield batch(3, 4);
  });
  expect(answer.frames).toEqual([{ rows: batch(1, 2) }, { rows: batch(3, 4) }, { done: true, more: false }]);
});

test('batches are sent whole: if the last batch of a table goes beyond the limit, the last frame says that there are no more rows', async () => {
  const answer = await frames(async function* () {
    yield batch(1, 2, 3);
    yield batch(4, 5, 6);
  });
  expect(answer.frames.at(-1)).toEqual({ done: true, more: false });
});

test('a batch after the limit is not sent, and the last frame says that there are more rows', async () => {
  const answer = await frames(async function* () {
    yield batch(1, 2, 3, 4);
    yield batch(5);
  });
  expect(answer.frames).toEqual([{ rows: batch(1, 2, 3, 4) }, { done: true, more: true }]);
});

test('an error after the first rows is the last frame', async () => {
  const answer = await frames(async function* () {
    yield batch(1);
    throw new AppError({ code: 'query_failed', message: 'No such table' });
  });
  expect(answer.frames.at(-1)).toMatchObject({ error: { code: 'query_failed', message: 'No such table' } });
});

test('a limit above the maximum is refused', async () => {
  const large = { connectionId: 'c', request: { ...request, limit: 1_000_000 } };
  expect((await frames(async function* () {}, large)).status).toBe(400);
});
