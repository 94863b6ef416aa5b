import { probeWall } from '@trestle/driver-host';
import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import type { JobList } from '../jobs/jobs.ts';
import { chooseVersion } from '../registry/choose-version.ts';
import type { Registry } from '../registry/registry.ts';
import type { RegistryStore } from '../registry/registry-store.ts';
import type { DriverDetails, InstallOptions, Platform } from '../types.ts';
import { IdOwners } from './id-owners.ts';
import type { InstallParts, PackageSource } from './install.ts';
import { whenInUse } from './install-step.ts';
import type { DriverCatalog, InstalledDriver } from './installed-driver.ts';
import { listDrivers } from './list-drivers.ts';
import { loadBundledDrivers } from './load-drivers.ts';
import { nameProblem } from './namesake.ts';
import { fileSource, registrySource } from './package-sources.ts';
import { PluginFolder } from './plugin-folder.ts';
import { RegistryInstalls } from './registry-installs.ts';

interface Options {
  home: string;
  hostEntry: string;
  bundledDrivers: readonly string[];
  platform: Platform;
  registry: Registry;
  store: RegistryStore;
  /** How long a driver may take to load during its install. */
  loadMs: number;
  events: EventHub;
  jobs: JobList;
  log: Logger;
  /** The names of the driver's connections that are open or opening. */
  openConnections(driverId: string): string[];
  /** The number of the driver's sessions, open or opening. A serial driver has up to two sessions per connection. */
  openSessions(driverId: string): number;
  /** Whether a saved connection uses this driver. */
  hasConnections(driverId: string): boolean;
}

