import { expect, test } from 'vitest';
import { createAdmission } from './admission.ts';

const clock = () => {
  let at = 0;
  return {
    now: () => at,
    pass(ms: number) {
      at += ms;
    },
  };
};

function keyOf(answer: ReturnType<ReturnType<typeof createAdmission>['redeem']>): string {
  if ('refused' in answer) throw new Error(answer.refused);
  return answer.key;
}

test('a link ends after ten minutes, or after its own lifetime', () => {
  const { now, pass } = clock();
  const admission = createAdmission({ now });
  const [early, late] = [admission.createKey('link'), admission.createKey('link')];
  const short = admission.createKey('window', { lifeMs: 1000 });
  pass(1000);
  expect(admission.redeem(short)).toEqual({ refused: 'unknown' });
  pass(10 * 60_000 - 1001);
  expect(admission.redeem(early)).toHaveProperty('key');
  pass(1);
  expect(admission.redeem(late)).toEqual({ refused: 'unknown' });
});

test('a window keeps the door through which it was admitted, and each entry is reported', () => {
  const entered: string[] = [];
  const admission = createAdmission({ onEntered: (door) => entered.push(door) });
  const doors = [admission.createKey('window'), admission.createKey('link'), admission.createCode()].map(
    (proof) => admission.find(keyOf(admission.redeem(proof)))!.door,
  );
  expect(doors).toEqual(['window', 'link', 'link']);
  expect(entered).toEqual(doors);
});

test('neither the secret of a link nor a guess works as a key', () => {
  const admission = createAdmission();
  const link = admission.createKey('window');
  for (const guess of [undefined, '', 'x', link, 'undefined']) expect(admission.find(guess)).toBeUndefined();
  const key = keyOf(admission.redeem(link));
  expect(admission.find(`${key}x`)).toBeUndefined();
  expect(admission.find(key.toLowerCase())).toBeUndefined();
});

test('a code is accepted in small letters and with blanks, once', () => {
  const admission = createAdmission();
  const code = admission.createCode();
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
  expect(admission.redeem(` ${code.toLowerCase().replace('-', ' ')} `)).toHaveProperty('key');
  expect(admission.redeem(code)).toEqual({ refused: 'unknown' });
});

test('guesses at a code are limited per minute, and do not affect links', () => {
  const { now, pass } = clock();
  const admission = createAdmission({ now });
  const code = admission.createCode();
  for (let guess = 0; guess < 10; guess += 1) admission.redeem(`AAAA-AAA${guess}`);
  expect(admission.redeem(code)).toEqual({ refused: 'tooMany' });
  expect(admission.redeem(admission.createKey('link'))).toHaveProperty('key');
  pass(60_000);
  expect(admission.redeem(code)).toHaveProperty('key');
});

test('ending all windows ends keys, links and codes', () => {
  const admission = createAdmission();
  const key = keyOf(admission.redeem(admission.createKey('window')));
  const { ended } = admission.find(key)!;
  const [link, code] = [admission.createKey('link'), admission.createCode()];
  admission.endAll();
  expect([admission.find(key), ended.aborted]).toEqual([undefined, true]);
  for (const proof of [link, code]) expect(admission.redeem(proof)).toEqual({ refused: 'unknown' });
});

test('beyond fifty windows the oldest one ends', () => {
  const admission = createAdmission();
  const keys = Array.from({ length: 51 }, () => keyOf(admission.redeem(admission.createKey('link'))));
  expect(keys.map((key) => admission.find(key) !== undefined)).toEqual([false, ...Array(50).fill(true)]);
});
