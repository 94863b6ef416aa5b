import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Core, createCore } from '@trestle/core';
import { recoverDesktopEnvironment } from './desktop-environment.ts';
import { readEdition } from './edition.ts';
import type { Logger } from './log.ts';

/** Opens the core on this data directory. The caller holds the instance lock and closes the core. */
export async function openCore(options: {
  dist: string;
  dataDirectory: string;
  log: Logger;
  /** Abort it to stop opening. */
  signal?: AbortSignal;
  /** Called once the core exists and can be closed, before a registry is read. */
  opened?(core: Core): void;
}): Promise<Core> {
  const { dist, dataDirectory, log } = options;
  // Runs before the core opens the keychain, which needs the session bus.
  Object.assign(process.env, await recoverDesktopEnvironment());
  const core = await createCore({
    home: dataDirectory,
    hostEntry: join(dist, 'driver-host.js'),
    bundledDrivers: foldersIn(join(dist, 'drivers')),
    ...readEdition(dist),
    log,
    ...(options.signal && { signal: options.signal }),
  });
  options.opened?.(core);
  // A registry on disk is read here, so that commands and samples know its drivers. Its status reports a failure.
  if (core.drivers.registry().address?.startsWith('file:')) {
    await core.drivers.refresh({ signal: AbortSignal.timeout(10_000) }).catch(() => {});
  }
  return core;
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}
