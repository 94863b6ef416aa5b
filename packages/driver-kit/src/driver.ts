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
}

export interface DriverLogEntry {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
}

export type FieldValue = string | number | boolean | null | { name: string; value: string }[];
export type ConnectionFields = Record<string, FieldValue>;
