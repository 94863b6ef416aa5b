import { HostProcess } from './host-process.ts';
import type { DriverLinkOptions } from './options.ts';
import type { SecondWall } from './walls/second-wall.ts';

/**
 * Loads a driver once, under the rights it will have, and checks that it exports `driver.connect`. Rejects with
 * what it threw, with `driver_crashed` where its process ended, or with `timeout`.
 */
export async function probeDriver(
  options: Pick<DriverLinkOptions, 'hostEntry' | 'driverDirectory' | 'manifest' | 'log' | 'nodePath'>,
  call: { signal: AbortSignal; timeoutMs: number },
): Promise<void> {
  // Only drivers that do not ship with the app come this way, and none of them has more rights than these.
  await HostProcess.probe({ ...options, bundled: false, fields: {} }, call);
}

/** How the kernel of this machine holds a driver's process. Nothing of the driver is loaded. */
export async function probeWall(
  options: Pick<DriverLinkOptions, 'hostEntry' | 'driverDirectory' | 'manifest' | 'nodePath'>,
  call: { signal: AbortSignal; timeoutMs: number },
): Promise<SecondWall> {
  const { promise, resolve } = Promise.withResolvers<SecondWall>();
  const quiet = { bundled: false, fields: {}, log: () => {} };
  await HostProcess.greet({ ...options, ...quiet, onWall: resolve }, call);
  return promise;
}
