import { expect, test } from 'vitest';
import { checkFields } from './check-fields.ts';
import { manifestSchema } from './manifest.ts';

const manifest = manifestSchema.parse({
  id: 'some',
  name: 'Some',
  summary: '',
  version: '1.0.0',
  kit: 1,
  entry: 'driver.js',
  platforms: ['desktop'],
  concurrency: 'parallel',
  process: { network: false, sqlite: false },
  terms: { table: ['table', 'tables'], row: ['row', 'rows'] },
  fields: [
    {
      id: 'host',
      label: 'Host',
      type: 'text',
      required: true,
      pastedUrl: { port: 'port', schemes: { http: { sslMode: 'off' }, https: { sslMode: 'verify' } } },
    },
    { id: 'port', label: 'Port', type: 'integer', min: 1, max: 65535 },
    {
      id: 'sslMode',
      label: 'SSL Mode',
      type: 'choice',
      default: 'off',
      choices: [
        { value: 'off', label: 'Off' },
        { value: 'verify', label: 'Verify CA' },
      ],
    },
    { id: 'skip', label: 'Skip', type: 'boolean' },
    {
      id: 'caFile',
      label: 'CA File',
      type: 'file',
      deliver: 'text',
      requiredWhen: [
        { field: 'sslMode', oneOf: ['verify'] },
        { field: 'skip', oneOf: [false] },
      ],
    },
    { id: 'key', label: 'Key', type: 'secret', required: true },
    { id: 'headers', label: 'Headers', type: 'secretHeaders' },
  ],
  address: '{host}',
  editor: { language: 'none', placeholder: '' },
  operators: [],
});

const good = { host: 'localhost', port: 80, sslMode: 'off', skip: false, key: 'k' };

test('good fields have no problem', () => {
  expect(checkFields(manifest, good, [])).toEqual({});
  for (const host of [
    '::1',
    '[::1]',
    'fe80::1%br-lan.5',
    '::ffff:10.0.0.1',
    '10.0.0.1',
    'a-b.example_c',
    'bücher.example',
  ]) {
    expect(checkFields(manifest, { ...good, host }, [])).toEqual({});
  }
});

const noHosts = [
  'http://localhost',
  'localhost/path',
  'ftp://a',
  'a b',
  'a@b',
  'db:8080',
  '[::1',
  '::1]',
  '[db]',
];

test.each(noHosts)('%j is not a host', (host) => {
  expect(checkFields(manifest, { ...good, host }, []).host).toMatch(
    /^Host must be a host name or an address/,
  );
});

test('a file is required if a choice needs it, and the message names that choice', () => {
  const verifying = { ...good, sslMode: 'verify' };
  expect(checkFields(manifest, verifying, [])).toEqual({ caFile: 'CA File is required by Verify CA' });
  expect(checkFields(manifest, { ...verifying, skip: true }, [])).toEqual({});
  expect(checkFields(manifest, { ...verifying, caFile: '/ca.pem' }, [])).toEqual({});
});

test('a required secret may be missing if one is stored or the caller passes `optional`; null removes a stored one', () => {
  const { key: _, ...without } = good;
  expect(checkFields(manifest, without, [])).toEqual({ key: 'Key is required' });
  expect(checkFields(manifest, without, ['key'])).toEqual({});
  expect(checkFields(manifest, without, 'optional')).toEqual({});
  expect(checkFields(manifest, { ...without, key: null }, ['key'])).toEqual({ key: 'Key is required' });
});

test('each header needs a valid name and a value without line breaks, and no two may have the same name', () => {
  const problem = (...headers: { name: string; value: string }[]) =>
    checkFields(manifest, { ...good, headers }, []).headers;
  expect(problem({ name: 'X-A', value: '1' }, { name: 'X-B', value: '2' })).toBeUndefined();
  expect(problem({ name: "A!#$%&'*+-.^_`|~9", value: '1' })).toBeUndefined();
  expect(problem({ name: 'X A', value: '1' })).toBe(
    "Headers: a header name has only letters, digits and !#$%&'*+-.^_`|~, such as X-Api-Key",
  );
  expect(problem({ name: 'X-A', value: '' })).toBe('Headers: X-A has no value');
  for (const value of ['1\r\nX-B: 2', '1\n', '\r1']) {
    expect(problem({ name: 'X-A', value })).toBe('Headers: the value of X-A must not contain a line break');
  }
  expect(problem({ name: 'X-A', value: '1' }, { name: 'x-a', value: '2' })).toBe(
    'Headers: x-a is given twice',
  );
});

test('if a switch makes a field required, the message names no choice', () => {
  const fields = manifest.fields.map((field) =>
    field.id === 'caFile' ? { ...field, requiredWhen: [{ field: 'skip', oneOf: [false] }] } : field,
  );
  expect(checkFields({ ...manifest, fields }, good, [])).toEqual({ caFile: 'CA File is required' });
});
