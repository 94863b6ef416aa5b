import type { Act } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { accessTo, client, fixtureDraft, testCore } from '../testing/test-core.ts';
import type { Core, DetailedJob } from '../types.ts';

const person = { door: 'window', isPerson: true } as const;
const program = { door: 'commandLine', isPerson: false } as const;
const create: Act = { kind: 'create', design: { name: 'planets', fields: {}, parts: {} } };
const { signal } = new AbortController();

async function begin(changes: Partial<typeof fixtureDraft> = {}) {
  const parts = await testCore();
  const { id } = await parts.core.connections.create({ ...fixtureDraft, ...changes });
  const act = (statements: string[], actor: typeof person | typeof program = person) =>
    parts.core.administer(actor).beginAct({ connectionId: id, act: create, statements }, signal);
  const sent = () => parts.core.history.search({ connectionIds: [id], limit: 10 }).map(({ text }) => text);
  return { ...parts, connectionId: id, act, sent };
}

/** The first state of the job that fits, now or later. */
function jobWhere(core: Core, id: string, fits: (job: DetailedJob<'act'>) => boolean) {
  return new Promise<DetailedJob<'act'>>((resolve) => {
    const look = () => {
      const job = core.jobs.get(id) as DetailedJob<'act'>;
      if (!fits(job)) return;
      stop();
      resolve(job);
    };
    const stop = core.events.on(look);
    look();
  });
}

const ended = (core: Core, id: string) => jobWhere(core, id, ({ outcome }) => outcome !== null);

test('an act sends the statements that were shown, in their order, and each is in the history', async () => {
  const { core, behave, act, sent, connectionId } = await begin();
  behave({ steps: ['INSERT a', 'wait', 'DROP b'] });
  const { id } = await act(['INSERT a', 'DROP b']);
  expect(await ended(core, id)).toMatchObject({
    title: 'Create planets',
    table: 'planets',
    connectionId,
    outcome: { how: 'complete', words: 'Done.' },
    detail: {
      made: 'all',
      sent: [
        { title: 'INSERT a', how: 'done' },
        { title: 'DROP b', how: 'done' },
      ],
    },
  });
  expect(sent()).toEqual(['DROP b', 'INSERT a']);
});

test('a statement that the user has not seen is not sent, and none is sent twice', async () => {
  const { core, behave, act, sent } = await begin();
  behave({ steps: ['INSERT a', 'DROP everything'] });
  const one = await act(['INSERT a']);
  expect((await ended(core, one.id)).outcome).toMatchObject({ how: 'failed', error: { code: 'conflict' } });
  expect(sent()).toEqual(['INSERT a']);
  behave({ steps: ['INSERT a', 'INSERT a'] });
  const two = await act(['INSERT a']);
  const { outcome, detail } = await ended(core, two.id);
  expect(outcome?.words).toContain('1 step done: INSERT a. The next statement is not one of those');
  expect(detail.made).toBe('partly');
  expect(sent()).toEqual(['INSERT a', 'INSERT a']);
});

test('Safe Mode stops an act before its first step, and between two steps', async () => {
  const { core, behave, act, sent, connectionId } = await begin();
  behave({ steps: ['INSERT a', 'wait', 'INSERT b'] });
  const running = await act(['INSERT a', 'INSERT b']);
  await jobWhere(core, running.id, ({ detail }) => detail.sent[0]?.how === 'done');
  await core.connections.update(connectionId, { ...fixtureDraft, safeMode: 'readOnly' });
  expect(await ended(core, running.id)).toMatchObject({
    outcome: { how: 'failed', error: { code: 'read_only' } },
    detail: { made: 'partly' },
  });
  const { id } = await act(['INSERT a', 'INSERT b']);
  expect((await ended(core, id)).outcome).toMatchObject({ how: 'failed', error: { code: 'read_only' } });
  expect(sent()).toEqual(['INSERT a']);
});

