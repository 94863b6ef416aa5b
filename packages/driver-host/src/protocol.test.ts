import { expect, test } from 'vitest';
import { parseError, parseFromHost, redactOutcomes } from './protocol.ts';
import { redactor } from './redact.ts';

/** The errors and the warning that the app keeps if a driver sends `text` as each message, hint and warning. */
function shown(text: string, redact: (text: string) => string) {
  const error = { code: 'internal', message: text, hint: text } as const;
  const [outcome] = redactOutcomes([{ id: 'a', status: 'failed', error, warning: text }], redact);
  return [parseError(error, redact), outcome?.error, outcome?.warning];
}

test('only the start of a very long error, hint or warning is searched for secrets', () => {
  const lengths: number[] = [];
  const all = shown('x'.repeat(5_000_000), (text) => {
    lengths.push(text.length);
    return text;
  });
  const error = { code: 'internal', message: 'x'.repeat(20_000), hint: 'x'.repeat(2_000) };
  expect(all).toEqual([error, error, 'x'.repeat(20_000)]);
  expect(lengths).toEqual(Array(5).fill(200_000));
});

test('no part of a secret stays where a text is cut off', () => {
  const secret = 'wv-secret-'.repeat(3_000);
  const texts = [secret.repeat(20), `${'x'.repeat(19_990)}${secret}`, `${'x'.repeat(199_990)}${secret}`];
  for (const text of texts)
    expect(JSON.stringify(shown(text, redactor([secret])))).not.toContain('wv-secret');
});

test('values of the wrong type in a wall message count as no wall', () => {
  const wall = { landlock: { valueOf: 1, toString: 1 }, seccomp: 'yes' };
  expect(parseFromHost({ type: 'wall', wall })).toEqual({
    type: 'wall',
    wall: { landlock: 0, seccomp: false },
  });
  expect(parseFromHost({ type: 'wall', wall: { landlock: 5, seccomp: true } })).toEqual({
    type: 'wall',
    wall: { landlock: 5, seccomp: true },
  });
});
