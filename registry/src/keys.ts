import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The key that signs local registries. Created once per checkout, readable by its owner only, never packaged. */
export function developmentKey(file: string): KeyObject {
  if (!existsSync(file)) createKey(file);
  return privateKey(readFileSync(file, 'utf8'));
}

/** Two builds may create the key at once. The first link wins, and neither build reads a file that is half written. */
function createKey(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const part = `${file}.${randomUUID()}`;
  writeFileSync(part, newKey(), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(part, file);
  } catch (error) {
    // Some file systems have no hard links. There, the last build wins.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
}

/** A new Ed25519 private key as PEM. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

export function privateKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 private key');
  return key;
}

/** The raw public key in base64, as in the index and in the keys that the app pins. */
export function publicKeyOf(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x!, 'base64url').toString('base64');
}

/** A text by which people can compare public keys. The app shows the same text before the user trusts a registry. */
export function fingerprintOf(publicKey: string): string {
  const digest = createHash('sha256').update(publicKey, 'base64').digest('hex');
  return digest.slice(0, 32).match(/.{4}/g)!.join(' ');
}

export function signatureOf(key: KeyObject, statement: Uint8Array): string {
  return sign(null, statement, key).toString('base64');
}
