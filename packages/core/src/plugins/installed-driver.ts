import type { Manifest } from '@trestle/driver-kit';
import type { Drivers } from '../types.ts';

export interface InstalledDriver {
  manifest: Manifest;
  directory: string;
  /** The driver ships with the app. */
  bundled: boolean;
  /**
   * The integrity of the driver's package. Null if the driver ships with the app, or if its `.origin.json` is missing
   * or damaged.
   */
  integrity: string | null;
  /**
   * The publisher who signed the package. Null if the driver ships with the app or came from a file, or if its
   * `.origin.json` is missing or damaged.
   */
  publisher: string | null;
}

export interface DriverCatalog extends Drivers {
  /** Throws `driver_missing` if the driver is not installed. */
  installed(id: string): InstalledDriver;
  /** The manifest of a driver that is installed, or that the registry offers. Otherwise throws `driver_missing`. */
  manifestOf(id: string): Manifest;
  /**
   * Asked when a connection is opened or tested. False if the driver is missing, or if the registry has a new build of
   * the same version and no other session uses the driver. `install` then gets the driver or its new build.
   */
  isReady(id: string, options?: { isTest?: boolean }): boolean;
  /** Whether the user removed the driver and has not installed it since then. */
  isRemoved(id: string): boolean;
  /** Stops the running install and the queued ones. */
  close(): Promise<void>;
}
