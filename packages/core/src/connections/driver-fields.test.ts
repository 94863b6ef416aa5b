import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManifestField } from '@trestle/driver-kit';
import { manifestSchema } from '@trestle/driver-kit/manifest';
import { expect, test } from 'vitest';
import { fixtureManifest } from '../testing/fixture-driver.ts';
import { temporaryFolder } from '../testing/test-core.ts';
import { driverFields } from './driver-fields.ts';

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
    // A manifest that was never judged.
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
])('%s cannot fill in a file', (_name, more, host: object = {}) => {
  const fields = [{ id: 'host', label: 'Host', type: 'text', ...host }, file('text')];
  const parsed = manifestSchema.safeParse({ ...withFields(...fields), ...more });
  expect(parsed.error?.issues.map(({ message }) => message)).toEqual([
    'only the user may fill the field file',
  ]);
});

test.each(['path', 'text'] as const)(
  'a file that administers the app is not delivered, by whatever name (%s)',
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
      'secrets.key',
      'mcp-handshake.json',
      '',
      'window/x',
    ]) {
      await expect(deliverOne(join(home, path))).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    await expect(deliverOne(elsewhere)).rejects.toMatchObject({ code: 'invalid_argument' });
    const mine = join(home, 'mine.txt');
    expect((await deliverOne(mine)).fields).toEqual({ file: deliver === 'path' ? mine : 'text' });
  },
);
