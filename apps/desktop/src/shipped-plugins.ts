import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Core, compareVersions, integrityOf } from '@trestle/core';
import type { Logger } from './log.ts';

/** By driver id, the integrity of the package that was last dealt with. */
const rememberedAs = 'app.shippedPlugins';

/**
 * Installs the driver packages beside the app through the same step as any other, each once: one that was removed
 * does not come back, and one replaced by a newer version stays. A package that changed is dealt with anew.
 */
export async function installShippedPlugins(core: Core, folder: string, log: Logger): Promise<void> {
  if (!existsSync(folder)) return;
  const known = (core.uiState.get(rememberedAs) ?? {}) as Record<string, string>;
  for (const name of readdirSync(folder).sort()) {
    const [, id, version] = /^([a-z][a-z0-9-]*)-(\d+\.\d+\.\d+.*)\.tgz$/.exec(name) ?? [];
    if (id === undefined || version === undefined) continue;
    try {
      const file = join(folder, name);
      const integrity = integrityOf(readFileSync(file));
      if (known[id] === integrity) continue;
      if (isWanted(core, { id, version, integrity, wasShipped: Object.hasOwn(known, id) })) {
        await core.drivers.installFromFile(file, { signal: new AbortController().signal });
      }
      known[id] = integrity;
      core.uiState.set(rememberedAs, known);
    } catch (error) {
      log.error(
        { problem: error instanceof Error ? error.message : String(error) },
        'No driver from a package',
      );
    }
  }
}

function isWanted(
  core: Core,
  shipped: { id: string; version: string; integrity: string; wasShipped: boolean },
): boolean {
  const installed = core.drivers.details().find(({ manifest }) => manifest.id === shipped.id);
  if (!installed) return !shipped.wasShipped;
  const isNewer = compareVersions(installed.manifest.version, shipped.version) > 0;
  return !isNewer && installed.integrity !== shipped.integrity;
}
