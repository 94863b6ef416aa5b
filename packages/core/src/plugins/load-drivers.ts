import type { Manifest } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import type { Drivers } from '../types.ts';
import { readManifest, unusable } from './read-manifest.ts';

export { readManifest } from './read-manifest.ts';

export interface InstalledDriver {
  manifest: Manifest;
  directory: string;
  /** Ships with the app. */
  bundled: boolean;
  /** Of the package it came in; null where there was none. */
  integrity: string | null;
  /** The name of the publisher who signed it; null where it came from a file. */
  publisher: string | null;
}

export interface DriverCatalog extends Drivers {
  /** Throws `driver_missing`. */
  installed(id: string): InstalledDriver;
  /** Of an installed driver, or of one that the registry lists; throws `driver_missing`. */
  manifestOf(id: string): Manifest;
  /** False where it is missing, or the registry has the same version built anew: `install` gets it. */
  isReady(id: string): boolean;
  /** Stops an install that is under way. */
  close(): Promise<void>;
}

/** A driver that cannot be loaded is left out and logged: the others must still work. */
export function loadBundledDrivers(folders: readonly string[], log: Logger): Map<string, InstalledDriver> {
  const drivers = new Map<string, InstalledDriver>();
  for (const directory of folders) {
    try {
      const manifest = readManifest(directory);
      if (drivers.has(manifest.id)) throw unusable(directory, `another driver has the id ${manifest.id}`);
      drivers.set(manifest.id, { manifest, directory, bundled: true, integrity: null, publisher: null });
    } catch (error) {
      log.error({ directory, problem: error instanceof Error ? error.message : String(error) }, 'No driver');
    }
  }
  return drivers;
}
