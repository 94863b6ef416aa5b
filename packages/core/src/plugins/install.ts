import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { probeDriver } from '@trestle/driver-host';
import type { Manifest } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import { type AppError, isAppError } from '../errors.ts';
import { toAppError } from '../translate-error.ts';
import type { InstallOptions, InstallStep } from '../types.ts';
import { diskProblem, isSystemError } from './disk-problem.ts';
import { refusal, whenInUse } from './install-step.ts';
import type { InstalledDriver } from './installed-driver.ts';
import { originFile } from './package-path.ts';
import type { PluginFolder } from './plugin-folder.ts';
import { judgeManifest } from './read-manifest.ts';
import type { DriverPackage } from './read-package.ts';
import { unpack } from './unpack.ts';

export interface InstallParts {
  folder: PluginFolder;
  hostEntry: string;
  loadMs: number;
  log: Logger;
  isBundled(id: string): boolean;
  /** The manifest of the driver that has this id now. */
  current(id: string): Manifest | undefined;
  /** Why a driver must not have its name. */
  nameProblem(manifest: Manifest): string | undefined;
  /** Why a driver cannot be replaced now. */
  inUse(id: string): string | undefined;
}

export interface PackageSource {
  firstStep: 'read' | 'download';
  /** Gets the package, and verifies it if it comes from the registry. */
  get(begin: (step: InstallStep) => void): Promise<DriverPackage>;
  publisher: string | null;
  /** Why the package may not use the id and version of its manifest. */
  refuse(manifest: Manifest, integrity: string): string | undefined;
  /** Records the package's owner (see `IdOwners`) as the id's owner. Returns a function that restores the old owner. */
  claim(manifest: Manifest, integrity: string): () => void;
}

/**
 * Gets the package, unpacks it, reads its manifest, loads its driver, and only then makes the driver visible. A failed
 * step leaves no new driver. It may leave a partial download, which the next attempt continues.
 */
export async function installPackage(
  source: PackageSource,
  parts: InstallParts,
  { signal, onStep }: InstallOptions,
): Promise<InstalledDriver> {
  let step: InstallStep = source.firstStep;
  let incoming: string | undefined;
  const begin = (next: InstallStep) => {
    signal.throwIfAborted();
    step = next;
    onStep?.(next);
  };
  try {
    begin(source.firstStep);
    const { bytes, integrity } = await source.get(begin);
    begin('unpack');
    incoming = parts.folder.createIncoming();
    await unpack(bytes, incoming, signal);
    begin('manifest');
    const manifest = checkManifest(incoming, parts);
    const reason = source.refuse(manifest, integrity);
    if (reason !== undefined) throw refusal('manifest', reason, { code: 'refused' });
    const misnamed = parts.nameProblem(manifest);
    if (misnamed !== undefined) throw refusal('manifest', misnamed);
    begin('load');
    await load(incoming, manifest, parts, signal);
    begin('install');
    const origin = { integrity, publisher: source.publisher };
    writeFileSync(join(incoming, originFile), JSON.stringify(origin), { mode: 0o600, flag: 'wx' });
    // Checked again, directly before the change: a connection may have been opened while the driver was tested.
    refuseInUse(manifest, 'install', parts);
    // Claims the id before the folder is moved. If the app is killed in between, the id has an owner and no new driver.
    // In the other order, the new driver's id would have no owner, and another publisher could claim it.
    const release = source.claim(manifest, integrity);
    try {
      const directory = parts.folder.publish(incoming, manifest);
      return { manifest, directory, bundled: false, ...origin };
    } catch (error) {
      release();
      throw error;
    }
  } catch (error) {
    throw failureOf(step, error);
  } finally {
    if (incoming) parts.folder.discard(incoming);
  }
}

function failureOf(step: InstallStep, error: unknown): AppError {
  const isOfDisk = isSystemError(error) || (isAppError(error) && error.code === 'driver_missing');
  if (!isOfDisk) return toAppError(error, (text) => text);
  const reason = diskProblem(error) ?? error.message;
  const hint = 'Make room on the disk that holds Trestle’s data, or make it writable, and try again.';
  // No hint for `driver_missing`: the plugin folder, or the driver's folder in it, is a link or a file. More room would
  // not help.
  return refusal(step, reason, { code: 'storage_failed', ...(isSystemError(error) && { hint }) });
}

function checkManifest(directory: string, parts: InstallParts): Manifest {
  const judged = judgeManifest(directory);
  if (typeof judged === 'string') throw refusal('manifest', judged, { code: 'unsupported' });
  if (parts.isBundled(judged.id)) {
    throw refusal('manifest', `${judged.id} is the id of a driver that ships with the app`);
  }
  if (judged.process.sqlite) {
    throw refusal('manifest', 'it asks for node:sqlite, which only drivers that ship with the app may have', {
      code: 'unsupported',
    });
  }
  const turned = turnedIntoFile(parts.current(judged.id), judged);
  if (turned !== undefined) {
    throw refusal('manifest', `its field ${turned} was not a file before, and would now be read as one`);
  }
  const dialled = turnedIntoServer(parts.current(judged.id), judged);
  if (dialled !== undefined) {
    throw refusal('manifest', `its field ${dialled} did not name a server before, and would now be dialled`);
  }
  refuseInUse(judged, 'manifest', parts);
  return judged;
}

/**
 * The id of a field that the old version had, and that only the new version uses as a host or port. The update is
 * refused: the app would dial the saved value, and the driver would send the stored key there.
 */
function turnedIntoServer(before: Manifest | undefined, after: Manifest): string | undefined {
  const { network } = after.process;
  if (!before || !network) return undefined;
  const dialled = before.process.network ? Object.values(before.process.network) : [];
  return Object.values(network).find(
    (id) => !dialled.includes(id) && before.fields.some((field) => field.id === id),
  );
}

/**
 * The id of a field that the old version had, and that is a file or folder only in the new version. The update is
 * refused: the app or the driver would read the saved value as a path.
 */
function turnedIntoFile(before: Manifest | undefined, after: Manifest): string | undefined {
  const isFile = (field: { type: string } | undefined) => field?.type === 'file' || field?.type === 'folder';
  const found = after.fields.find((field) => {
    const old = before?.fields.find(({ id }) => id === field.id);
    return isFile(field) && old !== undefined && !isFile(old);
  });
  return found?.id;
}

function refuseInUse({ id }: Manifest, step: InstallStep, parts: InstallParts): void {
  const reason = parts.inUse(id);
  if (reason !== undefined) throw refusal(step, reason, { code: 'conflict', hint: whenInUse });
}

async function load(
  driverDirectory: string,
  manifest: Manifest,
  { hostEntry, loadMs, log }: InstallParts,
  signal: AbortSignal,
): Promise<void> {
  try {
    await probeDriver(
      {
        hostEntry,
        driverDirectory,
        manifest,
        log: ({ level, message }) => log[level]({ driver: manifest.id }, message),
      },
      { signal, timeoutMs: loadMs },
    );
  } catch (error) {
    const { code, message } = toAppError(error, (text) => text);
    if (code === 'cancelled') throw error;
    throw refusal('load', message, { code: 'unsupported' });
  }
}
