import { type ChildProcess, spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DriverError } from '@trestle/driver-kit';
import type { DriverLinkOptions } from './options.ts';
import { hostEnvironment, hostFlags } from './permissions.ts';
import { hostReach } from './walls/reach.ts';

/** Starts a driver's process with its rights. `entryUrl`: the driver's entry file, which the process imports. */
export async function spawnHost(
  options: DriverLinkOptions,
): Promise<{ child: ChildProcess; entryUrl: string }> {
  const { manifest, bundled, nodePath = process.execPath } = options;
  try {
    // Node's module loader resolves symbolic links, and the permission model does not. So the rights to the entry and to
    // the driver's folder are for their resolved paths.
    const entry = await realpath(options.hostEntry);
    const driverDirectory = await realpath(options.driverDirectory);
    const files = chosenFiles(options).map((file) => resolve(driverDirectory, file));
    const folders = await chosenFolders(options);
    const flags = hostFlags({
      entry,
      driverDirectory,
      chosenFiles: files,
      chosenFolders: folders,
      process: manifest.process,
      serial: manifest.concurrency === 'serial',
      bundled,
    });
    const reach = await hostReach({
      own: [entry, driverDirectory],
      files,
      folders,
      sqlite: manifest.process.sqlite && bundled,
      environment: process.env,
    });
    const child = spawn(nodePath, [...flags, entry, JSON.stringify(reach)], {
      cwd: driverDirectory,
      env: hostEnvironment(process.env, manifest.process.network !== false),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...(manifest.process.network ? ['pipe' as const] : [])],
      windowsHide: true,
    });
    // The listener for `error` stays: an unhandled error, such as a refused kill, would end the app.
    await new Promise((resolve, reject) => child.once('spawn', resolve).on('error', reject));
    endWithApp(child);
    return { child, entryUrl: pathToFileURL(join(driverDirectory, manifest.entry)).href };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DriverError(
      {
        code: 'internal',
        message: `The ${manifest.name} driver could not be started: ${reason}`,
        hint: `Restart Trestle. If that does not help, install ${bundled ? 'Trestle' : 'the driver'} again.`,
      },
      { cause: error },
    );
  }
}

function chosenFiles({ manifest, fields }: DriverLinkOptions): string[] {
  return manifest.fields.flatMap((field) => {
    const path = field.type === 'file' && field.deliver === 'path' ? fields[field.id] : undefined;
    return typeof path === 'string' && path !== '' ? [path] : [];
  });
}

/**
 * The core resolves symbolic links in the path that the driver gets. The permission model does not resolve them, so the
 * right must be for the resolved path.
 */
async function chosenFolders({ manifest, fields }: DriverLinkOptions) {
  const folders: { path: string; write: boolean }[] = [];
  for (const field of manifest.fields) {
    const path = field.type === 'folder' ? fields[field.id] : undefined;
    if (field.type !== 'folder' || typeof path !== 'string' || !isAbsolute(path)) continue;
    folders.push({ path: await realpath(path).catch(() => path), write: field.write ?? false });
  }
  return folders;
}

const running = new Set<ChildProcess>();

/** Kills the running drivers when the app exits. A driver with a blocked event loop does not see the link close. */
function endWithApp(child: ChildProcess): void {
  if (running.size === 0) process.on('exit', killAll);
  running.add(child);
  child.once('exit', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', killAll);
  });
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}
