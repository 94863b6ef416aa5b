import type { Manifest } from '@trestle/driver-kit';
import type { Drivers } from '../types.ts';

export interface InstalledDriver {
  manifest: Manifest;
  directory: string;
  /** Ships with the app. */
  bundled: boolean;
  /** Of the package it came in; null where there was none. */
  integrity: string | null;
  /** The name of the publisher who signed it; null where it came from a file. */
  publisher: string | null;
}

export interface DriverCatalog extends Drivers {
  /** Throws `driver_missing`. */
  installed(id: string): InstalledDriver;
  /** Of an installed driver, or of one that the registry lists; throws `driver_missing`. */
  manifestOf(id: string): Manifest;
  /** False where it is missing, or the registry has the same version built anew: `install` gets it. */
  isReady(id: string): boolean;
  /** Stops an install that is under way. */
  close(): Promise<void>;
}
