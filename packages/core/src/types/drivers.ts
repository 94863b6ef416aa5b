import type { SecondWall } from '@trestle/driver-host';
import type { Manifest } from '@trestle/driver-kit';
import type { AppErrorDetails } from '../errors.ts';

/** The kind of build. A driver names the kinds it is made for. */
export type Platform = 'desktop' | 'mobile';

export interface DriverDetails {
  manifest: Manifest;
  /** Ships with the app. */
  bundled: boolean;
  /** Of the package it was installed from, as `sha512-<base64>`. */
  integrity: string | null;
  /** The name of the publisher who signed it; null where it came from a file. */
  publisher: string | null;
}

export type InstallStep =
  | 'wait'
  | 'download'
  | 'integrity'
  | 'signature'
  | 'read'
  | 'unpack'
  | 'manifest'
  | 'load'
  | 'install';

export interface InstallOptions {
  signal: AbortSignal;
  /** Called as each step begins. */
  onStep?: (step: InstallStep) => void;
}

/** A driver of the registry. */
export interface ListedDriver {
  manifest: Manifest;
  size: number;
  publisher: { name: string; fingerprint: string };
  changes: string;
  /** Why it cannot be installed here. */
  unavailable: string | null;
  /** The version that is installed. */
  installed: string | null;
  /** The registry has another version, or other bytes, than what is installed. */
  isUpdate: boolean;
}

export interface RegistryStatus {
  /** Null where the app was built for no registry. */
  address: string | null;
  origin: 'app' | 'settings' | 'environment';
  name: string | null;
  fetchedAt: string | null;
  /** Why the last reading failed; drivers listed meanwhile are from the copy before. */
  problem: AppErrorDetails | null;
  /** The fingerprint of a key that the user must confirm first. */
  unconfirmed: string | null;
}

export interface InstallProgress {
  id: string;
  name: string;
  version: string;
  step: InstallStep;
  /** Bytes. */
  received: number;
  size: number;
  /** The connections that an update waits for. */
  waitsFor?: string[];
}

export interface Drivers {
  /** The installed ones. */
  list(): Manifest[];
  /** The installed ones, and those that the registry lists for this platform. */
  known(): Manifest[];
  /** Of an installed driver, or of one that the registry lists. */
  get(id: string): Manifest | undefined;
  details(): DriverDetails[];
  listed(): ListedDriver[];
  registry(): RegistryStatus;
  /** Reads the registry's index again, at most every five minutes unless `force` is set. */
  refresh(options: { signal: AbortSignal; force?: boolean }): Promise<void>;
  /** With null, the registry that the app was built for. */
  useRegistry(address: string | null): void;
  /** The user compared the fingerprint of the registry's key. */
  confirmRegistry(fingerprint: string): void;
  /** The newest version that runs here. While connections use the driver it waits for their end. */
  install(id: string, options: { signal: AbortSignal }): Promise<DriverDetails>;
  /** Installs under way. */
  installing(): InstallProgress[];
  cancelInstall(id: string): void;
  /** Replaces any other version of the driver; refused while connections use it. A failure changes nothing. */
  installFromFile(path: string, options: InstallOptions): Promise<DriverDetails>;
  /** Refused while connections use it. Saved connections stay, and say that the driver is missing. */
  remove(id: string): Promise<void>;
  /** How the kernel of this machine holds the process of a driver, as a process of its own finds. */
  secondWall(options: { signal: AbortSignal }): Promise<SecondWall>;
}
