import { expect, test } from 'vitest';
import { connectionAddress, defaultFields, isFieldVisible, isSecretField } from './fields.ts';
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
  process: { network: true, sqlite: false },
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

test('a field shows when the field it depends on has one of the values', () => {
  expect([{ auth: 'key' }, { auth: 'none' }, {}].map((values) => isFieldVisible(fields[3]!, values))).toEqual(
    [true, false, false],
  );
});

test('secrets are known by their type', () => {
  expect(fields.filter(isSecretField).map((field) => field.id)).toEqual(['key', 'headers']);
});

test('the address is filled in from the fields', () => {
  expect(connectionAddress(manifest, { host: '$&', port: 1 })).toBe('$&:1');
});
