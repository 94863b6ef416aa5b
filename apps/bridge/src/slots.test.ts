import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

test('a waiting call gets a slot in its turn, and a cancelled one leaves the queue', async () => {
  const slots = new Slots(1);
  expect([slots.take(), slots.take()]).toEqual([true, false]);
  const order: string[] = [];
  const wait = (name: string, signal: AbortSignal) =>
    slots.wait(signal).then(
      () => order.push(name),
      () => order.push(`${name} gave up`),
    );
  const controller = new AbortController();
  const never = new AbortController().signal;
  const all = [wait('first', never), wait('second', controller.signal), wait('third', never)];
  controller.abort();
  slots.give();
  slots.give();
  await Promise.all(all);
  expect(order).toEqual(['second gave up', 'first', 'third']);
  slots.give();
  expect(slots.take()).toBe(true);
});
