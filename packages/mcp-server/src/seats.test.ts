import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { Seats } from './seats.ts';

function room(proved = 3) {
  let at = 0;
  const seats = new Seats({ proved: () => proved, now: () => at });
  const enter = () => {
    const socket = new EventEmitter() as Socket & { destroyed: boolean };
    socket.destroyed = false;
    socket.destroy = () => {
      socket.destroyed = true;
      socket.emit('close', false);
      return socket;
    };
    seats.take(socket);
    return socket;
  };
  return {
    seats,
    enter,
    pass(ms: number) {
      at += ms;
    },
  };
}

const open = (sockets: { destroyed: boolean }[]) => sockets.filter(({ destroyed }) => !destroyed).length;

test('a stranger with many sockets keeps few of them, and never a proved one out', () => {
  const { seats, enter, pass } = room();
  const working = enter();
  expect(seats.prove(working)).toBeTypeOf('function');
  const held = Array.from({ length: 300 }, enter);
  expect(open(held)).toBe(256);
  pass(1000);
  const late = enter();
  expect([open(held), late.destroyed, working.destroyed]).toEqual([31, false, false]);
  expect(seats.prove(late)).toBeTypeOf('function');
});

test('many clients that connect at the same moment all get in', () => {
  const { seats, enter } = room(300);
  const sockets = Array.from({ length: 200 }, enter);
  expect(open(sockets)).toBe(200);
  for (const socket of sockets) expect(seats.prove(socket)).toBeTypeOf('function');
});

test('a socket that proves nothing goes after ten seconds', () => {
  vi.useFakeTimers();
  try {
    const { seats, enter } = room();
    const [silent, working] = [enter(), enter()];
    seats.prove(working);
    vi.advanceTimersByTime(9_999);
    expect([silent.destroyed, working.destroyed]).toEqual([false, false]);
    vi.advanceTimersByTime(1);
    expect([silent.destroyed, working.destroyed]).toEqual([true, false]);
  } finally {
    vi.useRealTimers();
  }
});

test('a proved newcomer takes the seat that was idle the longest, and none that works', () => {
  const { seats, enter } = room(2);
  const [first, second] = [enter(), enter()];
  const done = seats.prove(first);
  const doneToo = seats.prove(second);
  const third = enter();
  expect(seats.prove(third)).toBe(false);
  if (doneToo) doneToo();
  if (done) done();
  expect(seats.prove(third)).toBeTypeOf('function');
  expect([first.destroyed, second.destroyed]).toEqual([true, false]);
});
