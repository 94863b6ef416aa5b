import { createHash, type KeyObject } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Channel, channelStatement } from '../../apps/desktop/src/update/channel.ts';
import { datesOf } from '../../registry/src/build-registry.ts';
import { publicKeyOf, signatureOf } from '../../registry/src/keys.ts';
import { root } from '../stale.mjs';
import type { Release } from './release.ts';

/** Writes `channel.json`: the version and its packages, signed like the registry's index in the same folder. */
export function writeChannel(release: Release, files: string[]): void {
  const { version, commit, time, signers, out } = release;
  const channel: Channel = {
    format: 1,
    version,
    commit,
    date: time.toISOString().slice(0, 10),
    sequence: time.getTime(),
    ...expiring(time),
    changes: changesOf(version.replace(/-.*/, '')),
    packages: files.map((name) => ({
      name,
      size: statSync(join(out, name)).size,
      sha256: createHash('sha256')
        .update(readFileSync(join(out, name)))
        .digest('hex'),
    })),
  };
  signChannel(join(out, 'registry', 'channel.json'), channel, signers);
}

export function signChannel(file: string, channel: Channel, signers: KeyObject[]): void {
  const payload = JSON.stringify(channel);
  const statement = channelStatement(payload);
  const signatures = signers.map((key) => ({
    key: publicKeyOf(key),
    signature: signatureOf(key, statement),
  }));
  writeFileSync(file, JSON.stringify({ payload, signatures }));
}

/** The dates of a channel file, which always expires. */
export function expiring(signedAt: Date): Pick<Channel, 'signedAt' | 'expiresAt'> {
  const { expiresAt, ...dates } = datesOf({ signedAt });
  return { ...dates, expiresAt: expiresAt as string };
}

/** The section of the changelog for this version. */
function changesOf(version: string): string {
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1);
  const own = sections.find((section) => section.startsWith(version));
  return own ? own.slice(own.indexOf('\n')).trim() : '';
}
