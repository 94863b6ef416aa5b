import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const backupSchema = z.object({
  version: z.literal(1),
  path: z.string(),
  /**
   * The file's content before Trestle wrote it, in base64. Null if there was no file. If Trestle writes again, and
   * nobody else has changed the file, this stays the content before the first write.
   */
  original: z.string().nullable(),
  /** SHA-256 of the written content. While the file still has this hash, undo restores `original` exactly. */
  written: z.string(),
  /** The entry that Trestle's entry replaced. Null if there was no entry, or if it was not a map. */
  replaced: z.record(z.string(), z.unknown()).nullable(),
  /** The outermost folder that Trestle created for the file. Null if Trestle created none. */
  madeFolder: z.string().nullable(),
});

export type Backup = z.infer<typeof backupSchema>;

/** Backups of clients' configuration files. Their mode is 0600, because such files may hold secrets of servers. */
export class Backups {
  readonly #folder: string;

  constructor(dataDirectory: string) {
    this.#folder = join(dataDirectory, 'connect');
  }

  pathOf(clientId: string, configPath: string): string {
    return join(this.#folder, `${clientId}-${digest(configPath).slice(0, 12)}.json`);
  }

  get(clientId: string, configPath: string): Backup | undefined {
    const path = this.pathOf(clientId, configPath);
    return read(path) ?? read(asideOf(path));
  }

  /**
   * Stores a backup, before the configuration is changed. Returns a function that replaces it by the earlier backup, or
   * deletes it if there was none. That function only renames or deletes, so it works on a full disk.
   */
  set(clientId: string, backup: Backup): () => void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = this.pathOf(clientId, backup.path);
    const fresh = `${path}.new`;
    const aside = asideOf(path);
    try {
      // Not written in place: on a full disk the existing backup must stay complete.
      writeFileSync(fresh, `${JSON.stringify(backup, null, 2)}\n`, { mode: 0o600, flush: true });
      if (existsSync(path)) renameSync(path, aside);
      renameSync(fresh, path);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
    return () => {
      if (existsSync(aside)) renameSync(aside, path);
      else rmSync(path, { force: true });
    };
  }

  /** Deletes the earlier backup. Call `keep` after the configuration was written. */
  keep(clientId: string, configPath: string): void {
    rmSync(asideOf(this.pathOf(clientId, configPath)), { force: true });
  }

  remove(clientId: string, configPath: string): void {
    this.keep(clientId, configPath);
    rmSync(this.pathOf(clientId, configPath), { force: true });
  }
}

/** The place of the earlier backup while the configuration is written. */
function asideOf(path: string): string {
  return `${path}.earlier`;
}

function read(path: string): Backup | undefined {
  try {
    return backupSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

export function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
