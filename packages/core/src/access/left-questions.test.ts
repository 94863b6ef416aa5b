import { expect, test } from 'vitest';
import { accessTo, client, fixtureDraft, testCore } from '../testing/test-core.ts';
import type { Actor, Caller, Core } from '../types.ts';

const terminal: Actor = { door: 'commandLine', isPerson: true };
const program: Actor = { door: 'commandLine', isPerson: false };

/** A core without a window. By default, the user can type a passphrase at a terminal. */
async function headless({
  hasPassphrase = true,
  ...timing
}: {
  hasPassphrase?: boolean;
  leftQuestionMs?: number;
  refusalMs?: number;
} = {}) {
  const { core } = await testCore({ timing });
  if (hasPassphrase) await core.administer(terminal).setPassphrase({ current: null, next: 'correct horse' });
  const { id } = await core.connections.create({ ...fixtureDraft, aiPolicy: 'askEachTime' });
  const use = (caller: Caller = client()) => core.data.tables(accessTo(id, caller));
  return { core, id, use };
}

const refused = async (call: Promise<unknown>): Promise<{ code: string; hint: string }> => {
  const error = await call.then(
    () => expect.unreachable(),
    (thrown) => thrown,
  );
  expect(error).toMatchObject({ code: 'not_approved' });
  return error;
};
const answer = (core: Core, id: string, given: 'allow' | 'allowOnce' | 'refuse', actor = terminal) =>
  core.administer(actor).answer(id, given);

test('the refusal of a client that no window can ask about names the command, and after its answer the next try goes through', async () => {
  const { core, use } = await headless();
  const { hint } = await refused(use());
  const [question] = core.approvals.pending();
  expect(question).toMatchObject({
    kind: 'access',
    clientWaits: false,
    shortId: expect.stringMatching(/^[0-9a-f]{4}$/),
  });
  expect(hint).toContain(`\`trestle approvals allow ${question!.shortId}\``);
  // A second try gets the same id: the user may be typing it.
  expect((await refused(use())).hint).toContain(question!.shortId);
  expect(core.approvals.pending()).toHaveLength(1);
  await answer(core, question!.id, 'allow');
  await use();
  await use();
  expect(core.approvals.pending()).toEqual([]);
  expect(core.approvals.granted()).toMatchObject([{ clientName: 'Some client' }]);
});

test('"allow once" counts for one request, and only for the one that the user saw', async () => {
  const { core, id, use } = await headless();
  await refused(use());
  await answer(core, core.approvals.pending()[0]!.id, 'allowOnce');
  await refused(core.data.runQuery(accessTo(id, client()), { text: 'SELECT 1', limit: 1 }));
  await refused(use());
  expect(core.approvals.granted()).toEqual([]);
  const [question] = core.approvals.pending();
  expect(question).toMatchObject({ action: 'query', statement: 'SELECT 1' });
});

test('an approved request runs once, not twice', async () => {
  const { core, use } = await headless();
  await refused(use());
  await answer(core, core.approvals.pending()[0]!.id, 'allowOnce');
  await use();
  await refused(use());
});

test('a refusal at a terminal holds for the next try', async () => {
  const { core, use } = await headless({ refusalMs: 3_600_000 });
  await refused(use());
  await answer(core, core.approvals.pending()[0]!.id, 'refuse', program);
  const { hint } = await refused(use());
  expect(hint).toContain('A refusal holds for 60 seconds');
  expect(core.approvals.pending()).toEqual([]);
});

test('without a passphrase no question stays, and the refusal says how to set one', async () => {
  const { core, use } = await headless({ hasPassphrase: false });
  expect((await refused(use())).hint).toContain('`trestle passphrase set`');
  expect(core.approvals.pending()).toEqual([]);
});

test('a program without the passphrase cannot allow a question, and the question stays', async () => {
  const { core, use } = await headless();
  await refused(use());
  const [question] = core.approvals.pending();
  await expect(answer(core, question!.id, 'allow', program)).rejects.toMatchObject({
    code: 'passphrase_needed',
  });
  await expect(answer(core, question!.shortId, 'allow')).rejects.toMatchObject({ code: 'not_found' });
  expect(core.approvals.pending()).toEqual([question]);
  await refused(use());
});

