import type { Manifest } from '@trestle/driver-kit';

export interface DriverDetails {
  manifest: Manifest;
  /** Ships with the app. */
  bundled: boolean;
  /** Of the package it was installed from, as `sha512-<base64>`. */
  integrity: string | null;
}

export type InstallStep = 'read' | 'unpack' | 'manifest' | 'load' | 'install';

export interface InstallOptions {
  signal: AbortSignal;
  /** Called as each step begins. */
  onStep?: (step: InstallStep) => void;
}

export interface Drivers {
  list(): Manifest[];
  get(id: string): Manifest | undefined;
  details(): DriverDetails[];
  /** Replaces any other version of the driver; refused while connections use it. A failure changes nothing. */
  installFromFile(path: string, options: InstallOptions): Promise<DriverDetails>;
  /** Refused while connections use it. Saved connections stay, and say that the driver is missing. */
  remove(id: string): Promise<void>;
}
