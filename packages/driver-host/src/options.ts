import type { ConnectionFields, ConnectStage, DriverLogEntry, Manifest } from '@trestle/driver-kit';
import type { DialEvent } from './sockets/dial.ts';
import type { LinkTiming } from './timing.ts';
import type { SecondWall } from './walls/second-wall.ts';

export interface DriverLinkOptions {
  /** The built child process, `driver-host.js`. */
  hostEntry: string;
  /** Holds the manifest and the entry; the only folder the driver can read. */
  driverDirectory: string;
  manifest: Manifest;
  /** Ships with the app, and may therefore have node:sqlite where its manifest asks for it. */
  bundled: boolean;
  /** With secrets, and with the text of files that are delivered as text. */
  fields: ConnectionFields;
  /**
   * The fields that the connection itself holds. Host and port come from these, never from a default of the manifest, which an
   * update could bring. Absent: `fields`.
   */
  saved?: ConnectionFields;
  /** Absent: the Node that runs the app. */
  nodePath?: string;
  /** What the driver logs, and every line it prints. */
  log: (entry: DriverLogEntry) => void;
  /** A process that had connected is gone. `expected`: the link ended it, to close or to cancel. */
  onExit?: (exit: { expected: boolean; message: string }) => void;
  /** How the kernel holds the driver's process; known before the driver is imported. */
  onWall?: (wall: SecondWall) => void;
  /** The stages of each dial, also of those that fail. */
  onDial?: (event: DialEvent) => void;
  /** A stage of connecting begins: those of a dial, and those that the driver reports. */
  onStage?: (stage: ConnectStage) => void;
  timing?: Partial<LinkTiming>;
}
