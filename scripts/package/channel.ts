import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Channel, channelStatement } from '../../apps/desktop/src/update/channel.ts';
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
    changes: changesOf(version.replace(/-.*/, '')),
    packages: files.map((name) => ({
      name,
      size: statSync(join(out, name)).size,
      sha256: createHash('sha256')
        .update(readFileSync(join(out, name)))
        .digest('hex'),
    })),
  };
  const payload = JSON.stringify(channel);
  const statement = channelStatement(payload);
  const signatures = signers.map((key) => ({
    key: publicKeyOf(key),
    signature: signatureOf(key, statement),
  }));
  writeFileSync(join(out, 'registry', 'channel.json'), JSON.stringify({ payload, signatures }));
}

/** The section of the changelog for this version. */
function changesOf(version: string): string {
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1);
  const own = sections.find((section) => section.startsWith(version));
  return own ? own.slice(own.indexOf('\n')).trim() : '';
}
