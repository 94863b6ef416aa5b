import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateKey, publicKeyOf } from './keys.ts';

/** The key from the environment. It must match the committed public key: no package pins another one. */
export function releaseKey(root: string): KeyObject {
  const text = process.env.TRESTLE_REGISTRY_KEY;
  if (!text)
    throw new Error('TRESTLE_REGISTRY_KEY names no release key. --development signs with a local one.');
  const key = privateKey(existsSync(text) ? readFileSync(text, 'utf8') : text);
  if (releaseKeys(root).includes(publicKeyOf(key))) return key;
  throw new Error(
    `registry/release-keys.json does not list ${publicKeyOf(key)}, so no app would trust the index.`,
  );
}

/** The public keys that packages pin. */
export function releaseKeys(root: string): string[] {
  return JSON.parse(readFileSync(join(root, 'registry', 'release-keys.json'), 'utf8')) as string[];
}
