/** Finished vector maps: each row's position, key, and the first characters of the values for its colour. */
export interface KeptMaps {
  /** Null if there is none, or if its rows have changed. */
  get(connectionId: string, key: string): Uint8Array | null;
  has(connectionId: string, key: string): boolean;
  /**
   * When the limit of the settings is reached, the least recently used maps are removed. False: this map alone is too
   * large.
   */
  keep(map: KeptMap): boolean;
  clear(): void;
  use(): { maps: number; bytes: number };
}

export interface KeptMap {
  connectionId: string;
  table: string;
  /** Identifies the map within its table: vector, tenant, filters and size. */
  key: string;
  bytes: Uint8Array;
}
