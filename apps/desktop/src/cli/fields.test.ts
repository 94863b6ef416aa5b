import { Readable } from 'node:stream';
import type { Manifest } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { readLevels } from './connection-flags.ts';
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

test('each field of the manifest is a flag, in kebab case and as in the manifest', () => {
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

test('a flag with a value of the wrong type and a flag with a secret are refused', () => {
  expect(() => readFieldFlags(manifest, { port: 'many' })).toThrow('--port is a whole number, not "many".');
  expect(() => readFieldFlags(manifest, { 'skip-tls': 'perhaps' })).toThrow('--skip-tls is true or false');
  expect(() => readFieldFlags(manifest, { 'api-key': 'hush' })).toThrow(/^--api-key is a secret(?!.*hush)/);
});

test('a reach limit that is no number, or too large, is refused with the range', () => {
  for (const value of ['many', '1000001', '1234567890']) {
    expect(() => readLevels({ 'reach-limit': value })).toThrow(
      `--reach-limit is a whole number between 0 and 1000000, not "${value}".`,
    );
  }
  expect(readLevels({ 'reach-limit': '1000000' })).toEqual({ reachLimit: 1_000_000 });
});

test('the help names every field', () => {
  for (const { label } of manifest.fields) expect(describeFields(manifest)).toContain(`  ${label}`);
  expect(describeFields(manifest)).toMatch(
    /--auth-method +Authentication \(none \| apiKey \| both; default none\)/,
  );
  expect(describeFields(manifest)).toMatch(/\(apiKey\) +API key \(secret: from standard input or a prompt\)/);
});

test('a relative path is resolved against the given folder', () => {
  expect(absolutePaths(manifest, { caFile: 'ca.pem', host: 'a' }, '/data')).toEqual({
    caFile: '/data/ca.pem',
    host: 'a',
  });
});

test('a secret is read from standard input if one is needed', async () => {
  const piped = (text: string) => Readable.from([text]);
  expect(await readSecrets(manifest, { authMethod: 'none' }, { input: piped('unread') })).toEqual({});
  expect(await readSecrets(manifest, { authMethod: 'apiKey' }, { input: piped('hush\n') })).toEqual({
    apiKey: 'hush',
  });
  expect(await readSecrets(manifest, { authMethod: 'apiKey' }, { input: piped('') })).toEqual({});
  expect(
    await readSecrets(manifest, { authMethod: 'both' }, { input: piped('{"apiKey":"a","second":"b"}') }),
  ).toEqual({
    apiKey: 'a',
    second: 'b',
  });
  await expect(readSecrets(manifest, { authMethod: 'both' }, { input: piped('a') })).rejects.toThrow(
    'Standard input must hold a JSON object with apiKey, second.',
  );
});

test('secret headers are read together with a secret, or alone with --secrets', async () => {
  const keyed = {
    ...manifest,
    fields: [...manifest.fields, { id: 'keys', label: 'Keys', type: 'secretHeaders' }],
  } as unknown as Manifest;
  const read = (authMethod: string, text: string, always = false) =>
    readSecrets(keyed, { authMethod }, { always, input: Readable.from([text]) });
  const keys = [{ name: 'X-A', value: '1' }];
  expect(await read('apiKey', '{"apiKey":"a","keys":{"X-A":"1"}}')).toEqual({ apiKey: 'a', keys });
  expect(await read('apiKey', 'hush')).toEqual({ apiKey: 'hush' });
  expect(await read('none', '{"keys":{"X-A":"1"}}')).toEqual({});
  expect(await read('none', '{"keys":[{"name":"X-A","value":"1"}]}', true)).toEqual({ keys });
  await expect(read('none', 'hush', true)).rejects.toThrow('a JSON object with keys.');
});

test('an address given for the host is split, and may not contradict another flag', () => {
  const weaviate = {
    ...manifest,
    fields: [
      {
        ...manifest.fields[0],
        pastedUrl: { port: 'port', schemes: { https: { authMethod: 'apiKey' } } },
      },
      ...manifest.fields.slice(1),
    ],
  } as unknown as Manifest;
  expect(readFieldFlags(weaviate, { host: 'https://db.example/x' })).toEqual({
    host: 'db.example',
    port: 443,
    authMethod: 'apiKey',
  });
  expect(readFieldFlags(weaviate, { host: 'https://db.example', port: '443' })).toMatchObject({ port: 443 });
  expect(() => readFieldFlags(weaviate, { host: 'https://db.example', port: '80' })).toThrow(
    '--host and --port contradict each other: the address says 443, not 80. Give --host the host alone.',
  );
});
