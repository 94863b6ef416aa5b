import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import { z } from 'zod';
import { compareVersions } from '../registry/compare-versions.ts';
import type { InstalledDriver } from './installed-driver.ts';
import { originFile } from './package-path.ts';
import { isVersion, readManifest, unusable } from './read-manifest.ts';

/**
 * The folder `plugins`, with each driver in `<id>/<version>/`. Only the process that owns the data directory changes
 * the folder. After a crash, the next start finds the old driver or the new one. The folder of a new version appears by
 * one rename. Until then, the folder of the old version is only set aside.
 */
export class PluginFolder {
  readonly #root: string;
  readonly #log: Logger;

  constructor(home: string, log: Logger) {
    this.#root = join(home, 'plugins');
    this.#log = log;
  }

  /** The newest usable version of each driver. First repairs the state that an interrupted run left. */
  load(): InstalledDriver[] {
    try {
      if (!lstatSync(this.#root, { throwIfNoEntry: false })) return [];
      requireFolder(this.#root);
      this.#tidy();
      return this.#entries().flatMap((id) => this.#newest(id) ?? []);
    } catch (error) {
      this.#log.error({ problem: messageOf(error) }, 'The installed drivers cannot be read');
      return [];
    }
  }

  /** A new folder for a package. Its name begins with a dot, so a start does not load it as a driver. */
  createIncoming(): string {
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
    requireFolder(this.#root);
    return mkdtempSync(join(this.#root, incomingPrefix));
  }

  /**
   * Deletes all other partial downloads, and returns the path of this one. The next attempt continues the file, also
   * after a restart. A start deletes the file if it is older than a day.
   */
  partial(name: string): string {
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
    requireFolder(this.#root);
    for (const other of readdirSync(this.#root)) {
      if (other.startsWith(downloadPrefix) && other !== name) this.discard(join(this.#root, other));
    }
    return join(this.#root, name);
  }

  /** Turns an incoming folder into the installed driver, which replaces its earlier versions. Returns the new path. */
  publish(incoming: string, { id, version }: Manifest): string {
    const home = join(this.#root, id);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    requireFolder(home);
    const aside = this.#versions(id).map((old) => {
      const path = join(this.#root, `${replacedPrefix}${id}@${old}`);
      rmSync(path, { recursive: true, force: true });
      renameSync(join(home, old), path);
      return { old, path };
    });
    try {
      renameSync(incoming, join(home, version));
    } catch (error) {
      for (const { old, path } of aside) renameSync(path, join(home, old));
      if (aside.length === 0 && readdirSync(home).length === 0) rmdirSync(home);
      throw error;
    }
    for (const { path } of aside) this.discard(path);
    return join(home, version);
  }

  remove(id: string): void {
    const doomed = mkdtempSync(join(this.#root, removedPrefix));
    // A replaced version is still here if it could not be deleted. The next start would restore it.
    const aside = readdirSync(this.#root).filter((name) => name.startsWith(`${replacedPrefix}${id}@`));
    for (const name of [...aside, id]) renameSync(join(this.#root, name), join(doomed, name));
    this.discard(doomed);
  }

  #tidy(): void {
    const names = readdirSync(this.#root);
    for (const name of names) {
      const path = join(this.#root, name);
      if (name.startsWith(incomingPrefix) || name.startsWith(removedPrefix)) this.discard(path);
      if (name.startsWith(downloadPrefix) && ageOf(path) > partialMs) this.discard(path);
    }
    for (const name of names) {
      const replaced =
        name.startsWith(replacedPrefix) && /^([a-z0-9-]+)@(.+)$/.exec(name.slice(replacedPrefix.length));
      if (!replaced) continue;
      const [, id = '', version = ''] = replaced;
      this.#restore(name, id, version);
    }
  }

  /**
   * Moves a replaced version back, or deletes it if the driver has another version. Only logs a failure: the other
   * drivers must still load.
   */
  #restore(name: string, id: string, version: string): void {
    try {
      if (this.#versions(id).length > 0) {
        this.discard(join(this.#root, name));
        return;
      }
      mkdirSync(join(this.#root, id), { recursive: true, mode: 0o700 });
      renameSync(join(this.#root, name), join(this.#root, id, version));
    } catch (error) {
      this.#log.error({ folder: name, problem: messageOf(error) }, 'A driver could not be restored');
    }
  }

  #newest(id: string): InstalledDriver | undefined {
    const versions = this.#readable(id).sort(compareVersions).reverse();
    for (const [index, version] of versions.entries()) {
      const directory = join(this.#root, id, version);
      try {
        const driver = loadPlugin(directory, id, version);
        for (const older of versions.slice(index + 1)) this.discard(join(this.#root, id, older));
        return driver;
      } catch (error) {
        this.#log.error({ directory, problem: messageOf(error) }, 'The driver in this folder cannot be used');
      }
    }
    return undefined;
  }

  #entries(): string[] {
    return readdirSync(this.#root).filter((name) => /^[a-z][a-z0-9-]*$/.test(name));
  }

  /** No version if the folder cannot be read: the other drivers must still load. */
  #readable(id: string): string[] {
    try {
      return this.#versions(id);
    } catch (error) {
      const directory = join(this.#root, id);
      this.#log.error({ directory, problem: messageOf(error) }, 'The driver in this folder cannot be used');
      return [];
    }
  }

  #versions(id: string): string[] {
    const home = join(this.#root, id);
    const stat = lstatSync(home, { throwIfNoEntry: false });
    if (!stat) return [];
    if (stat.isDirectory()) return readdirSync(home).filter(isVersion);
    this.#log.error({ directory: home }, 'This path is not a folder, so it has no driver');
    return [];
  }

  /** Deletes a file or folder. Only logs a failure, because a later start tries again. */
  discard(path: string): void {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      this.#log.warn({ path, problem: messageOf(error) }, 'A stale file or folder stays for now');
    }
  }
}

const incomingPrefix = '.incoming-';
const replacedPrefix = '.replaced-';
const removedPrefix = '.removed-';
export const downloadPrefix = '.download-';
const partialMs = 24 * 3_600_000;

function ageOf(path: string): number {
  return Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

function loadPlugin(directory: string, id: string, version: string): InstalledDriver {
  refuseLinks(directory);
  const manifest = readManifest(directory);
  if (manifest.id !== id || manifest.version !== version) {
    throw unusable(directory, `its manifest says ${manifest.id} ${manifest.version}`);
  }
  return { manifest, directory, bundled: false, ...readOrigin(directory) };
}

/** A link inside the folder would give the driver's process access to the link's target. */
function refuseLinks(directory: string): void {
  requireFolder(directory);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory()) {
      throw unusable(directory, `${join(entry.parentPath, entry.name)} is neither a file nor a folder`);
    }
  }
}

function requireFolder(path: string): void {
  if (!lstatSync(path).isDirectory()) throw unusable(path, 'it is not a folder');
}

/** If `.origin.json` is missing or damaged, integrity and publisher are unknown (null). The driver still works. */
function readOrigin(directory: string): { integrity: string | null; publisher: string | null } {
  try {
    return originSchema.parse(JSON.parse(readFileSync(join(directory, originFile), 'utf8')));
  } catch {
    return { integrity: null, publisher: null };
  }
}

const originSchema = z.object({ integrity: z.string(), publisher: z.string().nullable() });

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