/** The drivers that ship with the app, those in the plugin folder, and those in the registry. */
export function createDriverCatalog(options: Options): DriverCatalog {
  const { home, hostEntry, loadMs, events, log, registry, platform } = options;
  const folder = new PluginFolder(home, log);
  const owners = new IdOwners(options.store, registry);
  const drivers = loadBundledDrivers(options.bundledDrivers, log);
  for (const driver of folder.load()) {
    const { id } = driver.manifest;
    if (drivers.has(id)) log.error({ driver: id }, 'A driver that ships with the app has this id');
    else drivers.set(id, driver);
  }
  const manifests = () => [...drivers.values()].map(({ manifest }) => manifest);
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
    current: (id) => drivers.get(id)?.manifest,
    nameProblem: (manifest) => nameProblem(manifest, { installed: manifests(), listed: registry.entries }),
    inUse,
  };
  const lifetime = new AbortController();
  let lastInstall: Promise<unknown> = Promise.resolve();

  /** One install at a time: two installs of the same driver would overwrite each other's files. */
  function install(source: PackageSource, asked: InstallOptions): Promise<DriverDetails> {
    const result = lastInstall.then(async () => {
      // Most runs of the app install nothing, so the unpacking code is loaded only when needed.
      const { installPackage } = await import('./install.ts');
      const signal = AbortSignal.any([asked.signal, lifetime.signal]);
      const driver = await installPackage(source, parts, { ...asked, signal });
      const { id, version } = driver.manifest;
      drivers.set(id, driver);
      options.store.setRemoved(id, false);
      log.info({ driver: id, version, publisher: driver.publisher }, 'Driver installed');
      events.emit({ type: 'driversChanged' });
      return detailsOf(driver);
    });
    lastInstall = result.catch(() => {});
    return result;
  }

  const chosen = (id: string) =>
    chooseVersion(
      registry.entries.filter(({ manifest }) => manifest.id === id),
      platform,
    );
  const get = (id: string) => drivers.get(id)?.manifest ?? manifestIn(chosen(id));
  const installs = new RegistryInstalls({
    events,
    jobs: options.jobs,
    nameOf: (id) => get(id)?.name ?? id,
    openConnections: options.openConnections,
    async choose(id, signal) {
      if (registry.address === null) missing(id);
      // If the refresh fails, an index that was read earlier is enough.
      await registry.refresh({ signal }).catch((error: AppError) => {
        if (error.code === 'cancelled' || registry.entries.length === 0) throw error;
      });
      // A refresh that failed leaves the earlier index, which may have expired.
      if (registry.stale) throw registry.stale;
      const entry = chosen(id);
      if (typeof entry === 'string') throw unavailable(id, entry);
      return entry;
    },
    install: (entry, asked) =>
      install(registrySource({ registry: registry.address!, entry, folder, owners, ...asked }), asked),
  });

  return {
    list: () => [...drivers.values()].map((driver) => driver.manifest),
    known: () => {
      const listed = new Set(registry.entries.map(({ manifest }) => manifest.id));
      const others = [...listed]
        .filter((id) => !drivers.has(id))
        .flatMap((id) => manifestIn(chosen(id)) ?? []);
      return [...[...drivers.values()].map((driver) => driver.manifest), ...others];
    },
    get,
    installed: (id) => drivers.get(id) ?? missing(id),
    manifestOf: (id) => get(id) ?? missing(id),
    details: () => [...drivers.values()].map(detailsOf),
    listed: () =>
      listDrivers(registry.entries, {
        platform,
        installed: (id) => drivers.get(id),
        closed: registry.stale?.message ?? null,
        misnamed: (manifest) => parts.nameProblem(manifest) ?? null,
      }),
    registry: () => registry.status,
    refresh: (asked) => registry.refresh(asked),
    useRegistry: (address) => registry.use(address),
    confirmRegistry: (fingerprint) => registry.confirm(fingerprint),
    install: (id, { signal }) => installs.install(id, signal),
    isRemoved: (id) => options.store.isRemoved(id),
    isReady(id, { isTest = false } = {}) {
      const driver = drivers.get(id);
      if (!driver) return false;
      // `openSessions` already counts the session that asks. It does not count a test.
      const others = options.openSessions(id) - (isTest ? 0 : 1);
      return others > 0 || registry.stale !== null || !isRebuilt(driver, chosen(id));
    },
    installFromFile: (path, asked) =>
      install(fileSource({ path, signal: asked.signal, registry, owners }), asked),
    async remove(id) {
      await lastInstall;
      const driver = drivers.get(id) ?? missing(id);
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
      options.store.setRemoved(id, true);
      if (!options.hasConnections(id)) owners.release(id);
      drivers.delete(id);
      log.info({ driver: id }, 'Driver removed');
      events.emit({ type: 'driversChanged' });
    },
    secondWall({ signal }) {
      const { manifest, directory: driverDirectory } = [...drivers.values()][0] ?? missing('of this app');
      return probeWall({ hostEntry, driverDirectory, manifest }, { signal, timeoutMs: loadMs });
    },
    async close() {
      lifetime.abort();
      await lastInstall;
    },
  };
}

/**
 * Whether the driver came from a registry, and the registry now has the same version with other bytes: for example,
 * after a build from source.
 */
function isRebuilt(driver: InstalledDriver, entry: ReturnType<typeof chooseVersion>): boolean {
  if (typeof entry === 'string' || driver.bundled) return false;
  const isSameVersion = entry.manifest.version === driver.manifest.version;
  return isSameVersion && driver.publisher !== null && entry.integrity !== driver.integrity;
}

function manifestIn(entry: ReturnType<typeof chooseVersion>) {
  return typeof entry === 'string' ? undefined : entry.manifest;
}

function detailsOf({ manifest, bundled, integrity, publisher }: InstalledDriver): DriverDetails {
  return { manifest, bundled, integrity, publisher };
}

function useOf({ manifest }: InstalledDriver, connections: string[]): string | undefined {
  if (connections.length === 0) return undefined;
  const names = connections.map((name) => `"${name}"`).join(', ');
  return `${manifest.name} ${manifest.version} is in use by ${names}`;
}

function missing(id: string): never {
  throw new AppError({
    code: 'driver_missing',
    message: `The driver ${id} is not installed`,
    hint: 'Install it in Settings → Plugins, or with `trestle plugins install`. Its connections are kept meanwhile.',
  });
}

function unavailable(id: string, reason: string): AppError {
  return new AppError({
    code: 'driver_missing',
    message: `The driver ${id} cannot be installed from the registry: ${reason}`,
    hint: 'Settings → Plugins shows the drivers that the registry has.',
  });
}
