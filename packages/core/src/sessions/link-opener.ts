import { type DriverLink, openDriverLink, redactor, type SecondWall } from '@trestle/driver-host';
import type { ConnectionFields, ManifestField } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import type { DriverCatalog } from '../plugins/installed-driver.ts';
import { SharedTask } from '../shared-task.ts';
import { driverFields } from './driver-fields.ts';
import type { LinkOpener } from './managed-session.ts';

/** Opens a driver's process with a connection's fields and secrets. Each open reads the secrets again. */
export function linkOpener(options: {
  home: string;
  hostEntry: string;
  drivers: DriverCatalog;
  driverId: string;
  fields: ConnectionFields;
  secretOf: (field: ManifestField) => Promise<string | null>;
  log: Logger;
  /** The link is for a connection test, not for a session. */
  isTest?: boolean;
}): LinkOpener {
  const { drivers, driverId, isTest = false } = options;

  async function prepare(signal: AbortSignal) {
    for (;;) {
      const driver = drivers.installed(driverId);
      // A locked keychain may take a minute. Closing the session must not wait for it.
      const reading = new SharedTask(() => driverFields(driver.manifest, options.fields, options));
      const read = await reading.join(signal);
      // An update may have replaced the driver meanwhile. The new one may have other fields and rights.
      if (drivers.installed(driverId) === driver) return { ...driver, ...read };
    }
  }

  return {
    // A getter, because the manifest may be unknown before the install.
    get serial() {
      return drivers.get(driverId)?.concurrency === 'serial';
    },
    async open({ signal, timeoutMs, onInstalling, onSecrets, onStage, onExit }): Promise<DriverLink> {
      // Opening or testing a connection installs its driver without asking the user. But a window opens the connections
      // of its tabs by itself, and must not bring back a driver that the user removed.
      if (!isTest && drivers.isRemoved(driverId)) drivers.installed(driverId);
      if (!drivers.isReady(driverId, { isTest })) {
        onInstalling(true);
        await drivers.install(driverId, { signal });
        onInstalling(false);
      }
      const { manifest, directory, bundled, fields, secretValues } = await prepare(signal);
      onSecrets(secretValues);
      const redact = redactor(secretValues);
      return openDriverLink(
        {
          hostEntry: options.hostEntry,
          driverDirectory: directory,
          manifest,
          bundled,
          fields,
          saved: options.fields,
          log: ({ level, message }) => options.log[level]({ driver: manifest.id }, redact(message)),
          onWall: (wall) => noteWall(wall, options.log),
          ...(onStage && { onStage }),
          onExit: ({ expected, message }) => {
            if (!expected) onExit({ code: 'driver_crashed', message: redact(message) });
          },
        },
        { signal, timeoutMs },
      );
    },
  };
}

const told = new WeakSet<Logger>();

/** Logged once, because all drivers of this machine run on the same kernel. */
function noteWall({ seccomp, landlock }: SecondWall, log: Logger): void {
  if (told.has(log) || process.platform !== 'linux') return;
  told.add(log);
  if (seccomp && landlock > 0) log.debug({ landlock }, 'Drivers run behind seccomp and Landlock');
  else
    log.warn(
      { seccomp, landlock },
      'This machine lacks seccomp or Landlock, or both. The permission model of Node still confines drivers.',
    );
}
