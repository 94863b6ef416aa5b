import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../types.ts';
import { createBudgetHolders } from './budget-holders.ts';
import { placesOf } from './places.ts';

/** The parts that lead to a server or a file, as Weaviate and SQLite have them. */
const manifests = {
  weaviate: {
    process: { network: { host: 'host', port: 'port' } },
    fields: [
      { id: 'host', type: 'text', default: 'localhost' },
      { id: 'port', type: 'integer', default: 8080 },
      { id: 'caFile', type: 'file', deliver: 'text' },
    ],
  },
  sqlite: { process: { network: false }, fields: [{ id: 'file', type: 'file', deliver: 'path' }] },
} as unknown as Record<string, Manifest>;

function share(driver: string, one: Connection['fields'], other: Connection['fields']): boolean {
  const places = new Set(placesOf(manifests[driver]!, one));
  return placesOf(manifests[driver]!, other).some((place) => places.has(place));
}

test.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost\u3002',
  ' localhost ',
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.0.2',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '0',
  '0.0.0.0',
  '::',
  '::1',
  '[::1]',
  '[::1%lo]',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '[::ffff:7f00:1]',
  'db.localhost',
  'ip6-localhost',
  'localhost.localdomain',
  hostname(),
  hostname().toUpperCase(),
])('%s is the host of this machine', (host) => {
  expect(share('weaviate', { host: 'localhost', port: 8080 }, { host, port: 8080 })).toBe(true);
});

test.each([
  ['db.example.com', 'DB.Example.COM'],
  ['db.example.com', 'db.example.com.'],
  ['db.example.com', ' db.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['bücher.example', 'BÜCHER.example'],
  ['db.example.com', 'db\u3002example\u3002com'],
  ['db.example.com', 'ｄｂ.example.com'],
  ['10.0.0.7', '167772167'],
  ['10.0.0.7', '[::ffff:10.0.0.7]'],
  ['2001:db8::7', '[2001:0DB8:0:0::0007]'],
  ['fe80::7', 'fe80::7%eth0'],
])('%s and %s are one host', (one, other) => {
  expect(share('weaviate', { host: one, port: 443 }, { host: other, port: 443 })).toBe(true);
});

test('a default counts, and no field beside host and port makes another place', () => {
  const all = { host: 'localhost', port: 8080 };
  expect(share('weaviate', all, {})).toBe(true);
  expect(share('weaviate', all, { host: '::1' })).toBe(true);
  expect(share('weaviate', all, { ...all, port: '8080' })).toBe(true);
  const others = { authMethod: 'apiKey', sslMode: 'required', caFile: '/a.pem', skipTlsVerification: true };
  expect(share('weaviate', all, { ...all, ...others, unknown: 'x' })).toBe(true);
});

test.each([
  [
    { host: 'a.example', port: 1 },
    { host: 'b.example', port: 1 },
  ],
  [
    { host: 'a.example', port: 1 },
    { host: 'a.example', port: 2 },
  ],
  [
    { host: 'localhost', port: 1, caFile: '/a.pem', sslMode: 'verifyCa' },
    { host: 'a.example', port: 1, caFile: '/a.pem', sslMode: 'verifyCa' },
  ],
  [
    { host: 'localhost', port: 1 },
    { host: 'notlocalhost', port: 1 },
  ],
  [
    { host: '127.0.0.1', port: 1 },
    { host: '128.0.0.1', port: 1 },
  ],
])('%j and %j are two places', (one, other) => {
  expect(share('weaviate', one, other)).toBe(false);
});

test('a file has one place under each of its names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-places-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'stars.db');
  writeFileSync(file, 'rows');
  writeFileSync(join(folder, 'copy.db'), 'rows');
  mkdirSync(join(folder, 'inner'));
  symlinkSync(file, join(folder, 'link.db'));
  symlinkSync('link.db', join(folder, 'second.db'));
  symlinkSync(folder, join(folder, 'inner', 'loop'));
  linkSync(file, join(folder, 'hard.db'));
  const names = [
    ...['link.db', 'second.db', 'hard.db', 'inner/../stars.db', './/stars.db', 'inner/loop/stars.db'],
    ...['inner/loop/inner/loop/hard.db', 'missing/../stars.db'],
  ];
  for (const name of names) {
    expect([name, share('sqlite', { file }, { file: `${folder}/${name}` })]).toEqual([name, true]);
  }
  expect(share('sqlite', { file }, { file: join(folder, 'copy.db') })).toBe(false);
  expect(share('sqlite', { file: `${folder}/new.db` }, { file: `${folder}/inner/loop/new.db` })).toBe(true);
  // A file that was replaced keeps its path.
  const before = placesOf(manifests.sqlite!, { file });
  rmSync(file);
  writeFileSync(file, 'other rows');
  expect(placesOf(manifests.sqlite!, { file }).some((place) => before.includes(place))).toBe(true);
});

test('two connections to one server share the counts of a client', () => {
  const fields: Record<string, Connection['fields']> = {
    one: { host: 'localhost', port: 8080 },
    two: { host: '[::1]', port: 8080, sslMode: 'preferred' },
    far: { host: 'far.example', port: 8080 },
  };
  const holders = createBudgetHolders({
    find: (id) => ({ id, driver: id === 'gone' ? 'gone' : 'weaviate', fields: fields[id] }) as never,
    manifestOf: (id) => {
      if (manifests[id]) return manifests[id];
      throw new Error('no driver');
    },
    limits: () => ({ mcpReachPerHour: 10, mcpNewRowsPerHour: 1 }),
    token: () => undefined,
    hourMs: 1,
  });
  const keysOf = (id: string) => holders({ token: { id: 't' } } as never, id).keys;
  const shared = (a: string, b: string) => keysOf(a).some((key) => keysOf(b).includes(key));
  expect([shared('one', 'two'), shared('one', 'far'), keysOf('gone').length]).toEqual([true, false, 1]);
});
