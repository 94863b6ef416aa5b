import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RegistryOptions } from './build-registry.ts';

/** The built packages of drivers, each with the section of `CHANGES.md` for its version. */
export function driverPackages(
  drivers: { id: string; version: string; folder: string }[],
  packagesFolder: string,
): RegistryOptions['packages'] {
  return drivers.map(({ id, version, folder }) => {
    const file = join(packagesFolder, `${id}-${version}.tgz`);
    if (!existsSync(file)) throw new Error(`${file} is not there. Run npm run build first.`);
    return { file, changes: changesOf(join(folder, 'CHANGES.md'), version) };
  });
}

function changesOf(file: string, version: string): string {
  if (!existsSync(file)) return '';
  const sections = readFileSync(file, 'utf8').split(/^## /m).slice(1);
  const parts = sections.map((section) => section.split('\n'));
  const own = parts.find(([heading]) => heading!.trim() === version);
  return own ? own.slice(1).join('\n').trim() : '';
}
