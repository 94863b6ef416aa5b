import type { Duplex } from 'node:stream';
import type { Call, Session } from './session.ts';

/** The export `driver` of a driver's entry file. */
export interface Driver {
  /**
   * Rejects with `authentication_failed`, `connection_failed` or another code, such as `locked`. If the server gave a
   * reason, the message contains it.
   */
  connect(options: ConnectOptions, call: Call): Promise<Session>;
}

export interface ConnectOptions {
  /** By field id of the manifest, including secrets. A `file` field with `deliver: "text"` contains the file's text. */
  fields: ConnectionFields;
  log: (entry: DriverLogEntry) => void;
  dial: Dial;
  /** Reports the stage that begins. */
  stage?: (stage: ConnectStage) => void;
}

/**
 * The stages of opening a connection, in their order. The app dials, and reports `resolve` and `connect`. A driver
 * reports the other stages that it has.
 */
export const connectStages = ['resolve', 'connect', 'tls', 'authenticate', 'version'] as const;
export type ConnectStage = (typeof connectStages)[number];

/**
 * Opens a new socket to the connection's host and port: the fields that `process.network` of the manifest names. The
 * app dials, since the driver's process has no network. Rejects with `connection_failed` and the reason, or with
 * another code, such as `cancelled`.
 */
export type Dial = (call: Call) => Promise<Duplex>;

export interface DriverLogEntry {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
}

export type FieldValue = string | number | boolean | null | { name: string; value: string }[];
export type ConnectionFields = Record<string, FieldValue>;
