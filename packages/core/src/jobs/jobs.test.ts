import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import type { CoreEvent, JobOutcome, JobSpec, RunningJob } from '../types.ts';
import { JobList } from './jobs.ts';

const done: JobOutcome = { how: 'complete', words: 'Done' };

function jobList() {
  const events: CoreEvent[] = [];
  const jobs = new JobList({
    events: { emit: (event) => events.push(event) },
    log: pino({ level: 'silent' }),
  });
  const forgotten: string[] = [];
  const spec = (title: string) =>
    ({
      kind: 'copy',
      title,
      detail: () => ({ of: title }),
      onForget: () => forgotten.push(title),
    }) as unknown as JobSpec;
  return { jobs, events, forgotten, spec };
}

test('a job is listed with its progress while it runs, and with its outcome after that, newest first', async () => {
  const { jobs, spec } = jobList();
  const end = Promise.withResolvers<JobOutcome>();
  const { id, over } = jobs.run(spec('one'), async ({ report }) => {
    report({ done: 1, total: 2, words: '1 of 2' });
    return end.promise;
  });
  await jobs.run(spec('two'), async () => done).over;
  expect(jobs.get(id).progress.words).toBe('1 of 2');
  expect(jobs.list().map(({ title, outcome }) => [title, outcome?.how])).toEqual([
    ['two', 'complete'],
    ['one', undefined],
  ]);
  expect(jobs.get(id)).toMatchObject({ detail: { of: 'one' }, endedAt: null });
  end.resolve(done);
  await over;
  expect(jobs.get(id)).toMatchObject({ outcome: done, endedAt: expect.any(String) });
});

test('a cancel aborts the work; a failure is the outcome, and an unexpected one is told without its details', async () => {
  const { jobs, spec } = jobList();
  const work = ({ signal }: RunningJob) =>
    new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () =>
        reject(new AppError({ code: 'cancelled', message: 'Cancelled' })),
      ),
    );
  const held = jobs.run(spec('held'), work);
  jobs.cancel(held.id);
  expect(jobs.get(held.id).isCancelling).toBe(true);
  await held.over;
  expect(jobs.get(held.id)).toMatchObject({ isCancelling: false, outcome: { how: 'cancelled' } });
  const broken = jobs.run(spec('broken'), async () => {
    throw new Error('secret');
  });
  await broken.over;
  expect(jobs.get(broken.id).outcome).toMatchObject({ how: 'failed', error: { code: 'internal' } });
  expect(JSON.stringify(jobs.list())).not.toContain('secret');
});

test('a job that runs is not dismissed; ended ones are, also the oldest of too many', async () => {
  const { jobs, spec, forgotten } = jobList();
  const stop = new AbortController();
  const held = jobs.run(
    spec('held'),
    () => new Promise((resolve) => stop.signal.addEventListener('abort', () => resolve(done))),
  );
  expect(() => jobs.forget(held.id)).toThrow('This job is still running');
  for (let one = 0; one < 52; one++) await jobs.run(spec(`ended ${one}`), async () => done).over;
  expect(forgotten).toEqual(['ended 0', 'ended 1']);
  jobs.forget(jobs.list()[0]!.id);
  expect(forgotten.at(-1)).toBe('ended 51');
  jobs.forget();
  expect(jobs.list().map(({ title }) => title)).toEqual(['held']);
  expect(() => jobs.get('ended')).toThrow('There is no such job');
  stop.abort();
  await held.over;
});

test('many reports of progress make few events, and each event only names the job', async () => {
  const { jobs, spec, events } = jobList();
  const { id, over } = jobs.run(spec('one'), async ({ report }) => {
    for (let done = 0; done < 10_000; done++) report({ done, total: null, words: `${done}` });
    return done;
  });
  await over;
  expect(JSON.stringify(jobs.get(id)).length).toBeLessThan(500);
  expect(events.length).toBeLessThan(10);
  for (const event of events) expect(event).toEqual({ type: 'jobChanged', id });
});

test('when the app stops, work is aborted and awaited, and gets no outcome', async () => {
  const { jobs, spec } = jobList();
  let isOver = false;
  const { id } = jobs.run(spec('one'), ({ signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(done))).then(() => {
      isOver = true;
      return done;
    }),
  );
  await Promise.resolve();
  await jobs.close();
  expect(isOver).toBe(true);
  expect(jobs.get(id).outcome).toBe(null);
});

const lost: JobOutcome = { how: 'unknown', words: 'The command ended without a word' };

test('a held job has the progress and the outcome that its owner reports', async () => {
  const { jobs, spec } = jobList();
  const id = jobs.hold(spec('held'), lost);
  jobs.attend(id, new AbortController().signal);
  expect(jobs.report(id, { done: 1, total: 2, words: '1 of 2' })).toBe(true);
  expect(jobs.get(id)).toMatchObject({ progress: { words: '1 of 2' }, outcome: null });
  jobs.cancel(id);
  expect(jobs.report(id, { done: 2, total: 2, words: '2 of 2' })).toBe(false);
  expect(jobs.get(id)).toMatchObject({ isCancelling: true, outcome: null });
  jobs.end(id, { how: 'cancelled', words: 'Stopped after 2' });
  await jobs.over(id);
  expect(jobs.get(id)).toMatchObject({ outcome: { words: 'Stopped after 2' }, progress: { done: 2 } });
  expect(jobs.report(id, { done: 3, total: 3, words: 'late' })).toBe(false);
  expect(jobs.report('none', { done: 3, total: 3, words: 'late' })).toBe(false);
});

test('a held job ends when its owner is gone, or is cancelled and has no owner', async () => {
  const { jobs, spec } = jobList();
  const gone = new AbortController();
  const [left, alone, late] = ['left', 'alone', 'late'].map((name) => jobs.hold(spec(name), lost));
  jobs.attend(left!, gone.signal);
  gone.abort();
  jobs.cancel(alone!);
  jobs.attend(late!, gone.signal);
  for (const id of [left, alone, late]) {
    await jobs.over(id!);
    expect(jobs.get(id!).outcome).toEqual(lost);
  }
});

test('when the app stops, it does not wait for the owners of held jobs', async () => {
  const { jobs, spec } = jobList();
  jobs.attend(jobs.hold(spec('held'), lost), new AbortController().signal);
  await jobs.close();
});

test('complete jobs make room before those that did not end well', async () => {
  const { jobs, spec, forgotten } = jobList();
  await jobs.run(spec('failed'), async () => ({ how: 'failed', words: 'Failed' })).over;
  for (let one = 0; one < 51; one++) await jobs.run(spec(`ended ${one}`), async () => done).over;
  expect(forgotten).toEqual(['ended 0', 'ended 1']);
});
