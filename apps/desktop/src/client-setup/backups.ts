import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const backupSchema = z.object({
  version: z.literal(1),
  path: z.string(),
  /** The file's content before Trestle's first change, in base64. Null if there was no file. */
  original: z.string().nullable(),
  /** SHA-256 of the written content. While the file still matches, undo restores every byte. */
  written: z.string(),
  /** The entry that ours replaced. */
  replaced: z.record(z.string(), z.unknown()).nullable(),
  madeFolder: z.string().nullable(),
});

export type Backup = z.infer<typeof backupSchema>;

/** Backups of clients' configuration files. Private: such files contain keys of other servers. */
export class Backups {
  readonly #folder: string;

  constructor(dataDirectory: string) {
    this.#folder = join(dataDirectory, 'connect');
  }

  pathOf(clientId: string, configPath: string): string {
    return join(this.#folder, `${clientId}-${digest(configPath).slice(0, 12)}.json`);
  }

  get(clientId: string, configPath: string): Backup | undefined {
    try {
      const text = readFileSync(this.pathOf(clientId, configPath), 'utf8');
      return backupSchema.parse(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  /** Stored before the configuration is changed. */
  set(clientId: string, backup: Backup): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.pathOf(clientId, backup.path);
    const fresh = `${path}.new`;
    try {
      writeFileSync(fresh, `${JSON.stringify(backup, null, 2)}\n`, { mode: 0o600, flush: true });
      // On a full disk the existing backup must stay complete.
      renameSync(fresh, path);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
  }

  remove(clientId: string, configPath: string): void {
    rmSync(this.pathOf(clientId, configPath), { force: true });
  }
}

export function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
