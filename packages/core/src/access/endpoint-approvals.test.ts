import type { EndpointNeed } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { accessTo, client, fixtureDraft, questions, saved, testCore } from '../testing/test-core.ts';
import type { Actor, Caller, ConnectionDraft, Core } from '../types.ts';

const address = (value = 'http://evil.example', table = 'stars'): EndpointNeed => ({
  endpoints: [{ table, setting: 'moduleconfig.m.baseurl', value }],
  keys: ['x-openai-api-key'],
});
const fault = (need: EndpointNeed) => ({
  code: 'endpoint_unapproved' as const,
  message: 'A key could leave',
  endpoints: need,
});
const open: ConnectionDraft = { ...fixtureDraft, aiPolicy: 'alwaysAllow', externalClients: 'readWrite' };
const terminal: Actor = { door: 'commandLine', isPerson: true };
const refused = { code: 'endpoint_unapproved', message: expect.stringContaining('name an address') };

async function coreWith(need: EndpointNeed, draft = open, ...[options]: Parameters<typeof testCore>) {
  const parts = await testCore(options);
  const { id } = await parts.core.connections.create(draft);
  const ask = (given: EndpointNeed) =>
    parts.behave({ fail: { run: fault(given), search: fault(given), beforeChanges: fault(given) } });
  ask(need);
  return { ...parts, id, ask };
}

const run = (core: Core, id: string, caller: Caller = client(), isProgram = false) =>
  core.data.runQuery({ ...accessTo(id, caller), isProgram }, { text: 'SELECT 1', limit: 1 });
const search = (core: Core, id: string, caller: Caller = client()) =>
  core.data.search(accessTo(id, caller), {
    ...{ table: 'stars', mode: 'near_text', text: 'x', filters: [], match: 'all', limit: 1 },
  });
const save = (core: Core, id: string, caller: Caller = client()) =>
  saved(core, accessTo(id, caller), {
    table: 'stars',
    changes: [{ kind: 'insert', id: '1', values: { id: 3 } }],
  });

async function allow(core: Core, count = 1): Promise<void> {
  const [question] = await questions(core, count);
  core.approvals.answer(question!.id, 'allow');
}

test('an approval is stored: it holds for every method, client and process, also after a restart', async () => {
  const { core, id, home, driver } = await coreWith(address());
  core.approvals.setPresence('window');
  const first = run(core, id);
  await allow(core);
  await first;
  await search(core, id, client({ id: 'other', name: 'Other' }));
  await save(core, id);
  expect(core.approvals.granted()).toMatchObject([
    { connection: { id }, clientName: 'Some client', endpoint: address().endpoints[0] },
  ]);
  await core.close();
  const { core: later } = await testCore({ home, bundledDrivers: [driver.directory] });
  await run(later, id);
  expect(later.approvals.granted()).toHaveLength(1);
});

test('the person is not asked, and a program is refused without a question', async () => {
  const { core, id } = await coreWith(address());
  core.approvals.setPresence('window');
  await run(core, id, { kind: 'person' });
  await save(core, id, { kind: 'person' });
  await expect(run(core, id, { kind: 'person' }, true)).rejects.toMatchObject(refused);
  expect(core.approvals.pending()).toEqual([]);
});

test('calls that need the same approval share one question, and a refusal ends all of them', async () => {
  const { core, id } = await coreWith(address());
  core.approvals.setPresence('window');
  const calls = [run(core, id), search(core, id), save(core, id)];
  const [question] = await questions(core);
  expect(question).toMatchObject({ kind: 'endpoint', table: 'stars', keys: ['x-openai-api-key'] });
  core.approvals.answer(question!.id, 'refuse');
  await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(refused)));
  await expect(run(core, id)).rejects.toMatchObject(refused);
  expect([core.approvals.pending(), core.approvals.granted()]).toEqual([[], []]);
});

test.each<[string, EndpointNeed]>([
  ['value', address('http://evil.example/')],
  ['port', address('http://evil.example:81')],
  ['case', address('http://Evil.example')],
  ['collection', address('http://evil.example', 'planets')],
  [
    'further address',
    { ...address(), endpoints: [...address().endpoints, ...address('http://b.example').endpoints] },
  ],
])('an approval does not cover another %s', async (_what, other) => {
  const { core, id, ask } = await coreWith(address());
  core.approvals.setPresence('window');
  const first = run(core, id);
  await allow(core);
  await first;
  ask(other);
  core.approvals.setPresence('none');
  await expect(run(core, id)).rejects.toMatchObject(refused);
});

