import { expect, test } from 'vitest';
import { DialBudget } from './dial-budget.ts';

const limits = { open: 3, burst: 2, perSecond: 10, refusals: 2 };

test('dials beyond the burst wait their turn', () => {
  let now = 0;
  const budget = new DialBudget(limits, () => now);
  expect([budget.take(), budget.take(), budget.take()]).toEqual([0, 0, 100]);
  budget.release();
  expect(budget.take()).toBe(200);
  now = 1_000;
  budget.release();
  expect(budget.take()).toBe(0);
});

test('a driver that keeps asking for sockets beyond its limit is stopped, and the count of refusals starts again after a pause', () => {
  let now = 0;
  const budget = new DialBudget(limits, () => now);
  for (let count = 0; count < limits.open; count++) budget.take();
  expect([budget.take(), budget.take(), budget.take()]).toEqual(['too_many', 'too_many', 'stop']);
  now = 10_000;
  expect(budget.take()).toBe('too_many');
});

test('a driver that keeps asking for sockets beyond its limit is stopped, even if it asks no faster than `perSecond`', () => {
  let now = 0;
  const budget = new DialBudget(limits, () => now);
  for (let count = 0; count < limits.open; count++) budget.take();
  now = 1_000;
  const answers = Array.from({ length: 3 }, () => {
    now += 100;
    return budget.take();
  });
  expect(answers).toEqual(['too_many', 'too_many', 'stop']);
});

test('a driver that dials all the time is not stopped for a refusal now and then', () => {
  let now = 0;
  const budget = new DialBudget({ ...limits, burst: 20 }, () => now);
  for (let count = 0; count < limits.open; count++) budget.take();
  for (let count = 0; count < 1_000; count++) {
    now += 500;
    if (count % 100 === 0) expect(budget.take()).toBe('too_many');
    budget.release();
    expect(budget.take()).toBe(0);
  }
});

test('a driver that keeps dialling without waiting for its delayed dials is stopped', () => {
  const budget = new DialBudget({ ...limits, refusals: 50 }, () => 0);
  const answers = Array.from({ length: 60 }, () => {
    const answer = budget.take();
    if (typeof answer === 'number') budget.release();
    return answer;
  });
  expect(answers.slice(0, 52)).not.toContain('stop');
  expect(answers.at(-1)).toBe('stop');
});
