import type { Duplex } from 'node:stream';
import type { Call, Session } from './session.ts';

/** What a driver's entry file exports as `driver`. */
export interface Driver {
  /** Rejects with `authentication_failed` or `connection_failed`; the message carries the server's own words. */
  connect(options: ConnectOptions, call: Call): Promise<Session>;
}

export interface ConnectOptions {
  /** By field id of the manifest, secrets among them; a `file` field delivered as text holds the text. */
  fields: ConnectionFields;
  log: (entry: DriverLogEntry) => void;
  dial: Dial;
  /** Says how far connecting has come: the stage that begins. The app itself reports those of a dial. */
  stage?: (stage: ConnectStage) => void;
}

/** In this order. A driver reports those that it has. */
export const connectStages = ['resolve', 'connect', 'tls', 'authenticate', 'version'] as const;
export type ConnectStage = (typeof connectStages)[number];

/**
 * A new socket to the host and port of the connection: the fields that `process.network` of the manifest names. The
 * app dials, since the driver's process has no network. Rejects with `connection_failed` and the reason in words.
 */
export type Dial = (call: Call) => Promise<Duplex>;

export interface DriverLogEntry {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
}

export type FieldValue = string | number | boolean | null | { name: string; value: string }[];
export type ConnectionFields = Record<string, FieldValue>;
