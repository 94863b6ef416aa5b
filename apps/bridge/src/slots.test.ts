import { expect, test } from 'vitest';
import { Call } from './call.ts';
import { Slots } from './slots.ts';

test('a waiting call gets a slot in its turn, and a cancelled one leaves the queue', async () => {
  const slots = new Slots(1);
  expect([slots.take(), slots.take()]).toEqual([true, false]);
  const order: string[] = [];
  const wait = (name: string, call: Call) =>
    slots.wait(call).then(
      () => order.push(name),
      () => order.push(`${name} gave up`),
    );
  const cancelled = new Call();
  const all = [wait('first', new Call()), wait('second', cancelled), wait('third', new Call())];
  cancelled.cancel();
  slots.give();
  slots.give();
  await Promise.all(all);
  expect(order).toEqual(['second gave up', 'first', 'third']);
  slots.give();
  expect(slots.take()).toBe(true);
});
