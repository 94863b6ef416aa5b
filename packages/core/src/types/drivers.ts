import type { SecondWall } from '@trestle/driver-host';
import type { Manifest } from '@trestle/driver-kit';
import type { AppErrorDetails } from '../errors.ts';

/** The kind of build. A driver lists the kinds that it supports. */
export type Platform = 'desktop' | 'mobile';

export interface DriverDetails {
  manifest: Manifest;
  /** The driver ships with the app. */
  bundled: boolean;
  /**
   * The `sha512-<base64>` of its package. Null if the driver ships with the app, or its `.origin.json` is missing or
   * damaged.
   */
  integrity: string | null;
  /**
   * The publisher who signed it. Null if it ships with the app, came from a file, or its `.origin.json` is missing or
   * damaged.
   */
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
  /** Called when a step begins. */
  onStep?: (step: InstallStep) => void;
}

/** A driver of the registry. */
export interface ListedDriver {
  manifest: Manifest;
  size: number;
  publisher: { name: string; fingerprint: string };
  changes: string;
  /** Why the driver cannot be installed here, or null. */
  unavailable: string | null;
  /** The installed version. */
  installed: string | null;
  /**
   * The registry has a newer version, or another build of this version. Never true for a driver that ships with the
   * app.
   */
  isUpdate: boolean;
}

export interface RegistryStatus {
  /** Null if the app was built without a registry and no registry was set later. */
  address: string | null;
  origin: 'app' | 'settings' | 'environment';
  name: string | null;
  fetchedAt: string | null;
  /** Why the last read failed. The list then comes from the last good copy. */
  problem: AppErrorDetails | null;
  /** The fingerprint of the registry's key, if the user must confirm it before the registry is used. Null otherwise. */
  unconfirmed: string | null;
}

/** The state of an install from the registry, in its job. The id of the job is `install ` and the driver's id. */
export interface InstallDetail {
  driver: string;
  /** The steps that have begun. The last one runs, or was the last one before the end. */
  steps: InstallStep[];
}

export interface Drivers {
  /** Installed drivers. */
  list(): Manifest[];
  /** Installed drivers, and those that the registry offers for this platform. */
  known(): Manifest[];
  /** The manifest of an installed driver, or of one that the registry offers for this platform. */
  get(id: string): Manifest | undefined;
  details(): DriverDetails[];
  listed(): ListedDriver[];
  registry(): RegistryStatus;
  /**
   * Reads the index if there is none, if the last good read is over five minutes old, or with `force`. Always reads a
   * local registry.
   */
  refresh(options: { signal: AbortSignal; force?: boolean }): Promise<void>;
  /** Null: the registry that the app was built for. */
  useRegistry(address: string | null): void;
  /** The user confirmed the fingerprint of the registry's key. */
  confirmRegistry(fingerprint: string): void;
  /** Installs the newest version that runs here, as a job. Waits while connections use the driver. */
  install(id: string, options: { signal: AbortSignal }): Promise<DriverDetails>;
  /** Replaces any other version of the driver. Refused while connections use it. A failure changes nothing. */
  installFromFile(path: string, options: InstallOptions): Promise<DriverDetails>;
  /**
   * Refused while connections use the driver, and for a driver that ships with the app. Saved connections
   * stay, and report that the driver is missing until it is installed again.
   */
  remove(id: string): Promise<void>;
  /** How this machine's kernel confines a driver's process, measured in a separate process. */
  secondWall(options: { signal: AbortSignal }): Promise<SecondWall>;
}
