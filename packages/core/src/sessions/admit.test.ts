import { expect, test } from 'vitest';
import { accessTo, client, fixtureDraft, questions, testCore } from '../testing/test-core.ts';

const network = { code: 'connection_failed', message: 'Connection failed: no route' } as const;
const asking = { ...fixtureDraft, aiPolicy: 'askEachTime' } as const;

test('admit asks the user and writes a log entry like a read does, and opens no session', async () => {
  const { core, behave } = await testCore();
  core.approvals.setPresence('window');
  behave({ fail: { connect: network } });
  const { id } = await core.connections.create(asking);
  expect(core.sessions.needsApproval(client(), id)).toBe(true);
  expect(core.approvals.pending()).toEqual([]);
  const admitted = core.sessions.admit(accessTo(id, client()), 'history');
  const [question] = await questions(core);
  expect(question).toMatchObject({ kind: 'access', action: 'history' });
  core.approvals.answer(question!.id, 'allow');
  await admitted;
  expect(core.sessions.needsApproval(client(), id)).toBe(false);
  expect(core.sessions.status(id).state).toBe('disconnected');
  expect(core.activity.list({ limit: 9 })).toMatchObject([
    { action: 'history', outcome: 'ok', connectionId: id, tokenName: 'My token' },
  ]);
});
