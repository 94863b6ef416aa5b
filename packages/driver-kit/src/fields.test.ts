import { expect, test } from 'vitest';
import {
  connectionAddress,
  defaultFields,
  findSuggestion,
  isFieldVisible,
  isSecretField,
  readPastedUrl,
} from './fields.ts';
import { type Manifest, type ManifestField, manifestSchema } from './manifest.ts';

const fields: ManifestField[] = [
  { id: 'host', label: 'Host', type: 'text', default: 'localhost' },
  { id: 'port', label: 'Port', type: 'integer', default: 8080 },
  {
    id: 'auth',
    label: 'Auth',
    type: 'choice',
    default: 'none',
    choices: [
      { value: 'none', label: 'None' },
      { value: 'key', label: 'Key' },
    ],
  },
  { id: 'key', label: 'Key', type: 'secret', visibleWhen: { field: 'auth', oneOf: ['key'] } },
  { id: 'headers', label: 'Headers', type: 'secretHeaders' },
];

const manifest: Manifest = {
  id: 'example',
  name: 'Example',
  summary: '',
  version: '1.0.0',
  kit: 1,
  entry: 'driver.js',
  platforms: ['desktop'],
  concurrency: 'parallel',
  process: { network: { host: 'host', port: 'port' }, sqlite: false },
  terms: { table: ['table', 'tables'], row: ['row', 'rows'] },
  fields,
  address: '{host}:{port}{missing}',
  editor: { language: 'sql', placeholder: '' },
  operators: ['equals'],
};

test('the manifest is valid, and one with an unknown member is not', () => {
  expect(manifestSchema.parse(manifest)).toEqual(manifest);
  expect(manifestSchema.safeParse({ ...manifest, extra: 1 }).success).toBe(false);
});

test('defaults come from the manifest', () => {
  expect(defaultFields(manifest)).toEqual({ host: 'localhost', port: 8080, auth: 'none' });
});

test('a field shows when the field it depends on has one of the given values', () => {
  expect([{ auth: 'key' }, { auth: 'none' }, {}].map((values) => isFieldVisible(fields[3]!, values))).toEqual(
    [true, false, false],
  );
});

test('secrets are recognised by their type', () => {
  expect(fields.filter(isSecretField).map((field) => field.id)).toEqual(['key', 'headers']);
});

test('the address is filled in from the fields, and a missing field adds no text', () => {
  expect(connectionAddress(manifest, { host: '$&', port: 1 })).toBe('$&:1');
});

const host: ManifestField = {
  id: 'host',
  label: 'Host',
  type: 'text',
  pastedUrl: { port: 'port', schemes: { http: { ssl: 'off' }, https: { ssl: 'on' }, redis: { ssl: 'off' } } },
};

test.each([
  ['https://abc.example.cloud', { host: 'abc.example.cloud', port: 443, ssl: 'on' }],
  [' http://localhost:8081/v1/schema ', { host: 'localhost', port: 8081, ssl: 'off' }],
  ['http://10.0.0.7', { host: '10.0.0.7', port: 80, ssl: 'off' }],
  ['https://me:secret@db.example:9443/', { host: 'db.example', port: 9443, ssl: 'on' }],
  ['http://[::1]:8080', { host: '[::1]', port: 8080, ssl: 'off' }],
  ['redis://cache.example', { host: 'cache.example', ssl: 'off' }],
  ['redis://cache.example:6380', { host: 'cache.example', port: 6380, ssl: 'off' }],
  ['localhost:9000', { host: 'localhost', port: 9000 }],
  ['abc.example.cloud/', { host: 'abc.example.cloud' }],
  ['localhost', null],
  ['ftp://files.example', null],
  ['https://', null],
  ['two words', null],
])('%j pasted as a host gives %j', (text, expected) => {
  expect(readPastedUrl(host, text)).toEqual(expected);
});

test('a URL that is pasted into a field without pastedUrl is not split', () => {
  expect(readPastedUrl(fields[0]!, 'https://abc.example')).toBeNull();
});

test('a suggestion is made if the host matches and a value would change', () => {
  const hosted: Manifest = {
    ...manifest,
    suggestions: [
      {
        when: { field: 'host', endsWith: ['.example.cloud'] },
        set: { port: 443, auth: 'key' },
        note: 'Hosted',
      },
    ],
  };
  expect(manifestSchema.parse(hosted)).toEqual(hosted);
  expect(findSuggestion(hosted, { host: 'localhost', port: '8080' })).toBeUndefined();
  expect(findSuggestion(hosted, { host: ' A.Example.Cloud', port: '8080', auth: 'none' })?.note).toBe(
    'Hosted',
  );
  expect(findSuggestion(hosted, { host: 'a.example.cloud', port: '443', auth: 'key' })).toBeUndefined();
  expect(findSuggestion(manifest, { host: 'a.example.cloud' })).toBeUndefined();
});
