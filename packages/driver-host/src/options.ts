import type { ConnectionFields, ConnectStage, DriverLogEntry, Manifest } from '@trestle/driver-kit';
import type { DialEvent } from './sockets/dial.ts';
import type { LinkTiming } from './timing.ts';
import type { SecondWall } from './walls/second-wall.ts';

export interface DriverLinkOptions {
  /** The built entry file of the driver host, `driver-host.js`. */
  hostEntry: string;
  /** The folder with the manifest and the entry file. The driver may read everything in it. */
  driverDirectory: string;
  manifest: Manifest;
  /** The driver ships with the app, so it may use node:sqlite if its manifest asks for it. */
  bundled: boolean;
  /** The connection's field values, with secrets and with the text of files that are delivered as text. */
  fields: ConnectionFields;
  /**
   * The fields before the manifest's defaults are added. Host and port come from these, so an update of the driver
   * cannot change them. Defaults to `fields`.
   */
  saved?: ConnectionFields;
  /** Defaults to the Node that runs the app. */
  nodePath?: string;
  /** Gets the driver's log messages and the lines that it prints, up to a limit. */
  log: (entry: DriverLogEntry) => void;
  /**
   * A connected process has exited. `expected`: the link was closed, or a call of a serial driver was cancelled or late.
   * Not called for the extra process that a serial driver gets for an export or a sample.
   */
  onExit?: (exit: { expected: boolean; message: string }) => void;
  /** How the kernel confines the driver's process. Known before the driver is imported. */
  onWall?: (wall: SecondWall) => void;
  /** Gets the stages of each dial, also of failed ones. */
  onDial?: (event: DialEvent) => void;
  /** A stage of connecting begins: a stage of the dial, or one that the driver reports. */
  onStage?: (stage: ConnectStage) => void;
  timing?: Partial<LinkTiming>;
}
