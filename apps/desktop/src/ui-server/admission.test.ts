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
  if (!answer) throw new Error('The proof was refused');
  return answer.key;
}

test('a link ends after ten minutes, or after its own lifetime', () => {
  const { now, pass } = clock();
  const admission = createAdmission({ now });
  const [early, late] = [admission.createKey('link'), admission.createKey('link')];
  const short = admission.createKey('window', { lifeMs: 1000 });
  pass(1000);
  expect(admission.redeem(short)).toBeUndefined();
  pass(10 * 60_000 - 1001);
  expect(admission.redeem(early)).toHaveProperty('key');
  pass(1);
  expect(admission.redeem(late)).toBeUndefined();
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
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}(-[A-HJ-NP-Z2-9]{4}){2}$/);
  expect(admission.redeem(` ${code.toLowerCase().replaceAll('-', ' ')} `)).toHaveProperty('key');
  expect(admission.redeem(code)).toBeUndefined();
});

test('wrong codes do not lock out the right code', () => {
  const admission = createAdmission();
  const code = admission.createCode();
  for (let guess = 0; guess < 10_000; guess += 1) {
    expect(admission.redeem(`AAAA-AAAA-${String(guess).padStart(4, '0')}`)).toBeUndefined();
  }
  expect(admission.redeem(code)).toHaveProperty('key');
});

test('a part of a code, a longer text and a code with one other letter are refused', () => {
  const admission = createAdmission();
  const code = admission.createCode();
  const other = code.endsWith('A') ? 'B' : 'A';
  for (const guess of [code.slice(0, -1), code.slice(0, 9), `${code}A`, `${code.slice(0, -1)}${other}`]) {
    expect(admission.redeem(guess)).toBeUndefined();
  }
  expect(admission.redeem(code)).toHaveProperty('key');
});

test('ending all windows ends keys, links and codes', () => {
  const admission = createAdmission();
  const key = keyOf(admission.redeem(admission.createKey('window')));
  const { ended } = admission.find(key)!;
  const [link, code] = [admission.createKey('link'), admission.createCode()];
  admission.endAll();
  expect([admission.find(key), ended.aborted]).toEqual([undefined, true]);
  for (const proof of [link, code]) expect(admission.redeem(proof)).toBeUndefined();
});

test('beyond fifty windows the oldest one ends', () => {
  const admission = createAdmission();
  const keys = Array.from({ length: 51 }, () => keyOf(admission.redeem(admission.createKey('link'))));
  expect(keys.map((key) => admission.find(key) !== undefined)).toEqual([false, ...Array(50).fill(true)]);
});
