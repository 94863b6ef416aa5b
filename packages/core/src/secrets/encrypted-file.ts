import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError, isAppError } from '../errors.ts';
import type { SecretStore } from './secret-store.ts';

/**
 * AES-256-GCM in `secrets.json`, with the key in a file next to it. Both files get the mode 0600 (owner only). A
 * backup of `secrets.json` alone reveals no secret. A program of the same user can read both files.
 */
export class EncryptedFile implements SecretStore {
  readonly #path: string;
  readonly #keyPath: string;

  constructor(home: string) {
    this.#path = join(home, 'secrets.json');
    this.#keyPath = join(home, 'secrets.key');
  }

  async get(name: string): Promise<string | null> {
    const entry = this.#read()[name];
    if (!entry) return null;
    try {
      return decrypt(this.#key(), name, entry);
    } catch (error) {
      // The key is missing or damaged.
      if (isAppError(error)) throw error;
      throw failed(`The secret in ${this.#path} cannot be decrypted with ${this.#keyPath}.`);
    }
  }

  async set(name: string, value: string): Promise<void> {
    this.#write({ ...this.#read(), [name]: encrypt(this.#key(), name, value) });
  }

  async delete(name: string): Promise<void> {
    const { [name]: removed, ...rest } = this.#read();
    if (removed) this.#write(rest);
  }

  close(): void {}

  names(): string[] {
    return Object.keys(this.#read());
  }

  #read(): Entries {
    if (!existsSync(this.#path)) return {};
    const text = readText(this.#path);
    try {
      return fileSchema.parse(JSON.parse(text)).entries;
    } catch {
      throw failed(`${this.#path} is damaged and cannot be read.`);
    }
  }

  /** Writes atomically: a reader sees the old file or the new one. */
  #write(entries: Entries): void {
    const temporary = `${this.#path}.${process.pid}.tmp`;
    try {
      const handle = openSync(temporary, 'w', 0o600);
      try {
        writeFileSync(handle, JSON.stringify({ version: 1, entries }));
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      renameSync(temporary, this.#path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  #key(): Uint8Array {
    if (!existsSync(this.#keyPath)) {
      if (this.names().length > 0) throw failed(`${this.#keyPath} is missing, so stored secrets are lost.`);
      this.#createKey();
    }
    chmodSync(this.#keyPath, 0o600);
    const key = readFileSync(this.#keyPath);
    if (key.length !== 32) throw failed(`${this.#keyPath} is damaged.`);
    return key;
  }

  #createKey(): void {
    // Never overwrites a key that another process has just created.
    const handle = openSync(this.#keyPath, 'wx', 0o600);
    try {
      writeFileSync(handle, randomBytes(32));
      fsyncSync(handle);
    } catch (error) {
      // On a full disk the key would stay empty, and no secret could be stored later.
      rmSync(this.#keyPath, { force: true });
      throw error;
    } finally {
      closeSync(handle);
    }
  }
}

/** A file without read permission is not damaged: the user must not move it away. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AppError({
      code: 'storage_failed',
      message: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      hint: 'Check the permissions of the file.',
    });
  }
}

const entrySchema = z.object({ iv: z.string(), tag: z.string(), data: z.string() });
const fileSchema = z.object({ version: z.literal(1), entries: z.record(z.string(), entrySchema) });
type Entry = z.infer<typeof entrySchema>;
type Entries = Record<string, Entry>;

/** The name is authenticated too, so an entry that is moved to another name does not decrypt. */
function encrypt(key: Uint8Array, name: string, value: string): Entry {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name));
  const data = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return {
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
}

function decrypt(key: Uint8Array, name: string, entry: Entry): string {
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(entry.iv, 'base64'), {
    authTagLength: 16,
  })
    .setAAD(Buffer.from(name))
    .setAuthTag(Buffer.from(entry.tag, 'base64'));
  return Buffer.concat([decipher.update(Buffer.from(entry.data, 'base64')), decipher.final()]).toString(
    'utf8',
  );
}

function failed(message: string): AppError {
  return new AppError({
    code: 'storage_failed',
    message,
    hint: 'Nothing was changed. Restore secrets.json and secrets.key from a backup, or move them away and enter the secrets again.',
  });
}
