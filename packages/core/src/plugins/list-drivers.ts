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
  platform: Platform,
  installed: (id: string) => InstalledDriver | undefined,
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
      unavailable: typeof chosen === 'string' ? chosen : null,
      installed: here?.manifest.version ?? null,
      isUpdate: here !== undefined && typeof chosen !== 'string' && isNewer(entry, here),
    };
  });
}

function isNewer({ manifest, integrity }: RegistryEntry, here: InstalledDriver): boolean {
  if (here.bundled) return false;
  const order = compareVersions(manifest.version, here.manifest.version);
  return order > 0 || (order === 0 && integrity !== here.integrity);
}
