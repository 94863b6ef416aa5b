/** Values by name. A name is `<connection id>/<field id>`. */
export interface SecretStore {
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
  /** Ends requests that are waiting for an answer. */
  close(): void;
}
