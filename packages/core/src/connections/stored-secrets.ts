import type { ManifestField } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import type { SecretStore } from '../secrets/secret-store.ts';

/** The secrets of connections, by connection and field. A row of `trestle.db` names the fields that have a secret. */
export class StoredSecrets {
  readonly #store: SecretStore;
  readonly #log: Logger;

  constructor(store: SecretStore, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  async read(id: string, stored: readonly string[], field: ManifestField): Promise<string | null> {
    if (!stored.includes(field.id)) return null;
    const value = await this.#store.get(secretName(id, field.id));
    if (value !== null) return value;
    throw new AppError({
      code: 'storage_failed',
      message: `${field.label} was stored, but the secret store no longer has it`,
      hint: 'Unlock the keychain and start the app again, or edit the connection and enter the value again.',
    });
  }

  /**
   * Stores the secrets. A field with null is skipped: the caller deletes its secret later. Returns a function that
   * restores the old secrets. If storing fails half way, `put` restores them itself.
   */
  async put(id: string, secrets: Map<string, string | null>): Promise<() => Promise<void>> {
    const before: { name: string; value: string | null }[] = [];
    const undo = async () => {
      for (const { name, value } of before) {
        if (value === null) await this.#delete(name);
        else await this.#store.set(name, value);
      }
    };
    try {
      for (const [field, value] of secrets) {
        if (value === null) continue;
        const name = secretName(id, field);
        before.push({ name, value: await this.#store.get(name) });
        await this.#store.set(name, value);
      }
      return undo;
    } catch (error) {
      await undo();
      throw error;
    }
  }

  async delete(id: string, fields: readonly string[]): Promise<void> {
    for (const field of fields) await this.#delete(secretName(id, field));
  }

  /** Deletes a secret that no row refers to. If the deletion fails, the secret stays, and nothing reads it. */
  async #delete(name: string): Promise<void> {
    await this.#store.delete(name).catch((error: unknown) => {
      this.#log.warn({ secret: name, problem: String(error) }, 'A secret was not deleted');
    });
  }
}

function secretName(connectionId: string, field: string): string {
  return `${connectionId}/${field}`;
}
