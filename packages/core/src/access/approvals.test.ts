import { expect, test } from 'vitest';
import { accessTo, client, fixtureDraft, testCore } from '../testing/test-core.ts';
import type { Caller } from '../types.ts';
import type { ApprovalQuestion } from './approvals.ts';

const asking = { ...fixtureDraft, aiPolicy: 'askEachTime' as const };

/** A user who is asked, and answers when the test says so. */
function user() {
  const questions: {
    question: ApprovalQuestion;
    answer: (answer: 'allow' | 'refuse') => void;
    signal: AbortSignal;
  }[] = [];
  const askUser = (question: ApprovalQuestion, signal: AbortSignal) =>
    new Promise<'allow' | 'refuse'>((answer) => questions.push({ question, answer, signal }));
  return { questions, askUser };
}

const clientCaller = client() as Extract<Caller, { kind: 'client' }>;

test('a yes holds, and calls that come meanwhile share the one question', async () => {
  const { questions, askUser } = user();
  const { core } = await testCore({ askUser });
  const { id } = await core.connections.create(asking);
  const calls = [1, 2, 3].map(() => core.data.tables(accessTo(id, client())));
  await Promise.resolve();
  expect(questions.map(({ question }) => question)).toEqual([
    { connection: { id, name: 'Fixture' }, tokenName: 'My token', clientName: 'Some client' },
  ]);
  questions[0]?.answer('allow');
  await Promise.all(calls);
  await core.data.tables(accessTo(id, client()));
  await core.data.tables(accessTo(id));
  expect(questions).toHaveLength(1);
});

test('a no holds for its time', async () => {
  const { questions, askUser } = user();
  const { core } = await testCore({ askUser, timing: { refusalMs: 3_600_000 } });
  const { id } = await core.connections.create(asking);
  const call = core.data.tables(accessTo(id, client()));
  await Promise.resolve();
  questions[0]?.answer('refuse');
  await expect(call).rejects.toMatchObject({ code: 'not_approved' });
  await expect(core.data.tables(accessTo(id, client()))).rejects.toMatchObject({ code: 'not_approved' });
  expect(questions).toHaveLength(1);
});

test('after that time the user is asked again', async () => {
  const { questions, askUser } = user();
  const { core } = await testCore({ askUser, timing: { refusalMs: 0 } });
  const { id } = await core.connections.create(asking);
  const call = core.data.tables(accessTo(id, client()));
  await Promise.resolve();
  questions[0]?.answer('refuse');
  await expect(call).rejects.toMatchObject({ code: 'not_approved' });
  const again = core.data.tables(accessTo(id, client()));
  await Promise.resolve();
  questions[1]?.answer('allow');
  await again;
});

test.each<[string, Caller, boolean]>([
  ['another token', client({ id: 'token-2' }), true],
  ['another declared name', { ...clientCaller, clientName: 'Other' }, true],
  ['another process', { ...clientCaller, process: '42' }, true],
  ['the same client', client(), false],
])('%s is asked for: %s', async (_, caller, asked) => {
  const { questions, askUser } = user();
  const { core } = await testCore({ askUser });
  const { id } = await core.connections.create(asking);
  const first = core.data.tables(accessTo(id, client()));
  await Promise.resolve();
  questions[0]?.answer('allow');
  await first;
  const second = core.data.tables(accessTo(id, caller));
  await Promise.resolve();
  expect(questions).toHaveLength(asked ? 2 : 1);
  questions[1]?.answer('allow');
  await second;
});

test("the bridge's next token is the same client, its other processes are not", async () => {
  const { questions, askUser } = user();
  const { core } = await testCore({ askUser });
  const { id } = await core.connections.create(asking);
  const bridge = (token: string, process: string): Caller => ({
    ...(client({ id: token, name: '__stdio_bridge__' }) as typeof clientCaller),
    process,
  });
  const first = core.data.tables(accessTo(id, bridge('first', 'p1')));
  await Promise.resolve();
  questions[0]?.answer('allow');
  await first;
  await core.data.tables(accessTo(id, bridge('second', 'p1')));
  const stop = new AbortController();
  const other = core.data.tables(accessTo(id, bridge('second', 'p2'), stop.signal));
  await Promise.resolve();
  expect(questions).toHaveLength(2);
  stop.abort();
  await expect(other).rejects.toMatchObject({ code: 'cancelled' });
  expect(questions[1]?.signal.aborted).toBe(true);
});

test('nothing is asked for what would be refused anyway', async () => {
  const { questions, askUser } = user();
  const { core } = await testCore({ askUser });
  const { id } = await core.connections.create({ ...asking, externalClients: 'readOnly' });
  const changes = { table: 't', changes: [] };
  await expect(core.data.applyChanges(accessTo(id, client()), changes)).rejects.toMatchObject({
    code: 'read_only',
  });
  expect(questions).toHaveLength(0);
});

test('a level lowered while the user thinks counts', async () => {
  const { questions, askUser } = user();
  const { core } = await testCore({ askUser });
  const { id } = await core.connections.create(asking);
  const call = core.data.tables(accessTo(id, client()));
  await Promise.resolve();
  await core.connections.update(id, { ...asking, externalClients: 'blocked' });
  questions[0]?.answer('allow');
  await expect(call).rejects.toMatchObject({ code: 'forbidden' });
});

test.each([
  ['nobody is there', undefined],
  ['the question cannot be put', () => Promise.reject(new Error('no display'))],
])('denied with the remedy when %s', async (_, askUser) => {
  const { core } = await testCore({ askUser });
  const { id } = await core.connections.create(asking);
  await expect(core.data.tables(accessTo(id, client()))).rejects.toMatchObject({
    code: 'not_approved',
    message: 'AI Policy is Ask Each Time and the app has no window to ask in',
    hint: expect.stringMatching(/Always Allow/),
  });
});
