import type { Logger } from 'pino';
import type { SecretsInfo } from '../types.ts';
import { EncryptedFile } from './encrypted-file.ts';
import { Keychain } from './keychain.ts';
import type { SecretStore } from './secret-store.ts';

interface SecretStoreOptions {
  home: string;
  choice: 'auto' | 'file';
  /** The time limit for the test of the keychain. */
  probeMs: number;
  log: Logger;
}

/**
 * Returns the keychain if `choice` is `auto` and the keychain works, else the encrypted file. `info` names
 * the store and, if it is the file, the reason.
 */
export async function openSecretStore({
  home,
  choice,
  probeMs,
  log,
}: SecretStoreOptions): Promise<{ store: SecretStore; info: SecretsInfo }> {
  const file = new EncryptedFile(home);
  if (choice === 'file')
    return { store: file, info: { store: 'file', reason: 'The app was told to use a file.' } };
  const reason = await new Keychain({ timeoutMs: probeMs }).problem();
  if (reason !== null) {
    log.warn({ reason }, 'Secrets are kept in an encrypted file');
    return { store: file, info: { store: 'file', reason } };
  }
  // Long enough for a person to type the keychain's password.
  const keychain = new Keychain({ timeoutMs: 60_000 });
  const isMoved = await moveToKeychain(file, keychain, log);
  const store = isMoved ? keychain : withRest(file, keychain);
  return { store, info: { store: 'keychain', reason: null } };
}

/**
 * Moves secrets that a run without the keychain stored. They replace older secrets of the same name. False if some may
 * still be in the file.
 */
async function moveToKeychain(file: EncryptedFile, keychain: Keychain, log: Logger): Promise<boolean> {
  try {
    for (const name of file.names()) {
      const value = await file.get(name);
      if (value !== null) await keychain.set(name, value);
      await file.delete(name);
    }
    return true;
  } catch (error) {
    log.error({ problem: String(error) }, 'Secrets in the encrypted file could not be moved to the keychain');
    return false;
  }
}

/**
 * The keychain, together with a file whose secrets could not all be moved into it. The next start tries again. Until
 * then these secrets are read from the file. `set` and `delete` also delete the secret from the file: otherwise the next
 * start would replace the new value with the old one, or bring back a deleted secret.
 */
function withRest(file: EncryptedFile, keychain: Keychain): SecretStore {
  let names: string[];
  try {
    names = file.names();
  } catch {
    // The file is damaged or cannot be read, so its secrets cannot be used.
    return keychain;
  }
  const forget = async (name: string) => {
    if (names.includes(name)) await file.delete(name);
  };
  return {
    get: async (name) => (await file.get(name).catch(() => null)) ?? keychain.get(name),
    set: async (name, value) => {
      await keychain.set(name, value);
      await forget(name);
    },
    delete: async (name) => {
      await keychain.delete(name);
      await forget(name);
    },
    close: () => keychain.close(),
  };
}
