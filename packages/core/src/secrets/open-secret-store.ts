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
 * Returns the keychain if `choice` is `auto` and the keychain works, else the encrypted file. `info` has the reason for
 * the user.
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
  await moveToKeychain(file, keychain, log);
  return { store: keychain, info: { store: 'keychain', reason: null } };
}

/** Moves secrets that a run without the keychain stored. They replace older secrets of the same name. */
async function moveToKeychain(file: EncryptedFile, keychain: Keychain, log: Logger): Promise<void> {
  try {
    for (const name of file.names()) {
      const value = await file.get(name);
      if (value !== null) await keychain.set(name, value);
      await file.delete(name);
    }
  } catch (error) {
    log.error({ problem: String(error) }, 'Secrets in the encrypted file could not be moved to the keychain');
  }
}
