import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tally } from '../faults/tally.ts';
import { createUserHome, endProcess, trestleMcp, type UserHome } from './bridge-home.ts';

/*
 * The app is killed at random moments, perhaps during its start, while a client keeps calling. The bridge starts
 * the app again. TRESTLE_KILLS=200 is the long form; the default is 8. TRESTLE_SEED sets the seed of the random
 * pauses.
 */
const kills = Number(process.env.TRESTLE_KILLS ?? 8);
const seed = Number(process.env.TRESTLE_SEED ?? Date.now() % 1_000_000);
const random = mulberry(seed);

let home: UserHome;
beforeEach(() => {
  home = createUserHome();
});
afterEach(() => home.close());

interface Answer {
  id: number;
  result?: { isError?: boolean; content?: { text: string }[] };
  error?: { code: number; message: string };
}

test.runIf(process.platform === 'linux')(
  `${kills} kills: each call gets exactly one answer, and no process is left running`,
  { timeout: 120_000 + kills * 20_000 },
  async () => {
    const client = startClient(home);
    expect((await client.call()).result).toBeDefined();
    let isOver = false;
    const caller = async () => {
      while (!isOver) {
        await client.call();
        await delay(20 + random() * 60);
      }
    };
    const callers = [caller(), caller(), caller()];
    let killed = 0;
    const found = new Set<number>();
    while (killed < kills) {
      await delay(random() * 4_000);
      const apps = home.processes().filter(({ command }) => /trestle\.js start/.test(command));
      for (const { pid } of apps) {
        if (found.has(pid)) continue;
        found.add(pid);
        endProcess(pid);
        killed += 1;
        tally('kills of the app under a bridge', 1);
      }
    }
    isOver = true;
    await Promise.all(callers);
    expect((await client.call()).result?.isError).toBeFalsy();

    const answers = client.answers();
    const failures = answers.filter(({ error }) => error);
    for (const { error } of failures) {
      expect(error?.message).toMatch(/^(Trestle (is not running|did not answer)|The endpoint on)/);
    }
    for (const { result } of answers) {
      if (result?.isError) expect(result.content?.[0]?.text).toMatch(/^[a-z_]+: /);
    }
    expect(client.unanswered()).toEqual([]);
    expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual(answers.map((_, index) => index + 1));
    console.log(
      `seed ${seed}: ${killed} kills, ${answers.length} calls, ${failures.length} with an error: ` +
        JSON.stringify(Object.fromEntries(countBy(failures.map(({ error }) => words(error?.message))))),
    );

    expect(await client.end()).toBe(0);
    await home.run('stop');
    await expect.poll(home.processes).toEqual([]);
  },
);

function startClient({ env, folder }: UserHome) {
  const child = spawn(trestleMcp, [], { env, cwd: folder });
  const waiting = new Map<number, (answer: Answer) => void>();
  const answers: Answer[] = [];
  let count = 0;
  child.stderr.resume();
  createInterface(child.stdout).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    answers.push(answer);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  return {
    answers: () => answers,
    unanswered: () => [...waiting.keys()],
    call(): Promise<Answer> {
      const id = ++count;
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const timer = setTimeout(() => reject(new Error(`Call ${id} hangs`)), 90_000);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      const query = { connection_id: 'Sample: SQLite', query: `SELECT ${id}` };
      const [name, args] = id % 2 ? ['list_connections', {}] : ['execute_query', query];
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`,
      );
      return promise;
    },
    async end(): Promise<number | null> {
      const exit = once(child, 'exit');
      child.stdin.end();
      return (await exit)[0] as number | null;
    },
  };
}

function words(message: string | undefined): string {
  return (message ?? '').split(/[:.]/)[0] ?? '';
}

function countBy(values: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function mulberry(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
