/**
 * Values by name. The name of a connection's secret is `<connection id>/<field id>`. The activity log and the
 * administrator passphrase have names of their own.
 */
export interface SecretStore {
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
  /** Ends requests that are waiting for an answer. */
  close(): void;
}
