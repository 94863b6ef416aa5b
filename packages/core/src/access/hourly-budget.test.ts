import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openFile } from '../storage/storage.ts';
import { temporaryFolder } from '../testing/test-core.ts';
import { type Holder, HourlyBudget, nothing } from './hourly-budget.ts';
import { type Clock, SpentRows } from './spent-rows.ts';

const minute = 60_000;
const hourMs = 60 * minute;
const { signal } = new AbortController();

function setUp(path = join(temporaryFolder(), 'trestle.db')) {
  const time = { boot: 10 * hourMs, day: Date.UTC(2026, 0, 1) };
  const clock: Clock = { sinceBoot: () => time.boot, timeOfDay: () => time.day };
  const problems: unknown[] = [];
  const open = () => {
    const storage = openFile(path);
    onTestFinished(() => storage.close());
    const rows = new SpentRows(storage, clock);
    const budget = new HourlyBudget({ rows, clock, hourMs, onUnstored: (error) => problems.push(error) });
    return { budget, storage };
  };
  const pass = (ms: number) => {
    time.boot += ms;
    time.day += ms;
  };
  return { ...open(), open, pass, time, problems };
}

const holder = (...keys: string[]): Holder => ({ keys, limit: () => ({ changed: 1_000, inserted: 5_000 }) });
const changed = (rows: number) => ({ changed: rows, inserted: 0 });
const one = holder('bridge');

function spend(budget: HourlyBudget, rows: number, who = one): number {
  const hold = budget.take(who, changed(rows));
  hold.settle(hold.amount);
  return hold.amount.changed;
}

test('the hour slides: rows stop counting one by one, an hour after they were written', () => {
  const { budget, pass } = setUp();
  expect(spend(budget, 600)).toBe(600);
  pass(30 * minute);
  expect(spend(budget, 600)).toBe(400);
  expect(budget.used(one)).toEqual({ written: changed(1_000), oldestEndsMs: 30 * minute });
  pass(30 * minute);
  expect(spend(budget, 1_000)).toBe(600);
  pass(30 * minute);
  expect(spend(budget, 1_000)).toBe(400);
});

test('new rows have a count of their own', () => {
  const { budget } = setUp();
  budget.take(one, { changed: 0, inserted: 5_000 }).settle({ changed: 0, inserted: 5_000 });
  expect(budget.take(one, { changed: 10, inserted: 10 }).amount).toEqual(changed(10));
});

test('calls at the same time take their rows before they run, and give back what they did not write', async () => {
  const { budget } = setUp();
  const holds = Array.from({ length: 12 }, () => budget.take(one, changed(100)));
  expect(holds.map(({ amount }) => amount.changed)).toEqual([...Array(10).fill(100), 0, 0]);
  const waiting = budget.reserve(one, changed(150), signal);
  expect(await Promise.race([waiting, 'waits'])).toBe('waits');
  holds[0]!.settle(nothing);
  holds[1]!.settle(changed(50));
  holds[1]!.settle(nothing);
  expect((await waiting)?.amount).toEqual(changed(150));
  expect(budget.take(one, changed(100)).amount).toEqual(nothing);
});

test('a call does not wait if no running call can give back enough', async () => {
  const { budget } = setUp();
  spend(budget, 950);
  budget.take(one, changed(50));
  expect(await budget.reserve(one, changed(60), signal)).toBeUndefined();
  const controller = new AbortController();
  const waiting = budget.reserve(one, changed(50), controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
});

test('a call must fit into each count of its holder', () => {
  const { budget } = setUp();
  spend(budget, 900, holder('new tokens', 'token a'));
  expect(spend(budget, 900, holder('new tokens', 'token b'))).toBe(100);
  expect(spend(budget, 900, holder('token a'))).toBe(100);
  expect(spend(budget, 1_000, holder('token b'))).toBe(900);
});

test('after a yes the count begins again, with the rows of the call that asked', async () => {
  const { budget, open } = setUp();
  spend(budget, 1_000);
  const hold = budget.renew(one, changed(100));
  expect(budget.take(one, changed(1_000)).amount).toEqual(changed(900));
  hold.settle(changed(100));
  expect(open().budget.used(one).written).toEqual(changed(100));
});

test('the count outlives the app, and a call without an end counts in full', () => {
  const { budget, open, pass } = setUp();
  spend(budget, 300);
  pass(5 * minute);
  budget.take(one, changed(200));
  budget.close();
  const later = open().budget;
  expect(later.used(one)).toEqual({ written: changed(500), oldestEndsMs: 55 * minute });
  pass(55 * minute);
  expect(later.used(one).written).toEqual(changed(200));
  expect(open().budget.used(one).written).toEqual(changed(200));
});

test('a kill between two calls loses no row of a call that has ended', () => {
  const { budget, open } = setUp();
  spend(budget, 400);
  spend(budget, 400);
  expect(open().budget.used(one).written).toEqual(changed(800));
});

test.each([
  ['forward', 48 * hourMs],
  ['back', -48 * hourMs],
])('a clock that is set %s gives no new rows, in the same run and after a restart of the app', (_, jump) => {
  const { budget, open, time, pass } = setUp();
  spend(budget, 1_000);
  time.day += jump;
  pass(59 * minute);
  expect(spend(budget, 1)).toBe(0);
  const later = open().budget;
  expect(spend(later, 1)).toBe(0);
  pass(minute);
  expect(spend(later, 1)).toBe(1);
});

test('after a restart of the machine, the time of day counts, and a clock set back locks nobody out', () => {
  const { budget, open, time, pass } = setUp();
  spend(budget, 1_000);
  time.boot = minute;
  time.day += 10 * minute;
  const later = open().budget;
  expect(later.used(one)).toEqual({ written: changed(1_000), oldestEndsMs: 50 * minute });
  time.boot = 0;
  time.day -= 48 * hourMs;
  const last = open().budget;
  expect(spend(last, 1)).toBe(0);
  pass(hourMs);
  expect(spend(last, 1)).toBe(1);
});

test('a count that cannot be stored holds until the app stops', () => {
  const { budget, storage, problems } = setUp();
  storage.close();
  expect(spend(budget, 900)).toBe(900);
  expect(spend(budget, 900)).toBe(100);
  expect(problems).toHaveLength(2);
});

test('only the rows of the last hour are stored', () => {
  const { budget, storage, pass } = setUp();
  for (let at = 0; at < 180; at++) {
    spend(budget, 1);
    spend(budget, 1);
    pass(minute);
  }
  expect(storage.get('SELECT count(*) AS n FROM spent_rows')).toEqual({ n: 60 });
});
