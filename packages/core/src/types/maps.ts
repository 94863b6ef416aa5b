/** Finished vector maps: where each row lies, its key, and the beginnings of the values it may be coloured by. */
export interface KeptMaps {
  /** Null where there is none, or where its rows changed since. */
  get(connectionId: string, key: string): Uint8Array | null;
  has(connectionId: string, key: string): boolean;
  /** The least recently used go first where the limit of the settings is reached. False: it alone is too large. */
  keep(map: KeptMap): boolean;
  clear(): void;
  use(): { maps: number; bytes: number };
}

export interface KeptMap {
  connectionId: string;
  table: string;
  /** Names vector, tenant, filters and size: whatever makes it another map of the table. */
  key: string;
  bytes: Uint8Array;
}