test('a question is answered once, and an expired one not at all', async () => {
  const { core, use } = await headless();
  await refused(use());
  const [question] = core.approvals.pending();
  await answer(core, question!.id, 'refuse');
  await expect(answer(core, question!.id, 'allow')).rejects.toMatchObject({ code: 'not_found' });
  await refused(use());
  const late = await headless({ leftQuestionMs: 20 });
  const waits = late.use();
  await refused(waits);
  const [expired] = late.core.approvals.pending();
  await expect.poll(() => late.core.approvals.pending()).toEqual([]);
  if (expired) {
    await expect(answer(late.core, expired.id, 'allow')).rejects.toMatchObject({ code: 'not_found' });
  }
  await refused(late.use());
});

test('an approval does not cover another token, another bridge process or another client name', async () => {
  const { core, use } = await headless();
  const mine = client() as Extract<Caller, { kind: 'client' }>;
  await refused(use(mine));
  await answer(core, core.approvals.pending()[0]!.id, 'allow');
  await refused(use(client({ id: 'token-2', name: 'Other' })));
  await refused(use({ ...mine, clientName: 'Another client' }));
  await refused(use({ ...mine, process: 'p' }));
  await use(mine);
});

test('a revoked token takes its questions with it', async () => {
  const { core, use } = await headless();
  const { token } = await core.administer(terminal).createToken({
    name: 'T',
    permission: 'readOnly',
    allowlist: null,
    expiresAt: null,
  });
  await refused(use(client(token)));
  expect(core.approvals.pending()).toHaveLength(1);
  await core.administer(terminal).revokeToken(token.id);
  expect(core.approvals.pending()).toEqual([]);
});

test('no more than twenty questions stay, and a further refusal says so', async () => {
  const { core, use } = await headless();
  for (let at = 0; at < 20; at += 1) await refused(use(client({ id: `t${at}` })));
  expect((await refused(use(client({ id: 'more' })))).hint).toContain('Too many questions wait already');
  expect(core.approvals.pending()).toHaveLength(20);
  expect(new Set(core.approvals.pending().map(({ shortId }) => shortId)).size).toBe(20);
});

test('one token leaves no more than eight questions, under any client names, and one refusal ends them', async () => {
  const { core, use } = await headless({ refusalMs: 3_600_000 });
  const named = (clientName: string) => ({ ...client(), clientName }) as Caller;
  for (let at = 0; at < 8; at += 1) await refused(use(named(`c${at}`)));
  expect((await refused(use(named('more')))).hint).toContain('Too many questions wait already');
  await refused(use(client({ id: 'token-2' })));
  expect(core.approvals.pending()).toHaveLength(9);
  await answer(core, core.approvals.pending()[3]!.id, 'refuse', program);
  expect(core.approvals.pending()).toMatchObject([{ clientName: 'Some client' }]);
  expect((await refused(use(named('again')))).hint).toContain('A refusal holds for 60 seconds');
});

test('a question whose window closed stays for the terminal', async () => {
  const { core, use } = await headless();
  core.approvals.setPresence('window');
  const call = use();
  const failed = refused(call);
  await expect.poll(() => core.approvals.pending()).toHaveLength(1);
  core.approvals.setPresence('none');
  await failed;
  expect(core.approvals.pending()).toMatchObject([{ clientWaits: false }]);
});

test('a connection that moves to another server loses its questions and its waiting approvals', async () => {
  const { core, id, use } = await headless();
  const saved = core.connections.get(id)!;
  const move = (host: string) =>
    core.administer(terminal).updateConnection(id, {
      ...fixtureDraft,
      aiPolicy: saved.aiPolicy,
      fields: { ...fixtureDraft.fields, host },
    });
  await refused(use());
  await move('other.example');
  expect(core.approvals.pending()).toEqual([]);
  await refused(use());
  await answer(core, core.approvals.pending()[0]!.id, 'allowOnce');
  await move('third.example');
  await refused(use());
});
