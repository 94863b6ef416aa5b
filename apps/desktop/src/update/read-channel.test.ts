import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type Channel, channelStatement } from './channel.ts';
import { packageFile } from './package-file.ts';
import { readChannel } from './read-channel.ts';
import { seenChannels } from './seen-channels.ts';

const channel: Channel = {
  format: 1,
  version: '0.2.0',
  commit: 'abc',
  date: '2026-11-16',
  sequence: 5,
  signedAt: '2026-11-16T00:00:00Z',
  expiresAt: '2027-02-14T00:00:00Z',
  changes: '- A map.',
  packages: [{ name: 'trestle_0.2.0_amd64.deb', size: 3, sha256: 'a'.repeat(64) }],
};

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  return { privateKey, text: Buffer.from(x!, 'base64url').toString('base64') };
}

function signed(
  payload: string,
  key: { privateKey: KeyObject; text: string },
  statement = channelStatement(payload),
) {
  return {
    payload,
    signatures: [{ key: key.text, signature: sign(null, statement, key.privateKey).toString('base64') }],
  };
}

/** Reads a channel file with the given content. */
function reading(content: unknown, keys: string[], more: { home?: string; at?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-channel-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'registry'));
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, 'registry', 'channel.json'), text);
  const address = pathToFileURL(join(folder, 'registry')).href;
  const seen = seenChannels(more.home ?? join(folder, 'home'));
  // The address is fixed: each file is another answer of the same server.
  const fixed = {
    ...seen,
    get: () => seen.get('server'),
    set: (_: string, n: number) => seen.set('server', n),
  };
  const now = () => Date.parse(more.at ?? '2026-11-19T00:00:00Z');
  return readChannel({ address, keys, seen: fixed, now }, new AbortController().signal);
}

test('a channel file signed by a pinned key is read', async () => {
  const key = newKey();
  await expect(reading(signed(JSON.stringify(channel), key), [key.text])).resolves.toEqual(channel);
});

test('a channel file with a wrong signature or a wrong form is refused', async () => {
  const [key, other] = [newKey(), newKey()];
  const payload = JSON.stringify(channel);
  const right = signed(payload, key);
  const attempts: [string, unknown][] = [
    ['another key', signed(payload, other)],
    ['other bytes under the same signature', { ...right, payload: payload.replace('0.2.0', '9.9.9') }],
    [
      'the pinned key named, but signed by another key',
      {
        payload,
        signatures: [{ key: key.text, signature: signed(payload, other).signatures[0]!.signature }],
      },
    ],
    [
      'a signature for a registry index',
      signed(payload, key, new TextEncoder().encode(`trestle registry index 1\n${payload}`)),
    ],
    ['no signature', { payload, signatures: [] }],
    ['no JSON', '<html>'],
    [
      'a path for a package',
      signed(
        JSON.stringify({
          ...channel,
          packages: [{ name: '../../.bashrc', size: 1, sha256: 'a'.repeat(64) }],
        }),
        key,
      ),
    ],
    ['an unknown field', signed(JSON.stringify({ ...channel, run: 'rm -rf /' }), key)],
    ['a file that is too large', ' '.repeat(1_000_001)],
  ];
  for (const [what, content] of attempts) {
    await expect(reading(content, [key.text]), what).rejects.toMatchObject({ code: 'refused' });
  }
});

test('an expired channel file and one from the future are refused, with both dates', async () => {
  const key = newKey();
  const file = signed(JSON.stringify(channel), key);
  await expect(reading(file, [key.text], { at: '2027-02-14T00:00:00Z' })).rejects.toMatchObject({
    code: 'refused',
    message: 'The channel file expired on 2027-02-14, and the clock of this computer says 2027-02-14',
    hint: expect.stringContaining('the server may hold updates back'),
  });
  await expect(reading(file, [key.text], { at: '2026-01-01T00:00:00Z' })).rejects.toThrow(
    'The channel file was signed on 2026-11-16, and the clock of this computer says 2026-01-01',
  );
});

test('a channel file that is older than one read before is refused, and the same one is read again', async () => {
  const key = newKey();
  const home = join(mkdtempSync(join(tmpdir(), 'trestle-seen-')), 'home');
  onTestFinished(() => rmSync(dirname(home), { recursive: true }));
  const read = (sequence: number) =>
    reading(signed(JSON.stringify({ ...channel, sequence }), key), [key.text], { home });
  await read(5);
  await read(5);
  await expect(read(4)).rejects.toMatchObject({
    code: 'refused',
    message: 'The channel file (4) is older than one read before (5)',
  });
  await read(6);
  await expect(read(5)).rejects.toThrow('is older than one read before (6)');
  writeFileSync(join(home, 'update-channel.json'), 'damaged');
  await read(5);
});

test('for each kind of package except npm, `packageFile` names the release file', () => {
  const linux = { platform: 'linux', arch: 'x64' };
  expect(packageFile('deb', '0.2.0', linux)).toBe('trestle_0.2.0_amd64.deb');
  expect(packageFile('deb', '0.2.0-development', { platform: 'linux', arch: 'arm64' })).toBe(
    'trestle_0.2.0~development_arm64.deb',
  );
  expect(packageFile('tarball', '0.2.0', linux)).toBe('trestle-0.2.0-linux-x64.tar.gz');
  expect(packageFile('macos', '0.2.0', { platform: 'darwin', arch: 'arm64' })).toBe(
    'Trestle-0.2.0-macos-arm64.zip',
  );
  expect(packageFile('windows', '0.2.0', { platform: 'win32', arch: 'x64' })).toBe(
    'Trestle-0.2.0-windows-x64.zip',
  );
  expect(packageFile('mcpb', '0.2.0', { platform: 'darwin', arch: 'arm64' })).toBe(
    'trestle-0.2.0-darwin-arm64.mcpb',
  );
});
