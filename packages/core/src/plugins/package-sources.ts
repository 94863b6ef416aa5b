import type { RegistryEntry } from '@trestle/driver-kit/registry';
import type { Registry } from '../registry/registry.ts';
import { downloadPackage, partialName } from './download.ts';
import type { IdOwners } from './id-owners.ts';
import type { PackageSource } from './install.ts';
import type { PluginFolder } from './plugin-folder.ts';
import { readPackage } from './read-package.ts';

/**
 * A file that the user chose. If the registry lists a package with the same bytes, the file counts as that package.
 * Otherwise the driver's id must already belong to a driver from a file, or must have no owner and not be in the
 * registry.
 */
export function fileSource({
  path,
  signal,
  registry,
  owners,
}: {
  path: string;
  signal: AbortSignal;
  registry: Registry;
  owners: IdOwners;
}): PackageSource {
  const ownerOf = (integrity: string) =>
    owners.ownerOf(registry.entries.find((entry) => entry.integrity === integrity) ?? null);
  return {
    firstStep: 'read',
    publisher: null,
    get: () => readPackage(path, signal),
    refuse: ({ id }, integrity) => owners.refuse(id, ownerOf(integrity)),
    claim: ({ id }, integrity) => owners.claim(id, ownerOf(integrity)),
  };
}

/** A version of a driver that the registry lists. */
export function registrySource(options: {
  registry: URL;
  entry: RegistryEntry;
  folder: PluginFolder;
  owners: IdOwners;
  signal: AbortSignal;
  onProgress(received: number): void;
}): PackageSource {
  const { entry, owners, folder } = options;
  return {
    firstStep: 'download',
    publisher: entry.publisher.name,
    async get(begin) {
      const bytes = await downloadPackage({ ...options, partial: folder.partial(partialName(entry)), begin });
      return { bytes, integrity: entry.integrity };
    },
    refuse({ id, version }) {
      const listed = entry.manifest;
      if (id !== listed.id || version !== listed.version) {
        return `it is ${id} ${version}, and the registry lists it as ${listed.id} ${listed.version}`;
      }
      return owners.refuse(id, owners.ownerOf(entry));
    },
    claim: ({ id }) => owners.claim(id, owners.ownerOf(entry)),
  };
}
