import type { Manifest } from '@trestle/driver-kit';
import type { Drivers } from '../types.ts';

export interface InstalledDriver {
  manifest: Manifest;
  directory: string;
  /** The driver ships with the app. */
  bundled: boolean;
  /** The integrity of its package, or null if there was none. */
  integrity: string | null;
  /** The publisher who signed it, or null if it came from a file. */
  publisher: string | null;
}

export interface DriverCatalog extends Drivers {
  /** Throws `driver_missing`. */
  installed(id: string): InstalledDriver;
  /** The manifest of an installed driver, or of one in the registry. Throws `driver_missing`. */
  manifestOf(id: string): Manifest;
  /** False if the driver is missing, or if the registry has a new build of the same version. `install` gets it. */
  isReady(id: string): boolean;
  /** Stops a running install. */
  close(): Promise<void>;
}
