import { expect, test } from 'vitest';
import { FewAtOnce } from './few-at-once.ts';

const { signal } = new AbortController();

test('no more tasks than allowed run at once, in their order, also after one of them fails', async () => {
  const few = new FewAtOnce(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const tasks = ends.map(({ promise }, at) =>
    few.run(signal, () => {
      begun.push(at);
      return promise;
    }),
  );
  const settled = Promise.allSettled(tasks);
  await turn();
  expect(begun).toEqual([0, 1]);
  ends[0]!.reject(new Error('failed'));
  await turn();
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', ...Array(4).fill('fulfilled')]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test('a task that is cancelled while it waits does not run, and the next one does', async () => {
  const few = new FewAtOnce(1);
  const first = Promise.withResolvers<void>();
  const running = few.run(signal, () => first.promise);
  const cancel = new AbortController();
  let ran = false;
  const cancelled = few.run(cancel.signal, async () => {
    ran = true;
  });
  const next = few.run(signal, async () => 'next');
  cancel.abort(new Error('left'));
  await expect(cancelled).rejects.toThrow('left');
  first.resolve();
  await running;
  expect([await next, ran]).toEqual(['next', false]);
});

function turn(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}
