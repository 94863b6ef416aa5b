import { expect, test } from 'vitest';
import { left, openStars, reached, remove } from '../testing/stars.ts';
import { accessTo, client } from '../testing/test-core.ts';
import type { Actor, Caller, Core } from '../types.ts';

const terminal: Actor = { door: 'commandLine', isPerson: true };
const program: Actor = { door: 'commandLine', isPerson: false };

/** Stars without a window, whose hour is used up. */
async function headless({ hasPassphrase = true, refusalMs = 0 } = {}) {
  const parts = await openStars({ timing: { refusalMs } });
  const { core, id } = parts;
  if (hasPassphrase) await core.administer(terminal).setPassphrase({ current: null, next: 'correct horse' });
  await remove(core, id, 100);
  const refused = async (call: Promise<unknown>): Promise<string> => {
    const error = await call.then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    expect(error).toMatchObject(reached);
    return error.hint;
  };
  return { ...parts, refused };
}

const answer = (core: Core, given: 'allow' | 'allowOnce' | 'refuse', actor = terminal) =>
  core.administer(actor).answer(core.approvals.pending()[0]!.id, given);

test.each(['allow', 'allowOnce'] as const)(
  '"%s" at a terminal gives the next call the rows of one more hour',
  async (given) => {
    const { core, id, refused } = await headless();
    const hint = await refused(remove(core, id, 10));
    const [question] = core.approvals.pending();
    expect(question).toMatchObject({
      kind: 'budget',
      clientWaits: false,
      title: 'Let “Some client” change or delete 100 more rows in “Stars”?',
      statement: expect.stringContaining('LIMIT 10'),
    });
    expect(hint).toContain(`\`trestle approvals allow ${question!.shortId}\``);
    // A second try gets the same id: the user may be typing it.
    expect(await refused(remove(core, id, 20))).toContain(question!.shortId);
    expect(core.approvals.pending()).toHaveLength(1);
    await answer(core, given);
    expect(core.approvals.pending()).toEqual([]);
    await remove(core, id, 60);
    await remove(core, id, 40);
    expect(await left(core, id)).toBe(800);
    // The approval is used up.
    expect(await refused(remove(core, id, 1))).not.toContain(question!.shortId);
    expect(core.approvals.pending()).toHaveLength(1);
  },
);

test('without a passphrase no question stays, and the refusal says how to set one', async () => {
  const { core, id, refused } = await headless({ hasPassphrase: false });
  expect(await refused(remove(core, id, 1))).toContain('`trestle passphrase set`');
  expect(core.approvals.pending()).toEqual([]);
});

test('a program may refuse the question, and may not allow it', async () => {
  const { core, id, refused } = await headless({ refusalMs: 3_600_000 });
  await refused(remove(core, id, 1));
  await expect(answer(core, 'allow', program)).rejects.toMatchObject({ code: 'passphrase_needed' });
  const add = 'INSERT INTO stars (name) SELECT name FROM stars';
  await refused(core.data.runQuery(accessTo(id, client()), { text: add, limit: 1 }));
  expect(core.approvals.pending()).toHaveLength(2);
  // One refusal ends all questions about the same rows.
  await answer(core, 'refuse', program);
  expect(await refused(remove(core, id, 1))).toContain('a refusal holds for 60 seconds');
  expect(core.approvals.pending()).toEqual([]);
});

test('an approval covers one more hour, and no call that needs more than an hour has', async () => {
  const { core, id, refused } = await headless();
  const double = () =>
    core.data.runQuery(accessTo(id, client()), {
      text: 'INSERT INTO stars (name) SELECT name FROM stars',
      limit: 1,
    });
  await refused(remove(core, id, 1));
  await answer(core, 'allow');
  await refused(double());
  expect(core.approvals.pending()).toMatchObject([
    { title: 'Let “Some client” add 900 more rows to “Stars”?', wanted: { inserted: 900 } },
  ]);
  await answer(core, 'allow');
  await double();
  // The first approval still counts, for a call that an hour has rows for.
  await remove(core, id, 100);
  await remove(core, id, 100);
  expect(await left(core, id)).toBe(1600);
  await refused(double());
});

test('an approval does not cover another token, and all bridge processes share it', async () => {
  const { core, id, refused } = await headless();
  const bridge = (process: string): Caller => ({
    ...(client({ id: process, name: '__stdio_bridge__', kind: 'bridge' }) as Extract<
      Caller,
      { kind: 'client' }
    >),
    process,
  });
  await remove(core, id, 100, bridge('one'));
  await refused(remove(core, id, 1));
  await answer(core, 'allow');
  await refused(remove(core, id, 1, bridge('one')));
  await answer(core, 'allow');
  await remove(core, id, 1, bridge('two'));
  await remove(core, id, 100);
  await refused(remove(core, id, 100, bridge('one')));
});

test('a connection that moves to another file loses its question and its approval', async () => {
  const { core, id, file, refused } = await headless();
  const move = async (to: string) => {
    const saved = core.connections.get(id)!;
    await core.administer(terminal).updateConnection(id, { ...saved, fields: { file: to } });
  };
  await refused(remove(core, id, 1));
  await answer(core, 'allow');
  await refused(remove(core, id, 100).then(() => remove(core, id, 1)));
  await move(`${file}.other`);
  expect(core.approvals.pending()).toEqual([]);
  await move(file);
  await refused(remove(core, id, 1));
});
