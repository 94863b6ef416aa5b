import type { Logger } from 'pino';
import type { InstalledDriver } from './installed-driver.ts';
import { readManifest, unusable } from './read-manifest.ts';

/** Skips and logs a driver that cannot be loaded: the others must still work. */
export function loadBundledDrivers(folders: readonly string[], log: Logger): Map<string, InstalledDriver> {
  const drivers = new Map<string, InstalledDriver>();
  for (const directory of folders) {
    try {
      const manifest = readManifest(directory);
      if (drivers.has(manifest.id)) throw unusable(directory, `another driver has the id ${manifest.id}`);
      drivers.set(manifest.id, { manifest, directory, bundled: true, integrity: null, publisher: null });
    } catch (error) {
      log.error(
        { directory, problem: error instanceof Error ? error.message : String(error) },
        'The driver in this folder cannot be used',
      );
    }
  }
  return drivers;
}
