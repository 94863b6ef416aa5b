import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateKey, publicKeyOf } from './keys.ts';

/**
 * The keys that sign the registry's index and `channel.json`, which `trestle update` reads. They come from the
 * environment. The first key must be listed in `release-keys.json`, since a new release of the app pins only the listed
 * keys. The second key is optional. It is the previous key: installed apps may know only that key.
 */
export function releaseSigners(root: string): [KeyObject, ...KeyObject[]] {
  const { TRESTLE_REGISTRY_KEY: text, TRESTLE_REGISTRY_OLD_KEY: oldText } = process.env;
  if (!text)
    throw new Error('TRESTLE_REGISTRY_KEY is not set. Set it to the release key, or pass --development.');
  const key = readKey(text);
  if (releaseKeys(root).includes(publicKeyOf(key))) return oldText ? [key, readKey(oldText)] : [key];
  throw new Error(
    `registry/release-keys.json does not list ${publicKeyOf(key)}, so a new release of the app would not trust the index.`,
  );
}

/** The public keys that a release of the app pins. */
export function releaseKeys(root: string): string[] {
  return JSON.parse(readFileSync(join(root, 'registry', 'release-keys.json'), 'utf8')) as string[];
}

function readKey(text: string): KeyObject {
  return privateKey(existsSync(text) ? readFileSync(text, 'utf8') : text);
}
