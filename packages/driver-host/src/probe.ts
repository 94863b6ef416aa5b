import { HostProcess } from './host-process.ts';
import type { DriverLinkOptions } from './options.ts';
import type { SecondWall } from './walls/second-wall.ts';

/** Loads a driver once, without connecting. Rejects if it does not load, or does not export `driver.connect`. */
export async function probeDriver(
  options: Pick<DriverLinkOptions, 'hostEntry' | 'driverDirectory' | 'manifest' | 'log' | 'nodePath'>,
  call: { signal: AbortSignal; timeoutMs: number },
): Promise<void> {
  // Only drivers that do not ship with the app are probed. A probe has no fields, so the driver gets none of the files
  // and folders that a user may choose later.
  await HostProcess.probe({ ...options, bundled: false, fields: {} }, call);
}

/** How this machine's kernel confines a driver's process. Loads no driver. */
export async function probeWall(
  options: Pick<DriverLinkOptions, 'hostEntry' | 'driverDirectory' | 'manifest' | 'nodePath'>,
  call: { signal: AbortSignal; timeoutMs: number },
): Promise<SecondWall> {
  const { promise, resolve } = Promise.withResolvers<SecondWall>();
  const quiet = { bundled: false, fields: {}, log: () => {} };
  await HostProcess.greet({ ...options, ...quiet, onWall: resolve }, call);
  return promise;
}
