import type { Logger } from 'pino';
import type { SecretsInfo } from '../types.ts';
import { EncryptedFile } from './encrypted-file.ts';
import { Keychain } from './keychain.ts';

/** Values by name. A name is `<connection id>/<field id>`. */
export interface SecretStore {
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
  /** Ends what waits for an answer. */
  close(): void;
}

export interface SecretStoreOptions {
  home: string;
  choice: 'auto' | 'file';
  /** How long the keychain may take to show that it works. */
  probeMs: number;
  log: Logger;
}

/** The keychain where one works, else the encrypted file, with the reason for the person. */
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
  // Long enough for a person to type the password that unlocks it.
  const keychain = new Keychain({ timeoutMs: 60_000 });
  await moveToKeychain(file, keychain, log);
  return { store: keychain, info: { store: 'keychain', reason: null } };
}

/** What a run without a keychain left in the file. It is newer than what the keychain may hold. */
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
