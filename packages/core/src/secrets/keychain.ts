import { randomBytes } from 'node:crypto';
import { AsyncEntry } from '@napi-rs/keyring';
import { AppError } from '../errors.ts';
import type { SecretStore } from './secret-store.ts';

/** The keychain of the operating system. */
export class Keychain implements SecretStore {
  readonly #timeoutMs: number;

  /** Long enough for a person to type the password that unlocks it. */
  constructor({ timeoutMs = 60_000 }: { timeoutMs?: number } = {}) {
    this.#timeoutMs = timeoutMs;
  }

  get(name: string): Promise<string | null> {
    return this.#ask(async (signal) => (await entry(name).getPassword(signal)) ?? null);
  }

  set(name: string, value: string): Promise<void> {
    return this.#ask((signal) => entry(name).setPassword(value, signal));
  }

  async delete(name: string): Promise<void> {
    await this.#ask((signal) => entry(name).deleteCredential(signal));
  }

  /** Why it cannot be used; null where a secret written is read back and deleted. */
  async problem(): Promise<string | null> {
    const name = `probe/${randomBytes(8).toString('hex')}`;
    const value = randomBytes(16).toString('hex');
    try {
      await this.set(name, value);
      const read = await this.get(name);
      await this.delete(name);
      return read === value ? null : 'The keychain does not give back what was written to it.';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** A locked keychain with nobody at the screen never answers; the call must end all the same. */
  async #ask<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const controller = new AbortController();
    const timer = setTimeout(() => {
      late.reject(new Error('it did not answer'));
      controller.abort();
    }, this.#timeoutMs);
    try {
      return await Promise.race([work(controller.signal), late.promise]);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw new AppError({
        code: 'storage_failed',
        message: `The keychain of the operating system cannot be used: ${detail}`,
        hint: 'Unlock it, then try again.',
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Without the pin, Linux falls back silently to the kernel's keyring, which a reboot empties. */
function entry(name: string): AsyncEntry {
  return new AsyncEntry('Trestle', name, { linux: { store: 'secret-service' } });
}