test.each<[string, Partial<ConnectionDraft>]>([
  ['field', { fields: { host: 'other', port: 8080, auth: 'none' } }],
  ['key', { fields: { ...open.fields, headers: [{ name: 'X-New', value: 'secret' }] } }],
])(
  'an approval ends if a %s of the connection changes, and so does an open question',
  async (_what, changes) => {
    const { core, id } = await coreWith(address());
    core.approvals.setPresence('window');
    const first = run(core, id);
    await allow(core);
    await first;
    await core.connections.update(id, { ...open, ...changes });
    expect(core.approvals.granted()).toEqual([]);
    const second = run(core, id);
    const [question] = await questions(core);
    await core.connections.update(id, open);
    core.approvals.answer(question!.id, 'allow');
    await expect(second).rejects.toMatchObject({ code: 'not_approved' });
    expect(core.approvals.granted()).toEqual([]);
  },
);

test('other changes of the connection leave the approval, its removal and a withdrawal end it', async () => {
  const { core, id } = await coreWith(address());
  core.approvals.setPresence('window');
  const first = run(core, id);
  await allow(core);
  await first;
  const { apiKey: _, ...kept } = open.fields;
  await core.connections.update(id, { ...open, fields: kept, name: 'New name', reachLimit: 5 });
  const [granted] = core.approvals.granted();
  expect(granted).toMatchObject({ connection: { name: 'New name' } });
  core.approvals.withdraw(granted!.id);
  expect(() => core.approvals.withdraw(granted!.id)).toThrow('no longer holds');
  const second = run(core, id);
  await allow(core);
  await second;
  await core.connections.remove(id);
  expect(core.approvals.granted()).toEqual([]);
});

test('a driver that always names another address ends in an error, not in endless questions', async () => {
  const { core, id, ask } = await coreWith(address('http://0.example'));
  core.approvals.setPresence('window');
  const asked = new Set<string>();
  core.events.on(({ type }) => {
    if (type !== 'approvalsChanged') return;
    for (const one of core.approvals.pending()) {
      if (asked.has(one.id)) continue;
      asked.add(one.id);
      ask(address(`http://${asked.size}.example`));
      core.approvals.answer(one.id, 'allow');
    }
  });
  await expect(run(core, id)).rejects.toThrow('A key could leave');
  expect(asked.size).toBe(10);
});

test('without a window the refusal names the command, and an approval at a terminal holds for the next tries', async () => {
  const { core, id } = await coreWith(address());
  await expect(run(core, id)).rejects.toMatchObject({
    ...refused,
    hint: expect.stringContaining('trestle passphrase set'),
  });
  expect(core.approvals.pending()).toEqual([]);
  await core.administer(terminal).setPassphrase({ current: null, next: 'correct horse' });
  const { hint } = (await run(core, id).catch((error) => error)) as { hint: string };
  const [question] = core.approvals.pending();
  expect(question).toMatchObject({ kind: 'endpoint', clientWaits: false, table: 'stars' });
  expect(hint).toContain(`\`trestle approvals allow ${question!.shortId}\``);
  // A second try, also by another method, gets the same question.
  await expect(search(core, id)).rejects.toMatchObject({
    hint: expect.stringContaining(question!.shortId),
  });
  await core.administer(terminal).answer(question!.id, 'allow');
  expect(core.approvals.granted()).toMatchObject([{ endpoint: { value: 'http://evil.example' } }]);
  await run(core, id);
  await save(core, id);
});

test('a refusal at a terminal holds, and a changed key ends the question that waits there', async () => {
  const { core, id } = await coreWith(address());
  await core.administer(terminal).setPassphrase({ current: null, next: 'correct horse' });
  await expect(run(core, id)).rejects.toMatchObject(refused);
  const [question] = core.approvals.pending();
  const headers = [{ name: 'X-New', value: 'secret' }];
  await core.connections.update(id, { ...open, fields: { ...open.fields, headers } });
  expect(core.approvals.pending()).toEqual([]);
  await expect(core.administer(terminal).answer(question!.id, 'allow')).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(run(core, id)).rejects.toMatchObject(refused);
  await core.administer(terminal).answer(core.approvals.pending()[0]!.id, 'refuse');
  await expect(run(core, id)).rejects.toMatchObject({ hint: expect.stringContaining('60 seconds') });
  expect(core.approvals.granted()).toEqual([]);
});
