import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openOrSetAside } from '../../packages/core/src/storage/set-aside.ts';
import { contents, makeDamagedHome } from '../../packages/core/src/storage/testing/damaged-home.ts';
import { tally } from './tally.ts';

/**
 * Set TRESTLE_RESCUE_KILLS=200 for a long run. A rescue has fewer steps, so a start is then killed before each step.
 */
const kills = Number(process.env.TRESTLE_RESCUE_KILLS ?? 20);

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'trestle-rescue-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Opens the data directory in a new process, as the app does. The process kills itself before step `killAt`. */
function start(home: string, killAt: number | null) {
  const child = join(import.meta.dirname, 'rescue-child.ts');
  const args = ['--disable-warning=ExperimentalWarning', child, home, String(killAt ?? '')];
  const { signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { isKilled: signal === 'SIGKILL', stdout, stderr };
}

function expectWhole(home: string, expected: ReturnType<typeof contents>): void {
  const { storage, setAside } = openOrSetAside(home);
  expect(contents(storage)).toEqual(expected);
  expect(setAside?.rescued).toEqual({ connections: 3, lost: [] });
  storage.close();
  const [aside, ...others] = readdirSync(home).filter((name) => /\.damaged-[^-]*$/.test(name));
  expect(others).toEqual([]);
  expect(setAside?.movedTo).toBe(join(home, aside!));
  const left = readdirSync(home).filter((name) => !name.startsWith(aside!));
  expect(left).toEqual(['trestle.db']);
}

/** All steps that rename or sync, and other steps at regular intervals. */
function chosen(steps: string[]): number[] {
  const all = steps.map((name, index) => ({ name, index }));
  const moving = all.filter(({ name }) => name === 'renameSync' || name === 'fsyncSync');
  const rest = all.filter((one) => !moving.includes(one));
  const every = Math.max(1, Math.ceil(rest.length / Math.max(1, kills - moving.length)));
  return [...moving, ...rest.filter((_, place) => place % every === 0)].map(({ index }) => index);
}

test(`after kill -9 at a step of a rescue, a later start rescues as much as without a kill (about ${kills} steps)`, {
  timeout: 120_000 + kills * 10_000,
}, () => {
  const damaged = folder();
  makeDamagedHome(damaged, folder());
  const copy = () => {
    const home = folder();
    cpSync(damaged, home, { recursive: true });
    return home;
  };
  const untouched = copy();
  const { stdout, stderr } = start(untouched, null);
  expect(stderr).toBe('');
  const steps = JSON.parse(stdout) as string[];
  const { storage } = openOrSetAside(untouched);
  const expected = contents(storage);
  storage.close();
  expect(expected.connections).toHaveLength(3);

  let count = 0;
  for (const step of chosen(steps)) {
    const home = copy();
    expect([step, start(home, step).isKilled]).toEqual([step, true]);
    // The next start is killed too, at a random step, unless it ends before that step.
    const again = start(home, Math.floor(Math.random() * steps.length));
    count += again.isKilled ? 2 : 1;
    expectWhole(home, expected);
    rmSync(home, { recursive: true, force: true });
  }
  tally('kills of a start that rescues a damaged trestle.db', count);
  console.log(`${count} kills at ${chosen(steps).length} of ${steps.length} steps`);
});
