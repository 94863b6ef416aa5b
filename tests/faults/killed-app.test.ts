import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { processes, startApp, type TestApp } from '../e2e/app.ts';
import { busyHost, endless, isAlive } from './busy-host.ts';
import { tally } from './tally.ts';
import { openWindow, type WindowClient } from './window-client.ts';

interface Acknowledged {
  connections: Set<string>;
  tokens: Set<string>;
  history: Set<string>;
}

async function begin(): Promise<TestApp> {
  const app = await startApp();
  onTestFinished(() => app.close());
  return app;
}

const sizes = ({ connections, tokens, history }: Acknowledged) => [
  connections.size,
  tokens.size,
  history.size,
];

const draft = (name: string, file: string) => ({
  name,
  driver: 'sqlite',
  fields: { file },
  externalClients: 'readOnly',
  aiPolicy: 'askEachTime',
  safeMode: 'off',
  color: null,
});

/** Writes connections, tokens and history entries as fast as the app accepts them, until the app is gone. */
async function writeUntilGone(window: WindowClient, sample: string, round: number, seen: Acknowledged) {
  const repeat = async (write: (n: number) => Promise<unknown>) => {
    for (let n = 0; ; n++) {
      try {
        await write(n);
      } catch {
        return;
      }
    }
  };
  await Promise.all([
    repeat(async (n) => {
      const input = draft(`c ${round} ${n}`, '/nowhere.db');
      seen.connections.add((await window.call('connections.create', input)).id);
    }),
    repeat(async (n) => {
      const input = { name: `t ${round} ${n}`, permission: 'readOnly', allowlist: null, expiresAt: null };
      seen.tokens.add((await window.call('tokens.create', input)).token.id);
    }),
    repeat(async (n) => {
      seen.history.add((await window.run(sample, `SELECT ${round}, ${n}`)).historyId);
    }),
  ]);
}

async function kept(window: WindowClient, sample: string): Promise<Acknowledged> {
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const history = new Set<string>();
  let before: string | undefined;
  for (;;) {
    const rows = await window.call('history.search', { connectionIds: [sample], limit: 500, before });
    for (const id of ids(rows)) history.add(id);
    before = rows.at(-1)?.id;
    if (rows.length < 500) break;
  }
  return {
    connections: new Set(ids(await window.call('connections.list'))),
    tokens: new Set(ids(await window.call('tokens.list'))),
    history,
  };
}

/** Set TRESTLE_APP_KILLS=200 for a long run. */
const kills = Number(process.env.TRESTLE_APP_KILLS ?? 6);
const timeout = 120_000 + kills * 15_000;

test(`kill -9 at a random moment loses no acknowledged write (${kills} kills)`, { timeout }, async () => {
  const app = await begin();
  const { id: sample } = await app.sample();
  const seen: Acknowledged = { connections: new Set(), tokens: new Set(), history: new Set() };
  for (let round = 0; round < kills; round++) {
    const window = await openWindow(app);
    const before = sizes(seen);
    const writing = writeUntilGone(window, sample, round, seen);
    // Waits until this round has written each kind of entry. On a slow machine, the random delay may be too short.
    await expect.poll(() => sizes(seen).every((size, kind) => size > before[kind]!)).toBe(true);
    await delay(Math.random() * 500);
    await app.kill();
    tally('kills of the app while a window writes', 1);
    await writing;
    await app.start();
    const found = await kept(await openWindow(app), sample);
    for (const kind of ['connections', 'tokens', 'history'] as const) {
      expect([round, kind, [...seen[kind].difference(found[kind])]]).toEqual([round, kind, []]);
    }
  }
});

test('a stop during a statement leaves no process behind', async () => {
  const app = await begin();
  const { id: sample, fields } = await app.sample();
  const window = await openWindow(app);
  const other = await window.call('connections.create', draft('Other', fields.file));
  const answers = [window.run(sample, endless), window.run(other.id, 'SELECT 1')].map((answer) =>
    answer.catch((error: Error) => error),
  );
  await answers[1];
  await expect.poll(() => app.hosts().length).toBe(2);
  const family = familyOf(app.pid);
  expect(await app.stop()).toMatchObject({ code: 0, stdout: 'Trestle has stopped.\n' });
  await Promise.all(answers);
  expect(family.filter(isAlive)).toEqual([]);
});

test('a busy driver ends when the app is killed', async () => {
  const app = await begin();
  const { id: sample } = await app.sample();
  const window = await openWindow(app);
  const answer = window.run(sample, endless).catch(() => 'gone');
  const host = await busyHost(app);
  await app.kill();
  expect(await answer).toBe('gone');
  await expect.poll(() => isAlive(host)).toBe(false);
});

/** A process and all its descendants. */
function familyOf(pid: number): number[] {
  const all = processes();
  const below = (parent: number): number[] => {
    const children = all.filter((one) => one.parent === parent).map((one) => one.pid);
    return [...children, ...children.flatMap(below)];
  };
  return [pid, ...below(pid)];
}
