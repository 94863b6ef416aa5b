import { execFileSync } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { developmentKey, publicKeyOf } from '../../registry/src/keys.ts';
import { releaseKeys, releaseSigners } from '../../registry/src/release-key.ts';
import { root } from '../stale.mjs';

/** The values that all packages of one run share. */
export interface Release {
  /** Ends with `-development` in a development build. */
  version: string;
  commit: string;
  /**
   * SOURCE_DATE_EPOCH, or else the commit's time. Every file in every package has this time, so the same source gives
   * the same bytes.
   */
  time: Date;
  isDevelopment: boolean;
  /** Compresses quickly, into larger files. */
  isFast: boolean;
  /** The keys that sign the registry and the channel file. The first one also signs the drivers. */
  signers: [KeyObject, ...KeyObject[]];
  registry: { address: string; keys: string[] };
  /** The output folder. */
  out: string;
}

export function describeRelease(options: {
  registry: string;
  out: string;
  development: boolean;
  fast: boolean;
}): Release {
  const { registry, out, development: isDevelopment, fast: isFast } = options;
  const signers = signersOf(isDevelopment);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return {
    version: isDevelopment ? `${version}-development` : version,
    ...source(isDevelopment),
    isDevelopment,
    isFast,
    signers,
    registry: {
      address: folderAddress(registry),
      keys: isDevelopment ? signers.map(publicKeyOf) : releaseKeys(root),
    },
    out,
  };
}

export function signersOf(isDevelopment: boolean): Release['signers'] {
  return isDevelopment ? [developmentKey(join(root, '.cache', 'registry-key.pem'))] : releaseSigners(root);
}

/** A release is built only from a clean commit. In a development build, `-changed` after the commit shows changes. */
function source(isDevelopment: boolean): { commit: string; time: Date } {
  if (!existsSync(join(root, '.git'))) {
    throw new Error('There is no .git folder. Make packages in a clone: each package names its commit.');
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const commit = git('rev-parse', 'HEAD');
  const isChanged = git('status', '--porcelain') !== '';
  if (isChanged && !isDevelopment) {
    throw new Error('There are changes that are not committed. A release is made only from a commit.');
  }
  const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? git('log', '-1', '--format=%ct'));
  return { commit: isChanged ? `${commit}-changed` : commit, time: new Date(seconds * 1000) };
}

/** Ends with a slash: without it, the registry's files would resolve to the parent folder. */
function folderAddress(text: string): string {
  const { href } = new URL(text);
  return href.endsWith('/') ? href : `${href}/`;
}
