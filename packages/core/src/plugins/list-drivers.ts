import type { Manifest } from '@trestle/driver-kit';
import type { RegistryEntry } from '@trestle/driver-kit/registry';
import { chooseVersion } from '../registry/choose-version.ts';
import { compareVersions } from '../registry/compare-versions.ts';
import { fingerprint } from '../registry/verify.ts';
import type { ListedDriver, Platform } from '../types.ts';
import type { InstalledDriver } from './installed-driver.ts';

/**
 * One entry per driver of the registry: the version that would be installed here. If no version runs here, the entry
 * has the last listed version and the reason.
 */
export function listDrivers(
  entries: RegistryEntry[],
  {
    platform,
    installed,
    closed,
    misnamed,
  }: {
    platform: Platform;
    installed(id: string): InstalledDriver | undefined;
    /** Why nothing can be installed from the registry now. */
    closed: string | null;
    /** Why a driver must not have its name, or null. */
    misnamed(manifest: Manifest): string | null;
  },
): ListedDriver[] {
  const byId = Map.groupBy(entries, ({ manifest }) => manifest.id);
  return [...byId].map(([id, versions]) => {
    const chosen = chooseVersion(versions, platform);
    const entry = typeof chosen === 'string' ? versions.at(-1)! : chosen;
    const here = installed(id);
    return {
      manifest: entry.manifest,
      size: entry.size,
      publisher: { name: entry.publisher.name, fingerprint: fingerprint(entry.publisher.key) },
      changes: entry.changes,
      unavailable: typeof chosen === 'string' ? chosen : (closed ?? misnamed(entry.manifest)),
      installed: here?.manifest.version ?? null,
      isUpdate: closed === null && here !== undefined && typeof chosen !== 'string' && isNewer(entry, here),
    };
  });
}

function isNewer({ manifest, integrity }: RegistryEntry, here: InstalledDriver): boolean {
  if (here.bundled) return false;
  const order = compareVersions(manifest.version, here.manifest.version);
  return order > 0 || (order === 0 && integrity !== here.integrity);
}
