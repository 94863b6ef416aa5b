import { kitVersion } from '@trestle/driver-kit/manifest';
import type { RegistryEntry } from '@trestle/driver-kit/registry';
import type { Platform } from '../types.ts';
import { compareVersions } from './compare-versions.ts';

/** The newest version that this app can run, or the reason why there is none. */
export function chooseVersion(versions: RegistryEntry[], platform: Platform): RegistryEntry | string {
  const newest = versions.toSorted((a, b) => compareVersions(b.manifest.version, a.manifest.version));
  const [first] = newest;
  if (!first) return 'The registry does not list it';
  const onPlatform = newest.filter(({ manifest }) => manifest.platforms.includes(platform));
  if (onPlatform.length === 0) {
    const { name, platforms } = first.manifest;
    if (platforms.length === 0) return `${name} is not made for ${platform}`;
    return `${name} is made for ${platforms.join(' and ')}, not for ${platform}`;
  }
  const fitting = onPlatform.find(({ kit }) => kit.from <= kitVersion && kitVersion <= kit.to);
  if (fitting) return fitting;
  const { name, version } = onPlatform[0]!.manifest;
  return onPlatform[0]!.kit.from > kitVersion
    ? `${name} ${version} needs a newer Trestle (driver kit ${onPlatform[0]!.kit.from}; this one has ${kitVersion})`
    : `${name} ${version} was made for an older Trestle (driver kit ${onPlatform[0]!.kit.to}; this one has ${kitVersion})`;
}
