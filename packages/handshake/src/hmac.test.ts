import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacSha256 } from './hmac.ts';

const expected = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');

test('every length of key and text gives what OpenSSL gives', () => {
  for (let length = 0; length <= 200; length++) {
    const [key, text] = [randomBytes(length).toString('latin1'), randomBytes(length).toString('base64')];
    expect(hmacSha256(key, text).toString('hex')).toBe(expected(key, text));
    expect(hmacSha256(text, 'text').toString('hex')).toBe(expected(text, 'text'));
  }
});

test('a known answer (RFC 4231, case 2), and text beyond ASCII', () => {
  expect(hmacSha256('Jefe', 'what do ya want for nothing?').toString('hex')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
  expect(hmacSha256('schlüssel', '表 🔑').toString('hex')).toBe(expected('schlüssel', '表 🔑'));
});

test('a text of many blocks', () => {
  const text = 'x'.repeat(1_000_003);
  expect(hmacSha256('key', text).toString('hex')).toBe(expected('key', text));
});
