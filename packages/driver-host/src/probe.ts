import { HostProcess } from './host-process.ts';
import type { DriverLinkOptions } from './options.ts';
import type { SecondWall } from './walls/second-wall.ts';

/**
 * Loads a driver once with its later rights, and checks that it exports `driver.connect`. Rejects with the driver's
 * own error, with `driver_crashed` if its process exited, or with `timeout`.
 */
export async function probeDriver(
  options: Pick<DriverLinkOptions, 'hostEntry' | 'driverDirectory' | 'manifest' | 'log' | 'nodePath'>,
  call: { signal: AbortSignal; timeoutMs: number },
): Promise<void> {
  // Only drivers that do not ship with the app are probed. None of them has more rights than these.
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
