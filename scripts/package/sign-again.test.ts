import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildRegistry, readIndex } from '../../registry/src/build-registry.ts';
import { newKey, privateKey } from '../../registry/src/keys.ts';
import { expiring, signChannel } from './channel.ts';
import { signAgain } from './sign-again.ts';

const first = new Date('2026-11-01T00:00:00Z');
const later = new Date('2027-01-15T00:00:00Z');

async function served() {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-sign-again-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const key = privateKey(newKey());
  await buildRegistry({
    folder,
    name: 'Test',
    packages: [],
    publisher: { name: 'Test', key },
    signers: [key],
    sequence: 7,
    signedAt: first,
  });
  const channel = {
    format: 1 as const,
    version: '0.2.0',
    commit: 'abc',
    date: '2026-11-01',
    sequence: 7,
    ...expiring(first),
    changes: '',
    packages: [],
  };
  signChannel(join(folder, 'channel.json'), channel, [key]);
  const payload = (name: string) => JSON.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')).payload);
  return { folder, key, payload };
}

test('both files get new dates and higher sequence numbers, and nothing else changes', async () => {
  const { folder, key, payload } = await served();
  const before = [payload('index.json'), payload('channel.json')];
  expect(before[0]).toMatchObject({
    signedAt: '2026-11-01T00:00:00.000Z',
    expiresAt: '2027-01-30T00:00:00.000Z',
  });
  expect(await signAgain(folder, [key], later)).toBe('2027-04-15T00:00:00.000Z');
  const dates = {
    sequence: later.getTime(),
    signedAt: '2027-01-15T00:00:00.000Z',
    expiresAt: '2027-04-15T00:00:00.000Z',
  };
  expect([payload('index.json'), payload('channel.json')]).toEqual(
    before.map((file) => ({ ...file, ...dates })),
  );
  await signAgain(folder, [key], later);
  expect(readIndex(join(folder, 'index.json'))?.sequence).toBe(later.getTime() + 1);
});

test.each(['index.json', 'channel.json'])(
  'a %s that was changed on the server is not signed',
  async (name) => {
    const { folder, key, payload } = await served();
    const file = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const changed = JSON.stringify({ ...payload(name), sequence: 8 });
    writeFileSync(join(folder, name), JSON.stringify({ ...file, payload: changed }));
    await expect(signAgain(folder, [key], later)).rejects.toThrow('was changed after it was signed');
    expect(payload('index.json').expiresAt).toBe('2027-01-30T00:00:00.000Z');
  },
);

test('files that another key signed are not signed', async () => {
  const { folder } = await served();
  await expect(signAgain(folder, [privateKey(newKey())], later)).rejects.toThrow(
    'is not signed by the release key',
  );
});
