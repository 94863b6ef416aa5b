import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '@trestle/driver-kit';
import { kitVersion, manifestSchema } from '@trestle/driver-kit/manifest';
import type { Logger } from 'pino';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Drivers } from '../types.ts';

export interface InstalledDriver {
  manifest: Manifest;
  directory: string;
  /** Ships with the app. */
  bundled: boolean;
}

export interface DriverCatalog extends Drivers {
  /** Throws `driver_missing`. */
  installed(id: string): InstalledDriver;
}

/** A driver that cannot be loaded is left out and logged: the others must still work. */
export function loadDrivers(bundledFolders: readonly string[], log: Logger): DriverCatalog {
  const drivers = new Map<string, InstalledDriver>();
  for (const directory of bundledFolders) {
    try {
      const manifest = readManifest(directory);
      if (drivers.has(manifest.id)) throw unusable(directory, `another driver has the id ${manifest.id}`);
      drivers.set(manifest.id, { manifest, directory, bundled: true });
    } catch (error) {
      log.error({ directory, problem: error instanceof Error ? error.message : String(error) }, 'No driver');
    }
  }
  return {
    list: () => [...drivers.values()].map((driver) => driver.manifest),
    get: (id) => drivers.get(id)?.manifest,
    installed(id) {
      const driver = drivers.get(id);
      if (driver) return driver;
      throw new AppError({ code: 'driver_missing', message: `The driver ${id} is not installed` });
    },
  };
}

export function readManifest(directory: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'));
  } catch (error) {
    throw unusable(directory, `its manifest.json cannot be read (${(error as Error).message})`);
  }
  // Before the rest: a manifest for another kit may differ in any way.
  const kit = z.object({ kit: z.number() }).safeParse(json);
  if (kit.success && kit.data.kit !== kitVersion) {
    throw unusable(directory, `it was made for driver kit ${kit.data.kit}, and this app has ${kitVersion}`);
  }
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success)
    throw unusable(directory, `its manifest is not valid: ${z.prettifyError(parsed.error)}`);
  if (!existsSync(join(directory, parsed.data.entry))) {
    throw unusable(directory, `its file ${parsed.data.entry} is missing`);
  }
  return parsed.data;
}

function unusable(directory: string, why: string): AppError {
  return new AppError({
    code: 'driver_missing',
    message: `The driver in ${directory} cannot be used: ${why}`,
  });
}
