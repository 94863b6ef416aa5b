import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

test('the API key is sent only when Auth Method is API Key', () => {
  expect(readSettings({ host: 'a', port: 1, authMethod: 'none', apiKey: 'k' }).headers).toEqual({});
  expect(readSettings({ host: 'a', port: 1, authMethod: 'apiKey', apiKey: ' k ' }).headers).toEqual({
    authorization: 'Bearer k',
  });
});

test.each(['a\nb', 'ключ'])('the API key %j is refused: a header cannot carry it', (apiKey) => {
  expect(() => readSettings({ host: 'a', port: 1, authMethod: 'apiKey', apiKey })).toThrow(
    'The API key has characters that a header cannot carry',
  );
});

test('only the SSL mode Disabled uses plain HTTP', () => {
  const origin = (sslMode: string) => readSettings({ host: 'a', port: 443, sslMode, caFile: 'x' }).origin;
  expect(origin('disabled')).toBe('http://a:443');
  for (const mode of ['preferred', 'required', 'requiredSkipVerify', 'verifyCa', 'verifyIdentity']) {
    expect(origin(mode)).toBe('https://a:443');
  }
});

test('an IPv6 address is put into brackets', () => {
  expect(readSettings({ host: '::1', port: 8080 }).origin).toBe('http://[::1]:8080');
});

test('a host name may have letters other than ASCII', () => {
  const { origin, address } = readSettings({ host: 'bücher.example', port: 8080 });
  expect([new URL(origin).host, address]).toEqual(['xn--bcher-kva.example:8080', 'bücher.example:8080']);
});

test.each([
  'a/b',
  'a@b',
  'a b',
  'http://a',
  '',
  'a?b',
  'a#b',
  'ü/b',
  'ü@b',
  'ü\u202eb',
  'xn--ü',
  '256.1.1.1',
  '1.2.3.4.5',
  ':::',
  'db:8080',
])('%j is not a host', (host) => {
  expect(() => readSettings({ host, port: 1 })).toThrow(
    expect.objectContaining({ code: 'invalid_argument' }),
  );
});

test('a provider key cannot replace the headers Authorization and Host, and cannot add a header by a line break', () => {
  const providerKeys = (name: string, value = 'v') => ({
    host: 'a',
    port: 1,
    providerKeys: [{ name, value }],
  });
  expect(readSettings(providerKeys('X-OpenAI-Api-Key')).providerKeys).toEqual({ 'x-openai-api-key': 'v' });
  for (const name of ['Authorization', 'Host', 'X Bad', 'X-A\r\nHost']) {
    expect(() => readSettings(providerKeys(name))).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
  }
  expect(() => readSettings(providerKeys('X-A', 'v\r\nHost: b'))).toThrow();
});
