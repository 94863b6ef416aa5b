import { Readable } from 'node:stream';
import type { Manifest } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { absolutePaths, describeFields, fieldOptions, readFieldFlags } from './field-flags.ts';
import { readSecrets } from './secret-input.ts';

const manifest = {
  id: 'keyed',
  fields: [
    { id: 'host', label: 'Host', type: 'text', default: 'localhost', required: true },
    { id: 'port', label: 'Port', type: 'integer', default: 8080 },
    {
      id: 'authMethod',
      label: 'Authentication',
      type: 'choice',
      default: 'none',
      choices: [
        { value: 'none', label: 'None' },
        { value: 'apiKey', label: 'API key' },
        { value: 'both', label: 'Both' },
      ],
    },
    {
      id: 'apiKey',
      label: 'API key',
      type: 'secret',
      visibleWhen: { field: 'authMethod', oneOf: ['apiKey', 'both'] },
    },
    { id: 'second', label: 'Second', type: 'secret', visibleWhen: { field: 'authMethod', oneOf: ['both'] } },
    { id: 'skipTls', label: 'Skip', type: 'boolean' },
    { id: 'caFile', label: 'CA file', type: 'file', deliver: 'text' },
  ],
} as unknown as Manifest;

test('flags are the fields of the manifest, in either spelling', () => {
  expect(Object.keys(fieldOptions(manifest))).toEqual([
    ...['host', 'port', 'auth-method', 'authMethod', 'api-key', 'apiKey'],
    ...['second', 'skip-tls', 'skipTls', 'ca-file', 'caFile'],
  ]);
  expect(readFieldFlags(manifest, { port: '443', authMethod: 'apiKey', 'skip-tls': 'true' })).toEqual({
    port: 443,
    authMethod: 'apiKey',
    skipTls: true,
  });
});

test('a value of the wrong kind, and a secret, are refused', () => {
  expect(() => readFieldFlags(manifest, { port: 'many' })).toThrow('--port is a whole number, not "many".');
  expect(() => readFieldFlags(manifest, { 'skip-tls': 'perhaps' })).toThrow('--skip-tls is true or false');
  expect(() => readFieldFlags(manifest, { 'api-key': 'hush' })).toThrow(/^--api-key is a secret(?!.*hush)/);
});

test('the help names every field', () => {
  expect(describeFields(manifest)).toMatch(
    /--auth-method +Authentication \(none \| apiKey \| both; default none\)/,
  );
  expect(describeFields(manifest)).toMatch(/\(apiKey\) +API key \(secret: from standard input or a prompt\)/);
});

test('a relative file is taken from the given folder', () => {
  expect(absolutePaths(manifest, { caFile: 'ca.pem', host: 'a' }, '/data')).toEqual({
    caFile: '/data/ca.pem',
    host: 'a',
  });
});

test('a secret is read from standard input, where one is wanted', async () => {
  const piped = (text: string) => Readable.from([text]);
  expect(await readSecrets(manifest, { authMethod: 'none' }, piped('unread'))).toEqual({});
  expect(await readSecrets(manifest, { authMethod: 'apiKey' }, piped('hush\n'))).toEqual({ apiKey: 'hush' });
  expect(await readSecrets(manifest, { authMethod: 'apiKey' }, piped(''))).toEqual({});
  expect(await readSecrets(manifest, { authMethod: 'both' }, piped('{"apiKey":"a","second":"b"}'))).toEqual({
    apiKey: 'a',
    second: 'b',
  });
  await expect(readSecrets(manifest, { authMethod: 'both' }, piped('a'))).rejects.toThrow(
    'Standard input must hold a JSON object with apiKey, second.',
  );
});
