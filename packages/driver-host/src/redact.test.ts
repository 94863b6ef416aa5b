import { expect, test } from 'vitest';
import { redactor } from './redact.ts';

const secret = 'wv-Secret"key!$/42';

test.each([
  ['as it is', (text: string) => text],
  ['URL-encoded', encodeURIComponent],
  [
    'URL-encoded with lower-case hex digits',
    (text: string) => encodeURIComponent(text).replace(/%../g, (one) => one.toLowerCase()),
  ],
  ['form-encoded', (text: string) => new URLSearchParams([['', text]]).toString().slice(1)],
  [
    'form-encoded with lower-case hex digits',
    (text: string) =>
      new URLSearchParams([['', text]])
        .toString()
        .slice(1)
        .replace(/%../g, (one) => one.toLowerCase()),
  ],
  [
    'as the password of a URL',
    (text: string) => Object.assign(new URL('http://localhost'), { password: text }).password,
  ],
  ['in JSON', (text: string) => JSON.stringify(text)],
  ['in Base64', (text: string) => Buffer.from(text).toString('base64')],
  ['in Base64 for URLs', (text: string) => Buffer.from(text).toString('base64url')],
])('a secret that is written %s is removed, whatever is beside it', (_, encode) => {
  const redact = redactor([secret]);
  const shown = ['', 'a', 'ab', 'abc', 'user:', 'name of a user:'].flatMap((before) =>
    ['', 'x', 'xy', 'xyz'].map((after) => redact(`401: ${encode(before + secret + after)} was refused`)),
  );
  const whole = encode(secret).slice(3, -3);
  for (const text of shown) {
    expect(text).toContain('•••');
    expect(text).toMatch(/^401: .* was refused$/);
    expect(text).not.toContain(whole);
  }
});

test('a Base64 text around a secret keeps no bit of the secret', () => {
  for (const before of ['', 'a', 'ab']) {
    for (const after of ['', 'c', 'cd']) {
      const encoded = Buffer.from(before + secret + after).toString('base64');
      const [head = '', tail = ''] = redactor([secret])(encoded).split('•••');
      expect(Buffer.from(before).toString('base64')).toContain(head);
      expect(Buffer.from(head, 'base64').length).toBeLessThanOrEqual(before.length);
      expect(tail.replaceAll('=', '').length).toBeLessThanOrEqual(Math.ceil((after.length * 8) / 6));
    }
  }
});

test('the longer of two secrets is removed whole, and a secret of three characters is not removed', () => {
  expect(redactor(['abcd', 'abcdefgh'])('abcdefgh and abcd')).toBe('••• and •••');
  expect(redactor(['abc', ''])('abc stays')).toBe('abc stays');
  expect(redactor([])('nothing')).toBe('nothing');
  expect(redactor(['.*+?^$'])('a.*+?^$b')).toBe('a•••b');
  expect(redactor(['\ud800\ud800\ud800\ud800'])('a lone surrogate')).toBe('a lone surrogate');
});

test('each line of a secret of several lines is removed by itself', () => {
  const redact = redactor(['-----BEGIN KEY-----\r\nMIIEvQ\n-----END KEY-----\n']);
  expect(['-----BEGIN KEY-----', 'is MIIEvQ', 'another line'].map(redact)).toEqual([
    '•••',
    'is •••',
    'another line',
  ]);
});

test.each([30_000, 300_000])('a secret of %i characters is removed, also if encoded', (length) => {
  const long = 'wv-Secret"key/42 '.repeat(Math.ceil(length / 17)).slice(0, length);
  const redact = redactor([long]);
  const url = encodeURIComponent(long);
  expect([long, JSON.stringify(long).slice(1, -1), url].map((text) => redact(`401: ${text}!`))).toEqual(
    Array(3).fill('401: •••!'),
  );
  for (const before of ['', 'a', 'ab', 'abc', 'user:']) {
    const shown = redact(Buffer.from(before + long).toString('base64'));
    expect(Buffer.from(before).toString('base64')).toContain(shown.replace('•••', ''));
  }
});

test('a secret that stands twice in one Base64 text is removed both times', () => {
  expect(redactor(['abcd'])(Buffer.from('abcdabcd').toString('base64'))).toBe('••••••');
});
