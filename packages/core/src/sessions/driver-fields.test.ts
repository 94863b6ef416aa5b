import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ManifestField } from '@trestle/driver-kit';
import { manifestSchema } from '@trestle/driver-kit/manifest';
import { expect, test } from 'vitest';
import { fixtureManifest } from '../testing/fixture-driver.ts';
import { temporaryFolder } from '../testing/test-core.ts';
import { driverFields } from './driver-fields.ts';
import { isPrivateFile } from './private-files.ts';

const none = async () => null;
const file = (deliver: 'path' | 'text'): ManifestField => ({
  id: 'file',
  label: 'File',
  type: 'file',
  deliver,
});

function withFields(...fields: object[]) {
  return { ...fixtureManifest, fields } as typeof fixtureManifest;
}

test.each(['path', 'text'] as const)(
  'a default of the manifest is never delivered as a file (%s)',
  async (deliver) => {
    const manifest = withFields({ ...file(deliver), default: '/proc/self/environ' });
    expect(manifestSchema.safeParse(manifest).success).toBe(false);
    // The schema refuses this manifest. If it were used without that check, the driver would still get no file.
    const home = temporaryFolder();
    expect(await driverFields(manifest, {}, { home, secretOf: none })).toEqual({
      fields: {},
      secretValues: [],
    });
  },
);

test.each([
  [
    'a suggestion',
    { suggestions: [{ when: { field: 'host', endsWith: ['x'] }, set: { file: '/etc/passwd' }, note: 'n' }] },
  ],
  ['a pasted address', {}, { pastedUrl: { port: 'host', schemes: { http: { file: '/etc/passwd' } } } }],
])('%s cannot fill in a file field', (_name, more, host: object = {}) => {
  const fields = [{ id: 'host', label: 'Host', type: 'text', ...host }, file('text')];
  const parsed = manifestSchema.safeParse({ ...withFields(...fields), ...more });
  expect(parsed.error?.issues.map(({ message }) => message)).toEqual([
    'only the user may fill the field file',
  ]);
});

test.each(['path', 'text'] as const)(
  'a file that belongs to the app is not delivered, not even through a link (%s)',
  async (deliver) => {
    const home = temporaryFolder();
    for (const name of ['control-secret', 'trestle.db', 'secrets.key', 'mcp-handshake.json', 'mine.txt']) {
      writeFileSync(join(home, name), 'text');
    }
    const elsewhere = join(temporaryFolder(), 'link.pem');
    symlinkSync(join(home, 'control-secret'), elsewhere);
    const deliverOne = (path: string) =>
      driverFields(withFields(file(deliver)), { file: path }, { home, secretOf: none });
    for (const path of [
      'control-secret',
      'trestle.db',
      'trestle.db-wal',
      'TRESTLE.DB',
      'Logs/app.log',
      'secrets.key',
      'mcp-handshake.json',
      '',
      'window/x',
      'connect/claude-code-0.json',
      'imports/x',
    ]) {
      await expect(deliverOne(join(home, path))).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    await expect(deliverOne(elsewhere)).rejects.toMatchObject({ code: 'invalid_argument' });
    const mine = join(home, 'mine.txt');
    expect((await deliverOne(mine)).fields).toEqual({ file: deliver === 'path' ? mine : 'text' });
  },
);

test.each(['path', 'text'] as const)(
  'a folder or a relative path is not delivered as a file (%s)',
  async (deliver) => {
    const home = temporaryFolder();
    const refusal = (path: string) =>
      driverFields(withFields(file(deliver)), { file: path }, { home, secretOf: none }).catch(
        ({ message }: Error) => message,
      );
    const folder = temporaryFolder();
    expect(await refusal(folder)).toBe(`File: ${folder} cannot be read: it is a folder`);
    expect(await refusal(dirname(home))).toMatch('it is a folder');
    expect(await refusal('rows.db')).toMatch('the path does not begin at the root of the disk');
  },
);

test.each(['hunter2', '{"a":"hunter2"}', '["hunter2"]'])(
  'a stored secret that is not a list of headers (%s) is refused, and the error does not quote it',
  async (text) => {
    const manifest = withFields({ id: 'keys', label: 'Keys', type: 'secretHeaders' });
    const reading = driverFields(manifest, {}, { home: temporaryFolder(), secretOf: async () => text });
    await expect(reading).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'Keys: the stored secret is not a list of headers',
    });
  },
);

test.each([
  ['/dev/zero', 'it is not a regular file'],
  ['/dev', 'it is a folder'],
])('%s is not read as a text', async (path, reason) => {
  const reading = driverFields(
    withFields(file('text')),
    { file: path },
    { home: temporaryFolder(), secretOf: none },
  );
  await expect(reading).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining(reason),
  });
});

test('a private file that does not exist yet is recognized in a data directory behind a link', () => {
  const home = temporaryFolder();
  const link = join(temporaryFolder(), 'link');
  symlinkSync(home, link);
  expect(isPrivateFile(link, join(link, 'trestle.db-wal'))).toBe(true);
  expect(isPrivateFile(home, join(link, 'window', 'new', 'x'))).toBe(true);
  expect(isPrivateFile(home, join(link, 'mine.txt'))).toBe(false);
});

test('a folder is delivered as its real path; one that overlaps the data directory, or has an unusable path, is refused', async () => {
  const home = temporaryFolder();
  const manifest = withFields({ id: 'folder', label: 'Folder', type: 'folder' });
  const deliver = (folder: string) => driverFields(manifest, { folder }, { home, secretOf: none });
  const elsewhere = temporaryFolder();
  mkdirSync(join(elsewhere, 'rows'));
  symlinkSync(join(elsewhere, 'rows'), join(elsewhere, 'link'));
  symlinkSync(home, join(elsewhere, 'data'));
  mkdirSync(join(home, 'mine'));
  writeFileSync(join(elsewhere, 'file'), '');
  expect((await deliver(join(elsewhere, 'link'))).fields).toEqual({
    folder: realpathSync(join(elsewhere, 'rows')),
  });
  for (const [path, reason] of [
    [home, 'it is the data directory of Trestle, or inside it'],
    [join(home, 'mine'), 'it is the data directory of Trestle, or inside it'],
    [join(elsewhere, 'data'), 'it is the data directory of Trestle, or inside it'],
    [dirname(home), ', the data directory of Trestle'],
    ['/', ', the data directory of Trestle'],
    ['rows', 'does not begin at the root'],
    [join(elsewhere, 'r*'), 'a star'],
    [join(elsewhere, 'none'), 'there is no such folder'],
    [join(elsewhere, 'file'), 'it is not a folder'],
  ] as const) {
    await expect(deliver(path)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(reason),
      hint: 'Check the path, or choose another folder.',
    });
  }
});
