/** Finished vector maps: each row's position, key, and the first characters of the values for its title and colour. */
export interface KeptMaps {
  /** Null if no map is kept for the key. A map is dropped when Trestle changes its table, or may have changed it. */
  get(connectionId: string, key: string): Uint8Array | null;
  has(connectionId: string, key: string): boolean;
  /**
   * When the limit of the settings is reached, the least recently used maps are removed. False if the map was not
   * kept: it is larger than half of the limit, or its connection is gone.
   */
  keep(map: KeptMap): boolean;
  clear(): void;
  use(): { maps: number; bytes: number };
}

export interface KeptMap {
  connectionId: string;
  table: string;
  /** Identifies the map within its connection: table, partition, filters, vector, size and whether it is a sample. */
  key: string;
  bytes: Uint8Array;
}
