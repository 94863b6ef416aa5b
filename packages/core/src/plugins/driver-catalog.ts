import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import type { DriverDetails, InstallOptions } from '../types.ts';
import type { InstallParts } from './install.ts';
import { whenInUse } from './install-step.ts';
import { type DriverCatalog, type InstalledDriver, loadBundledDrivers } from './load-drivers.ts';
import { PluginFolder } from './plugin-folder.ts';

interface Options {
  home: string;
  hostEntry: string;
  bundledDrivers: readonly string[];
  /** How long a driver may take to load when it is installed. */
  loadMs?: number;
  events: EventHub;
  log: Logger;
  /** The names of the connections that use a driver now. */
  openConnections(driverId: string): string[];
}

/** The drivers that ship with the app and those in the plugin folder. */
export function createDriverCatalog(options: Options): DriverCatalog {
  const { home, hostEntry, loadMs = 30_000, events, log } = options;
  const folder = new PluginFolder(home, log);
  const drivers = loadBundledDrivers(options.bundledDrivers, log);
  for (const driver of folder.load()) {
    const { id } = driver.manifest;
    if (drivers.has(id)) log.error({ driver: id }, 'A driver that ships with the app has this id');
    else drivers.set(id, driver);
  }
  const inUse = (id: string) => {
    const driver = drivers.get(id);
    return driver && useOf(driver, options.openConnections(id));
  };
  const parts: InstallParts = {
    folder,
    hostEntry,
    loadMs,
    log,
    isBundled: (id) => drivers.get(id)?.bundled === true,
    inUse,
  };
  const lifetime = new AbortController();
  let lastInstall: Promise<unknown> = Promise.resolve();

  return {
    list: () => [...drivers.values()].map((driver) => driver.manifest),
    get: (id) => drivers.get(id)?.manifest,
    installed(id) {
      const driver = drivers.get(id);
      if (driver) return driver;
      throw missing(id);
    },
    details: () => [...drivers.values()].map(detailsOf),
    installFromFile(path: string, install: InstallOptions) {
      // One at a time: two of one driver would replace each other half way.
      const result = lastInstall.then(async () => {
        // Most runs install nothing, and need no time to load what unpacks.
        const { installFromFile } = await import('./install.ts');
        const driver = await installFromFile(path, parts, {
          ...install,
          signal: AbortSignal.any([install.signal, lifetime.signal]),
        });
        const { id, version } = driver.manifest;
        drivers.set(id, driver);
        log.info({ driver: id, version }, 'Driver installed');
        events.emit({ type: 'driversChanged' });
        return detailsOf(driver);
      });
      lastInstall = result.catch(() => {});
      return result;
    },
    async remove(id) {
      await lastInstall;
      const driver = drivers.get(id);
      if (!driver) throw missing(id);
      if (driver.bundled) {
        throw new AppError({
          code: 'unsupported',
          message: `${driver.manifest.name} ships with the app and cannot be removed`,
        });
      }
      const use = inUse(id);
      if (use !== undefined) throw new AppError({ code: 'conflict', message: use, hint: whenInUse });
      try {
        folder.remove(id);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        throw new AppError({
          code: 'storage_failed',
          message: `${driver.manifest.name} could not be removed: ${problem}`,
        });
      }
      drivers.delete(id);
      log.info({ driver: id }, 'Driver removed');
      events.emit({ type: 'driversChanged' });
    },
    async close() {
      lifetime.abort();
      await lastInstall;
    },
  };
}

function detailsOf({ manifest, bundled, integrity }: InstalledDriver): DriverDetails {
  return { manifest, bundled, integrity };
}

function useOf({ manifest }: InstalledDriver, connections: string[]): string | undefined {
  if (connections.length === 0) return undefined;
  const names = connections.map((name) => `"${name}"`).join(', ');
  return `${manifest.name} ${manifest.version} is in use by ${names}`;
}

function missing(id: string): AppError {
  return new AppError({
    code: 'driver_missing',
    message: `The driver ${id} is not installed`,
    hint: 'Install it, for example with `trestle plugins install FILE`. Its connections are kept meanwhile.',
  });
}
