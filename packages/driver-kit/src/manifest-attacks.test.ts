import { expect, test } from 'vitest';
import { manifestSchema } from './manifest.ts';

const fields = [
  { id: 'host', label: 'Host', type: 'text' },
  { id: 'port', label: 'Port', type: 'integer' },
  { id: 'key', label: 'Key', type: 'secret' },
  { id: 'file', label: 'File', type: 'file', deliver: 'text' },
];
const network = { host: 'host', port: 'port' };
const good = {
  id: 'x',
  name: 'X',
  summary: '',
  version: '1.0.0',
  kit: 1,
  entry: 'driver.js',
  platforms: ['desktop'],
  concurrency: 'parallel',
  process: { network, sqlite: false },
  terms: { table: ['a', 'b'], row: ['c', 'd'] },
  fields,
  address: '{host}',
  editor: { language: 'none', placeholder: '' },
  operators: [],
};
const text = { label: 'A', type: 'text' };

test('a manifest whose host and port are fields of the right types is accepted', () => {
  expect(manifestSchema.safeParse(good).error).toBeUndefined();
});

test.each<[string, object]>([
  ['a network without fields', { process: { network: true, sqlite: false } }],
  ['a network that is a text', { process: { network: '*', sqlite: false } }],
  ['a network that is a list', { process: { network: [network], sqlite: false } }],
  [
    'a network with a fixed host',
    { process: { network: { host: 'evil.example', port: 'port' }, sqlite: false } },
  ],
  ['a network with a fixed port', { process: { network: { host: 'host', port: 22 }, sqlite: false } }],
  ['a network with a path', { process: { network: { ...network, path: '/run/x.sock' }, sqlite: false } }],
  ['a network without a port', { process: { network: { host: 'host' }, sqlite: false } }],
  ['a host that is a secret', { process: { network: { host: 'key', port: 'port' }, sqlite: false } }],
  [
    'a host that is the text of a file',
    { process: { network: { host: 'file', port: 'port' }, sqlite: false } },
  ],
  ['a host that is a number', { process: { network: { host: 'port', port: 'port' }, sqlite: false } }],
  ['a port that is a text', { process: { network: { host: 'host', port: 'host' }, sqlite: false } }],
  ['a host named __proto__', { process: { network: { host: '__proto__', port: 'port' }, sqlite: false } }],
  [
    'a host named constructor',
    { process: { network: { host: 'constructor', port: 'port' }, sqlite: false } },
  ],
  ['a right that does not exist', { process: { network, sqlite: false, fs: true } }],
  [
    'two fields with one id, one of them a secret',
    { fields: [...fields, { id: 'host', label: 'H', type: 'secret' }] },
  ],
  [
    'two fields with one id, one of them a file',
    { fields: [...fields, { id: 'host', label: 'H', type: 'file', deliver: 'text' }] },
  ],
  ['two fields with one id and type', { fields: [...fields, { id: 'host', label: 'H', type: 'text' }] }],
  ['a field named __proto__', { fields: [...fields, { id: '__proto__', ...text }] }],
  ['a field named constructor', { fields: [...fields, { id: 'constructor', ...text }] }],
  ['a field named toString', { fields: [...fields, { id: 'toString', ...text }] }],
  ['a field with a dot in its id', { fields: [...fields, { id: 'a.b', ...text }] }],
  ['a field with a space in its id', { fields: [...fields, { id: 'a b', ...text }] }],
  ['a secret with a default', { fields: [...fields, { id: 'a', label: 'A', type: 'secret', default: 'x' }] }],
  [
    'a file with a default',
    { fields: [...fields, { id: 'a', label: 'A', type: 'file', deliver: 'path', default: '/etc/passwd' }] },
  ],
  ['a folder with a default', { fields: [...fields, { id: 'a', label: 'A', type: 'folder', default: '/' }] }],
  [
    'a suggestion that fills a secret',
    { suggestions: [{ when: { field: 'host', endsWith: ['x'] }, set: { key: 'y' }, note: 'n' }] },
  ],
  [
    'a suggestion that fills a file',
    { suggestions: [{ when: { field: 'host', endsWith: ['x'] }, set: { file: '/etc/passwd' }, note: 'n' }] },
  ],
  ['an entry in another folder', { entry: '../driver.js' }],
  ['an entry that is an absolute path', { entry: '/tmp/driver.js' }],
  ['an entry that is a data URL', { entry: 'data:text/javascript,1.js' }],
  ['an entry that is not a script', { entry: 'driver.node' }],
  ['a version that is a path', { version: '../../1.0.0' }],
  ['an id that is a path', { id: '../x' }],
  ['the id __proto__', { id: '__proto__' }],
  ['an id with a capital letter', { id: 'Weaviate' }],
  ['an id with a look-alike letter', { id: 'wеaviate' }],
  ['a logo with a script', { logo: '"/><script>alert(1)</script>' }],
  ['a logo with a URL', { logo: 'url(http://evil.example)' }],
  ['an unknown kind of concurrency', { concurrency: 'none' }],
  ['an extra key', { postinstall: 'sh x' }],
])('%s is refused', (_, changes) => {
  expect(manifestSchema.safeParse({ ...good, ...changes }).success).toBe(false);
});