test('a refusal of the server goes to the driver, which says what was done', async () => {
  const { core, behave, act } = await begin();
  behave({
    steps: ['INSERT a', 'INSERT b'],
    fail: { run: { code: 'query_failed', message: 'class name is taken' } },
  });
  const { id } = await act(['INSERT a', 'INSERT b']);
  expect(await ended(core, id)).toMatchObject({
    outcome: { how: 'failed', words: 'class name is taken' },
    detail: { made: 'none', sent: [{ how: 'failed' }] },
  });
});

test('a statement whose answer is lost may have been carried out', async () => {
  const { core, behave, act } = await begin();
  behave({ steps: ['INSERT a'], exit: ['run'] });
  const lost = await act(['INSERT a']);
  expect(await ended(core, lost.id)).toMatchObject({
    outcome: { how: 'unknown', words: expect.stringContaining('The server may still carry out "INSERT a"') },
  });
  behave({ steps: ['INSERT a'], hang: ['run'] });
  const { id } = await act(['INSERT a']);
  await jobWhere(core, id, ({ detail }) => detail.sent.length === 1);
  core.jobs.cancel(id);
  expect((await ended(core, id)).outcome).toMatchObject({ how: 'unknown' });
});

test('a cancelled wait ends the act with what was done', async () => {
  const { core, behave, act } = await begin();
  behave({ steps: ['INSERT a', ...Array<string>(10_000).fill('wait')] });
  const { id } = await act(['INSERT a']);
  const { progress } = await jobWhere(core, id, (job) => job.progress.words.startsWith('Indexing'));
  expect(progress.words).toBe('Indexing: 40 %');
  core.jobs.cancel(id);
  expect((await ended(core, id)).outcome).toEqual({
    how: 'cancelled',
    words: '1 step done: INSERT a. Cancelled. Open the same design again: it shows the steps that are left.',
  });
});

test('a program creates tables only where it may write, and destroys nothing', async () => {
  const { core, behave, act, sent, connectionId } = await begin();
  behave({ steps: ['INSERT a'] });
  await ended(core, (await act(['INSERT a'], program)).id);
  behave({ steps: ['DROP a'] });
  expect((await ended(core, (await act(['DROP a'], program)).id)).outcome).toMatchObject({
    how: 'failed',
    error: { code: 'forbidden' },
  });
  await core.connections.update(connectionId, { ...fixtureDraft, externalClients: 'readOnly' });
  await expect(act(['INSERT a'], program)).rejects.toMatchObject({ code: 'forbidden' });
  const administration = core.administer(program);
  await expect(
    administration.planDesign(connectionId, { design: create.design }, signal),
  ).rejects.toMatchObject({ code: 'forbidden' });
  await expect(administration.readDesign(connectionId, { table: 'given' }, signal)).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(sent()).toEqual(['INSERT a']);
});

test('a statement of a program cannot become destructive after it was shown', async () => {
  const { core, behave, act } = await begin();
  // The driver says that the statement writes, and then that it destroys.
  behave({
    steps: ['INSERT a'],
    fail: { run: { code: 'above_ceiling', message: 'It drops', needs: 'destroy' } },
  });
  expect((await ended(core, (await act(['INSERT a'], program)).id)).outcome).toMatchObject({ how: 'failed' });
});

test('a program loses its rights during an act', async () => {
  const { core, behave, act, sent, connectionId } = await begin();
  behave({ steps: ['INSERT a', 'wait', 'INSERT b'] });
  const { id } = await act(['INSERT a', 'INSERT b'], program);
  await jobWhere(core, id, ({ detail }) => detail.sent[0]?.how === 'done');
  await core.connections.update(connectionId, { ...fixtureDraft, aiPolicy: 'never' });
  expect((await ended(core, id)).outcome).toMatchObject({
    how: 'failed',
    error: { code: 'forbidden', hint: expect.stringContaining('Nothing more was sent') },
  });
  expect(sent()).toEqual(['INSERT a']);
});

test('a client gets no door to designs and acts', async () => {
  const { core, connectionId } = await begin();
  const access = accessTo(connectionId, client({ permission: 'fullAccess' }));
  for (const call of [
    () => core.data.designForm(access),
    () => core.data.readDesign(access, { table: 'given' }),
    () => core.data.planDesign(access, { design: create.design }),
    () => core.data.nextStep(access, { act: create, state: null }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'unsupported' });
});
