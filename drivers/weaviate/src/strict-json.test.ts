import { expect, test } from 'vitest';
import { readStrictJson } from './strict-json.ts';

/** Compared with JSON.parse. */
test('reads and writes what JSON.parse reads, and refuses what it refuses', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"a"',
    '"b"',
    '1',
    '-0.5e3',
    'true',
    'null',
    ' ',
    '\n',
    '"\\u00e9"',
    '"',
  ];
  let state = 11;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  let valid = 0;
  for (let round = 0; round < 40_000; round++) {
    const text = Array.from({ length: 1 + next(9) }, () => pieces[next(pieces.length)]).join('');
    const expected = attempt(() => JSON.parse(text) as unknown);
    const given = attempt(() => readStrictJson(text));
    if (given === undefined) {
      // Only one kind of text is refused in addition: one with two equal keys.
      if (expected !== undefined) expect(text).toMatch(/"(\w)".*"\1"/s);
      continue;
    }
    valid++;
    expect([text, given.value]).toEqual([text, expected]);
    expect(JSON.parse(given.text)).toEqual(expected);
  }
  expect(valid).toBeGreaterThan(1000);
});

test('a deep body and a member called __proto__ do no harm', () => {
  expect(() => readStrictJson('['.repeat(100_000))).toThrow(/nested too deeply/);
  const { value, text } = readStrictJson('{"__proto__":{"x":1}}');
  expect(Object.keys(value as object)).toEqual(['__proto__']);
  expect(text).toBe('{"__proto__":{"x":1}}');
});

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
