import { expect, test } from 'vitest';
import { accessTo, client, fixtureDraft, questions, saved, testCore } from '../testing/test-core.ts';
import type { Caller, ConnectionDraft, UserAnswer } from '../types.ts';

const asking: ConnectionDraft = { ...fixtureDraft, aiPolicy: 'askEachTime' };
const clientCaller = client() as Extract<Caller, { kind: 'client' }>;

async function coreWithUser(...[options]: Parameters<typeof testCore>) {
  const parts = await testCore(options);
  parts.core.approvals.setPresence('window');
  const answer = async (given: UserAnswer) => {
    const [question] = await questions(parts.core);
    parts.core.approvals.answer(question!.id, given);
  };
  return { ...parts, answer };
}

test('an approval holds for later calls, and calls made while the question is open share its answer', async () => {
  const { core, events } = await coreWithUser();
  const { id } = await core.connections.create(asking);
  events.length = 0;
  const text = 'SELECT 1';
  const first = core.data.runQuery(accessTo(id, client()), { text, limit: 1 });
  const others = [1, 2].map(() => core.data.tables(accessTo(id, client())));
  const pending = await questions(core);
  expect(pending).toEqual([
    {
      id: expect.any(String),
      shortId: expect.stringMatching(/^[0-9a-f]{4}$/),
      clientWaits: true,
      driver: 'fixture, ships with Trestle',
      kind: 'access',
      connection: { id, name: 'Fixture' },
      tokenName: 'My token',
      clientName: 'Some client',
      action: 'query',
      table: null,
      statement: text,
      ceiling: 'write',
      title: 'Let “Some client” use “Fixture”?',
      may: expect.stringMatching(/^It may read, and add, change and delete rows/),
      wants: 'Run a statement',
      askedAt: expect.any(String),
      expiresAt: expect.any(String),
    },
  ]);
  core.approvals.answer(pending[0]!.id, 'allow');
  await Promise.all([first, ...others]);
  await core.data.tables(accessTo(id, client()));
  await core.data.tables(accessTo(id));
  expect(core.approvals.pending()).toEqual([]);
  expect(events.filter(({ type }) => type === 'approvalsChanged' || type === 'attentionNeeded')).toEqual([
    { type: 'approvalsChanged' },
    { type: 'approvalsChanged' },
    { type: 'approvalsChanged' },
  ]);
  expect(() => core.approvals.answer(pending[0]!.id, 'refuse')).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('"allow once" covers the further calls of the same request, and no other request', async () => {
  const { core, answer } = await coreWithUser();
  const { id } = await core.connections.create(asking);
  const request = accessTo(id, client());
  const first = core.data.tables(request);
  const meanwhile = core.data.tables(accessTo(id, client()));
  const [question] = await questions(core);
  core.approvals.answer(question!.id, 'allowOnce');
  await first;
  await core.data.tables(request);
  expect(core.approvals.granted()).toEqual([]);
  // The second call waited for the same answer. It now asks its own question.
  await expect.poll(() => core.approvals.pending().filter((one) => one.id !== question!.id)).toHaveLength(1);
  await answer('refuse');
  await expect(meanwhile).rejects.toMatchObject({ code: 'not_approved' });
});

test('an approval can be listed and withdrawn, and a withdrawal ends the running calls of its client', async () => {
  const { core, answer, behave } = await coreWithUser();
  const { id } = await core.connections.create(asking);
  const call = core.data.tables(accessTo(id, client()));
  await answer('allow');
  await call;
  const approval = {
    id: expect.any(String),
    connection: { id, name: 'Fixture' },
    tokenName: 'My token',
    clientName: 'Some client',
    grantedAt: expect.any(String),
  };
  expect(core.approvals.granted()).toEqual([approval]);
  behave({ hang: ['run'] });
  const running = core.data.runQuery(accessTo(id, client()), { text: 'SELECT', limit: 1 });
  const ended = expect(running).rejects.toMatchObject({ code: 'cancelled' });
  const [held] = core.approvals.granted();
  await core.administer({ door: 'window', isPerson: true }).withdrawApproval(held!.id);
  await ended;
  behave({});
  expect(core.approvals.granted()).toEqual([]);
  expect(() => core.approvals.withdraw(held!.id)).toThrow(expect.objectContaining({ code: 'not_found' }));
  const next = core.data.tables(accessTo(id, client()));
  await answer('allow');
  await next;
  expect(core.activity.list({ limit: 20 }).map(({ action }) => action)).toContain('withdraw_approval');
});

test('a refusal also refuses the next call, without a question', async () => {
  const { core, answer } = await coreWithUser({ timing: { refusalMs: 3_600_000 } });
  const { id } = await core.connections.create(asking);
  const call = core.data.tables(accessTo(id, client()));
  await answer('refuse');
  await expect(call).rejects.toMatchObject({ code: 'not_approved' });
  await expect(core.data.tables(accessTo(id, client()))).rejects.toMatchObject({ code: 'not_approved' });
  expect(core.approvals.pending()).toEqual([]);
});

test.each<[string, Partial<typeof clientCaller>]>([
  ['renames itself', { clientName: 'Other' }],
  ['adds a blank to its name', { clientName: 'Some  client ' }],
  ['adds an invisible character to its name', { clientName: 'Some\u200b client' }],
  ['writes its name with a letter of another script', { clientName: 'Sоme client' }],
])('a refused client that %s stays refused, also for a query', async (_, changes) => {
  const { core, answer } = await coreWithUser({ timing: { refusalMs: 3_600_000 } });
  const { id } = await core.connections.create(asking);
  const call = core.data.tables(accessTo(id, client()));
  await answer('refuse');
  await expect(call).rejects.toMatchObject({ code: 'not_approved' });
  const again = core.data.tables(accessTo(id, { ...clientCaller, ...changes }));
  await expect(again).rejects.toMatchObject({ code: 'not_approved' });
  const query = core.data.runQuery(accessTo(id, { ...clientCaller, ...changes }), {
    text: 'SELECT 1',
    limit: 1,
  });
  await expect(query).rejects.toMatchObject({ code: 'not_approved' });
  expect(core.approvals.pending()).toEqual([]);
});

test('two client names that look the same count as one client', async () => {
  const { core, answer } = await coreWithUser();
  const { id } = await core.connections.create(asking);
  const first = core.data.tables(accessTo(id, client()));
  await answer('allow');
  await first;
  await core.data.tables(accessTo(id, { ...clientCaller, clientName: 'Some client\u200b ' }));
});

test('a refusal of a bridge process also covers other bridge processes, unless they were admitted before', async () => {
  const { core, answer } = await coreWithUser({ timing: { refusalMs: 3_600_000 } });
  const { id } = await core.connections.create(asking);
  const open = await core.connections.create({ ...asking, name: 'Open', aiPolicy: 'alwaysAllow' });
  const bridge = (process: string): Caller => ({
    ...(client({ kind: 'bridge', id: 'b' }) as typeof clientCaller),
    process,
  });
  // A process may query `needsApproval`, or be refused without a question. Neither counts as admitted.
  expect(core.sessions.needsApproval(bridge('looked'), id)).toBe(true);
  const blocked = await core.connections.create({ ...asking, name: 'Shut', externalClients: 'blocked' });
  await expect(core.data.tables(accessTo(blocked.id, bridge('shut out')))).rejects.toThrow();
  await core.data.tables(accessTo(open.id, bridge('admitted without a question')));
  const waiting = core.data.tables(accessTo(id, bridge('admitted by the user')));
  await answer('allowOnce');
  await waiting;
  const call = core.data.tables(accessTo(id, bridge('asks')));
  await answer('refuse');
  await expect(call).rejects.toMatchObject({ code: 'not_approved' });
  await new Promise((resolve) => setTimeout(resolve, 5));
  for (const rotated of ['asks', 'looked', 'shut out', 'rotated']) {
    await expect(core.data.tables(accessTo(id, bridge(rotated)))).rejects.toMatchObject({
      code: 'not_approved',
    });
  }
  for (const before of ['admitted by the user', 'admitted without a question']) {
    const other = core.data.tables(accessTo(id, bridge(before)));
    await answer('allow');
    await other;
  }
});

test('after "allow once", a second waiting call of the same bridge process asks the user, even if another process was refused', async () => {
  const { core, answer } = await coreWithUser({ timing: { refusalMs: 3_600_000 } });
  const { id } = await core.connections.create(asking);
  const bridge = (process: string): Caller => ({
    ...(client({ kind: 'bridge', id: 'b' }) as typeof clientCaller),
    process,
  });
  const calls = [1, 2].map(() => core.data.tables(accessTo(id, bridge('waits'))));
  const [asked] = await questions(core);
  const other = core.data.tables(accessTo(id, bridge('refused')));
  const isOther = (one: { id: string }) => one.id !== asked!.id;
  await expect.poll(() => core.approvals.pending().filter(isOther)).toHaveLength(1);
  core.approvals.answer(core.approvals.pending().find(isOther)!.id, 'refuse');
  await expect(other).rejects.toMatchObject({ code: 'not_approved' });
  core.approvals.answer(asked!.id, 'allowOnce');
  await calls[0];
  await expect.poll(() => core.approvals.pending().filter(isOther)).toHaveLength(1);
  await answer('allow');
  await calls[1];
});

test('when a refusal has ended, the user is asked again', async () => {
  const { core, answer } = await coreWithUser({ timing: { refusalMs: 0 } });
  const { id } = await core.connections.create(asking);
  const call = core.data.tables(accessTo(id, client()));
  await answer('refuse');
  await expect(call).rejects.toMatchObject({ code: 'not_approved' });
  const again = core.data.tables(accessTo(id, client()));
  await answer('allow');
  await again;
});

test.each<[string, Caller, boolean]>([
  ['a client with another token', client({ id: 'token-2' }), true],
  ['a client with another name', { ...clientCaller, clientName: 'Other' }, true],
  ['a client in another process', { ...clientCaller, process: '42' }, true],
  ['the same client', client(), false],
])('after the user allowed one client, a call by $0 asks the user: $2', async (_, caller, asked) => {
  const { core, answer } = await coreWithUser();
  const { id } = await core.connections.create(asking);
  const first = core.data.tables(accessTo(id, client()));
  await answer('allow');
  await first;
  const second = core.data.tables(accessTo(id, caller));
  if (asked) await answer('allow');
  await second;
});

test('a bridge process stays the same client when its token is replaced; another bridge process is another client', async () => {
  const { core, answer } = await coreWithUser();
  const { id } = await core.connections.create(asking);
  const bridge = (token: string, process: string): Caller => ({
    ...(client({ kind: 'bridge', id: token }) as typeof clientCaller),
    process,
  });
  const first = core.data.tables(accessTo(id, bridge('first', 'p1')));
  await answer('allow');
  await first;
  await core.data.tables(accessTo(id, bridge('second', 'p1')));
  const stop = new AbortController();
  const other = core.data.tables(accessTo(id, bridge('second', 'p2'), stop.signal));
  await questions(core);
  stop.abort();
  await expect(other).rejects.toMatchObject({ code: 'cancelled' });
  expect(core.approvals.pending()).toEqual([]);
});

test('a question stays open while one of its callers waits', async () => {
  const { core, answer } = await coreWithUser();
  const { id } = await core.connections.create(asking);
  const stop = new AbortController();
  const leaving = core.data.tables(accessTo(id, client(), stop.signal));
  const staying = core.data.tables(accessTo(id, client()));
  const [before] = await questions(core);
  stop.abort();
  await expect(leaving).rejects.toMatchObject({ code: 'cancelled' });
  expect(core.approvals.pending()).toEqual([before]);
  await answer('allow');
  await staying;
});

test('the user is not asked about a call that would be refused anyway', async () => {
  const { core } = await coreWithUser();
  const { id } = await core.connections.create({ ...asking, externalClients: 'readOnly' });
  await expect(saved(core, accessTo(id, client()), { table: 't', changes: [] })).rejects.toMatchObject({
    code: 'read_only',
  });
  expect(core.approvals.pending()).toEqual([]);
});

test('a level that is lowered while the question is open applies to the call', async () => {
  const { core, answer } = await coreWithUser();
  const { id } = await core.connections.create(asking);
  const call = core.data.tables(accessTo(id, client()));
  await questions(core);
  await core.connections.update(id, { ...asking, externalClients: 'blocked' });
  await answer('allow');
  await expect(call).rejects.toMatchObject({ code: 'forbidden' });
});

const nobody = {
  code: 'not_approved',
  message: 'AI Policy is Ask Each Time and the app has no window to ask in',
  hint: expect.stringMatching(/Always Allow/),
};

test('with nobody to ask, the call is denied with a hint', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(asking);
  await expect(core.data.tables(accessTo(id, client()))).rejects.toMatchObject(nobody);
});

test('if a window can be opened, a question emits attentionNeeded; when no window is left, the call is denied', async () => {
  const { core, events } = await testCore();
  core.approvals.setPresence('canOpen');
  const { id } = await core.connections.create(asking);
  const call = core.data.tables(accessTo(id, client()));
  await questions(core);
  expect(events).toContainEqual({ type: 'attentionNeeded' });
  core.approvals.setPresence('window');
  expect(core.approvals.pending()).toHaveLength(1);
  core.approvals.setPresence('none');
  await expect(call).rejects.toMatchObject(nobody);
  expect(core.approvals.pending()).toEqual([]);
});

test('a call whose question is not answered is denied, and the next call asks again', async () => {
  const { core } = await coreWithUser({ timing: { approvalMs: 20 } });
  const { id } = await core.connections.create(asking);
  for (let time = 0; time < 2; time++) {
    await expect(core.data.tables(accessTo(id, client()))).rejects.toMatchObject({
      code: 'not_approved',
      message: 'The user did not answer in time',
    });
  }
});

test('a client cannot fill the screen with questions', async () => {
  const { core } = await coreWithUser();
  const { id } = await core.connections.create(asking);
  const stop = new AbortController();
  const calls = Array.from({ length: 21 }, (_, n) =>
    core.data.tables(accessTo(id, { ...clientCaller, clientName: `Client ${n}` }, stop.signal)),
  );
  await expect(calls.at(-1)).rejects.toMatchObject({
    code: 'not_approved',
    message: 'Too many questions already wait for the user',
  });
  expect(core.approvals.pending()).toHaveLength(20);
  stop.abort();
  await Promise.allSettled(calls);
  expect(core.approvals.pending()).toEqual([]);
});

test('closing the core denies the calls that wait for an answer', async () => {
  const { core } = await coreWithUser();
  const { id } = await core.connections.create(asking);
  const call = core.data.tables(accessTo(id, client()));
  const denied = expect(call).rejects.toMatchObject({
    code: expect.stringMatching(/cancelled|not_approved/),
  });
  await questions(core);
  await core.close();
  await denied;
});

test.each(['revoke', 'remove'] as const)('tokens.%s ends the approvals of the token', async (act) => {
  const { core, answer } = await coreWithUser();
  const { id } = await core.connections.create(asking);
  for (const token of ['first', 'second']) {
    const draft = { name: token, permission: 'readOnly' as const, allowlist: null, expiresAt: null };
    const { token: created } = core.tokens.create(draft);
    const call = core.data.tables(accessTo(id, client(created)));
    await answer('allow');
    await call;
  }
  core.tokens[act](core.tokens.list()[0]!.id);
  expect(core.approvals.granted().map(({ tokenName }) => tokenName)).toEqual(['second']);
});
